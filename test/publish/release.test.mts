import { expect, test } from 'vitest';
import { cloneThisCheckout } from './clone.mts';

const clone = await cloneThisCheckout();
await clone.fillIn();
const manifest = await clone.read('package.json');
const { name, version } = JSON.parse(manifest) as Record<'name' | 'version', string>;
const heading = /^## .*$/m;
await clone.edit('CHANGELOG.md', heading, `## ${version} - unreleased`);
await commitAndPush('The address');

async function commitAndPush(message: string): Promise<void> {
	await clone.git('commit', '--all', '--quiet', '--message', message);
	await clone.git('push', '--quiet');
}

test('refuses a release if the changelog has no date for the version, and creates no tag', async () => {
	const { exitCode, printed } = await clone.run('npm', ['run', 'release'], { CI: 'true' });
	expect(exitCode).not.toBe(0);
	expect(printed).toContain(`CHANGELOG.md has no section "## ${version} - <date>"`);
	expect(await clone.git('tag')).toBe('');
});

test('tags the released version, pushes the tag, and leaves the changelog unchanged', async () => {
	await clone.edit('CHANGELOG.md', heading, `## ${version} - 2027-01-31`);
	await commitAndPush(`Release ${version}`);
	const written = await clone.read('CHANGELOG.md');
	const commit = await clone.git('rev-parse', 'HEAD');

	const { exitCode, printed } = await clone.run('npm', ['run', 'release'], { CI: 'true' });
	expect(printed).toContain('Done');
	expect(exitCode).toBe(0);

	expect(await clone.read('CHANGELOG.md')).toBe(written);
	expect(await clone.git('status', '--short')).toBe('');
	expect(await clone.git('ls-remote', '--tags', 'origin')).toContain(`refs/tags/${version}`);
	expect(await clone.git('rev-list', '-n1', version)).toBe(commit);
	// The command must print the changelog's text, because GitHub shows this text as the notes of the release.
	expect(printed).toContain(written.split('\n').find((line) => line.startsWith('- ')));
});

test('publishes the version of package.json in a pipeline (dry run)', async () => {
	const environment = { GITHUB_ACTIONS: 'true', npm_config_dry_run: 'true' };
	const { exitCode, printed } = await clone.run('npm', ['run', 'release'], environment);
	expect(printed).toContain(`+ ${name}@${version}`);
	expect(exitCode).toBe(0);
});
