import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { afterAll } from 'vitest';
import { childEnvironment } from '../n8n/commands.mts';
import { repositoryFolder } from '../n8n/paths.mts';

/**
 * Environment variables that make a tool believe that it runs in a CI pipeline, or that give access to GitHub or npm.
 */
const ofPipelines = /^(CI|GITHUB_.*|NPM_TOKEN|NODE_AUTH_TOKEN|VITEST.*|NODE_ENV)$/;

/**
 * Copies this checkout, including uncommitted changes, into a new git repository for one test file. The repository has
 * a branch main, the installed packages, and a bare repository in place of GitHub.
 */
export async function cloneThisCheckout() {
	const parent = await mkdtemp(path.join(tmpdir(), 'publish-'));
	afterAll(() => rm(parent, { recursive: true, force: true }));
	const folder = path.join(parent, 'clone');
	const origin = path.join(parent, 'origin.git');
	const settings = Object.entries(childEnvironment()).filter(([name]) => !ofPipelines.test(name));

	const clone = {
		/** Runs a command in the clone. Returns its exit code and its output. Does not throw if the command fails. */
		async run(file: string, given: string[], environment: Record<string, string> = {}) {
			const { exitCode, all } = await execa(file, given, {
				cwd: folder,
				env: { ...Object.fromEntries(settings), ...environment },
				extendEnv: false,
				reject: false,
				all: true,
				stdin: 'ignore',
			});
			return { exitCode, printed: all };
		},
		git: async (...given: string[]) => (await execa('git', given, { cwd: folder })).stdout,
		read: async (file: string) => await readFile(path.join(folder, file), 'utf8'),
		/** Replaces text in a file. Throws if the file does not contain the text. */
		async edit(file: string, from: string | RegExp, to: string): Promise<void> {
			const text = await clone.read(file);
			const edited = text.replace(from, to);
			if (edited === text) throw new Error(`${file} has no ${from}`);
			await writeFile(path.join(folder, file), edited);
		},
		/** Writes a made-up project address into all files, as a maintainer does with the real address. */
		async fillIn(): Promise<void> {
			const address = ['https://github.com/an-owner/a-repository', 'maintainer@project.test'];
			const given = ['run', 'publish:address', '--', ...address];
			const { exitCode, printed } = await clone.run('npm', given);
			if (exitCode !== 0) throw new Error(printed);
		},
	};

	const kinds = ['--cached', '--others', '--exclude-standard'];
	const listed = await execa('git', ['ls-files', '-z', ...kinds], { cwd: repositoryFolder });
	for (const file of listed.stdout.split('\0').filter(Boolean)) {
		const source = path.join(repositoryFolder, file);
		// Skip deleted files, which git lists until the deletion is committed.
		if (existsSync(source)) await cp(source, path.join(folder, file));
	}
	await symlink(path.join(repositoryFolder, 'node_modules'), path.join(folder, 'node_modules'));
	await clone.git('init', '--quiet', '--initial-branch', 'main');
	await writeFile(path.join(folder, '.git/info/exclude'), 'node_modules\n');
	await clone.git('config', 'user.name', 'A maintainer');
	await clone.git('config', 'user.email', 'maintainer@project.test');
	await clone.git('add', '--all');
	await clone.git('commit', '--quiet', '--message', 'Everything');
	await execa('git', ['clone', '--quiet', '--bare', folder, origin]);
	await clone.git('remote', 'add', 'origin', origin);
	await clone.git('push', '--quiet', '--set-upstream', 'origin', 'main');
	return clone;
}
