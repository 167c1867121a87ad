import { describe, expect, test } from 'vitest';
import { cloneThisCheckout } from './clone.mts';

const clone = await cloneThisCheckout();

/** Runs the check; `failed` are the lines of what did not pass. */
async function check(...options: string[]) {
	const { exitCode, printed } = await clone.run('npm', ['run', 'publish:check', '--', ...options]);
	return { exitCode, printed, failed: printed.split('\n').filter((line) => line.startsWith('✗')) };
}

describe('npm run publish:check in a clone', () => {
	test('finds exactly the placeholders while there is no public address', async () => {
		const { exitCode, printed, failed } = await check();
		expect(printed).toMatch(/Not ready to be published: 0 problems, [1-9]\d* placeholders\./);
		expect(exitCode).toBe(1);
		expect(failed).toEqual([
			'✗ The package holds what it should, and the scan passes on it',
			'✗ The address is filled in everywhere',
		]);
		expect(printed).toContain('[ ] ');
	});

	test('passes when the address is filled in', async () => {
		await clone.fillIn();
		const { exitCode, printed, failed } = await check();
		expect(failed).toEqual([]);
		expect(printed).toContain('Passed: 0 problems, 0 placeholders.');
		expect(exitCode).toBe(0);
	});
});

describe('what publish:check would not let pass', () => {
	test.each([
		['package.json', '"license": "MIT"', '"license": "ISC"', 'The license is MIT'],
		['README.md', '## Credentials', '## Keys', 'README has the sections'],
		['icons/workspaceData.svg', '</svg>', '<script/></svg>', 'Icons'],
		['.github/workflows/ci.yml', 'npm run typecheck', 'npm run types', 'The CI pipeline runs'],
		['.github/workflows/publish.yml', /@[0-9a-f]{40} # v/, '@v', 'The pipelines have few rights'],
		['.github/workflows/publish.yml', 'needs: publish', 'needs: a-job', 'actionlint'],
		['CHANGELOG.md', /^## .*/m, '## Later', 'CHANGELOG.md has a section'],
	] as const)('%s: %s → %s', async (file, from, to, name) => {
		await clone.git('checkout', '--quiet', '--', '.');
		await clone.fillIn();
		await clone.edit(file, from, to);
		expect((await check('--quick')).failed.join('\n')).toContain(name);
	});
});
