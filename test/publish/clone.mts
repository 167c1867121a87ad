import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { afterAll } from 'vitest';
import { childEnvironment } from '../n8n/commands.mts';
import { repositoryFolder } from '../n8n/paths.mts';

/** What would make a tool believe that it runs in a pipeline, or let it reach GitHub or npm as somebody. */
const ofPipelines = /^(CI|GITHUB_.*|NPM_TOKEN|NODE_AUTH_TOKEN|VITEST.*|NODE_ENV)$/;

/**
 * This checkout, with what is not committed yet, in a folder of its own for one test file: the branch main with the same
 * installed packages; a bare repository stands for GitHub.
 */
export async function cloneThisCheckout() {
	const parent = await mkdtemp(path.join(tmpdir(), 'publish-'));
	afterAll(() => rm(parent, { recursive: true, force: true }));
	const folder = path.join(parent, 'clone');
	const origin = path.join(parent, 'origin.git');
	const settings = Object.entries(childEnvironment()).filter(([name]) => !ofPipelines.test(name));

	const clone = {
		/** Runs a command in the clone, and gives all that it printed; never throws for what the command found. */
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
		/** Replaces part of a file; what is to be replaced has to be there. */
		async edit(file: string, from: string | RegExp, to: string): Promise<void> {
			const text = await clone.read(file);
			const edited = text.replace(from, to);
			if (edited === text) throw new Error(`${file} has no ${from}`);
			await writeFile(path.join(folder, file), edited);
		},
		/** Writes an address everywhere, as a maintainer does. */
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
		// Git lists what is deleted, too, until that is committed.
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
