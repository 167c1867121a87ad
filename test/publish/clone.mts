import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { childEnvironment } from '../n8n/commands.mts';
import { repositoryFolder } from '../n8n/paths.mts';
import type { Address } from './address.mts';

/** This checkout in a folder of its own, with the same installed packages; a bare repository stands for GitHub. */
export interface Clone {
	folder: string;
	/** Runs a command in the clone, and gives all that it printed; never throws for what the command found. */
	run(
		file: string,
		commandArguments: string[],
		environment?: Record<string, string>,
	): Promise<{ exitCode: number | undefined; printed: string }>;
	git(...commandArguments: string[]): Promise<string>;
	/** Replaces part of a file; what is to be replaced has to be there. */
	edit(file: string, from: string | RegExp, to: string): Promise<void>;
	remove(): Promise<void>;
}

/** What would make a tool believe that it runs in a pipeline, or let it reach GitHub or npm as somebody. */
const ofPipelines = /^(CI|GITHUB_.*|NPM_TOKEN|NODE_AUTH_TOKEN|VITEST.*|NODE_ENV)$/;

/** Copies this checkout, with what is not committed yet, to a branch main with an upstream. */
export async function cloneThisCheckout(): Promise<Clone> {
	const parent = await mkdtemp(path.join(tmpdir(), 'publish-'));
	const folder = path.join(parent, 'clone');
	const origin = path.join(parent, 'origin.git');
	const settings = Object.entries(childEnvironment()).filter(([name]) => !ofPipelines.test(name));
	const run: Clone['run'] = async (file, commandArguments, environment = {}) => {
		const { exitCode, all } = await execa(file, commandArguments, {
			cwd: folder,
			env: { ...Object.fromEntries(settings), ...environment },
			extendEnv: false,
			reject: false,
			all: true,
			stdin: 'ignore',
		});
		return { exitCode, printed: all };
	};
	const git: Clone['git'] = async (...commandArguments) => {
		const { stdout } = await execa('git', commandArguments, { cwd: folder });
		return stdout;
	};
	const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
	const listed = await execa('git', listing, { cwd: repositoryFolder });
	for (const file of listed.stdout.split('\0').filter(Boolean)) {
		const source = path.join(repositoryFolder, file);
		if (existsSync(source)) await cp(source, path.join(folder, file));
	}
	await git('init', '--quiet', '--initial-branch', 'main');
	await symlink(path.join(repositoryFolder, 'node_modules'), path.join(folder, 'node_modules'));
	await writeFile(path.join(folder, '.git/info/exclude'), 'node_modules\n');
	await git('config', 'user.name', 'A maintainer');
	await git('config', 'user.email', 'maintainer@project.test');
	await git('add', '--all');
	await git('commit', '--quiet', '--message', 'Everything');
	await execa('git', ['clone', '--quiet', '--bare', folder, origin]);
	await git('remote', 'add', 'origin', origin);
	await git('push', '--quiet', '--set-upstream', 'origin', 'main');
	return {
		folder,
		run,
		git,
		async edit(file, from, to) {
			const target = path.join(folder, file);
			const text = await readFile(target, 'utf8');
			const edited = text.replace(from, to);
			if (edited === text) throw new Error(`${file} has no ${from}`);
			await writeFile(target, edited);
		},
		remove: () => rm(parent, { recursive: true, force: true }),
	};
}

/** Writes an address into a clone, everywhere, as a maintainer does. */
export async function fillIn(clone: Clone, address: Address): Promise<void> {
	await writeFile(
		path.join(clone.folder, 'test/publish/address.json'),
		`${JSON.stringify(address, null, '\t')}\n`,
	);
	const { exitCode, printed } = await clone.run('npm', ['run', 'publish:address']);
	if (exitCode !== 0) throw new Error(printed);
}

/** An address that looks like a real one. */
export const filledIn: Address = {
	name: 'n8n-nodes-workspace-data',
	owner: 'an-owner',
	repository: 'a-repository',
	author: { name: 'A maintainer', email: 'maintainer@project.test' },
};

/** The address as it is before the project has a public one. */
export const placeholder: Address = {
	...filledIn,
	owner: '',
	author: { name: 'Nobody yet', email: 'nobody@n8n-nodes-workspace-data.example' },
};
