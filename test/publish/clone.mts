import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { childEnvironment } from '../n8n/commands.mts';
import { repositoryFolder } from '../n8n/paths.mts';
import type { Address } from './address.mts';

/** A clone of this checkout in a folder of its own, with the same installed packages. */
export interface Clone {
	folder: string;
	/** A bare repository that stands for GitHub. */
	origin: string;
	/** Runs a command in the clone; never throws for what the command found. */
	run(file: string, commandArguments: string[], environment?: Record<string, string>): Promise<Ran>;
	git(...commandArguments: string[]): Promise<string>;
	/** Replaces part of a file; what is to be replaced has to be there. */
	edit(file: string, from: string | RegExp, to: string): Promise<void>;
	remove(): Promise<void>;
}

/** How a command ended. */
export interface Ran {
	exitCode: number | undefined;
	/** All that it printed. */
	printed: string;
}

/** What would make a tool believe that it runs in a pipeline, or let it reach GitHub or npm as somebody. */
const ofPipelines = /^(CI|GITHUB_.*|NPM_TOKEN|NODE_AUTH_TOKEN|VITEST.*|NODE_ENV)$/;

/** Clones this checkout with what is not committed yet, on a branch main with an upstream. */
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
	await execa('git', ['clone', '--quiet', '--no-tags', repositoryFolder, folder]);
	await copyUncommitted(folder);
	await symlink(path.join(repositoryFolder, 'node_modules'), path.join(folder, 'node_modules'));
	await writeFile(path.join(folder, '.git/info/exclude'), 'node_modules\n');
	await git('config', 'user.name', 'A maintainer');
	await git('config', 'user.email', 'maintainer@project.test');
	await git('checkout', '--quiet', '-B', 'main');
	await git('add', '--all');
	await git('commit', '--quiet', '--allow-empty', '--message', 'What is not committed yet');
	await execa('git', ['clone', '--quiet', '--bare', folder, origin]);
	await git('remote', 'set-url', 'origin', origin);
	await git('push', '--quiet', '--set-upstream', 'origin', 'main');
	return {
		folder,
		origin,
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

async function copyUncommitted(folder: string): Promise<void> {
	const list = async (...options: string[]) => {
		const listed = await execa('git', ['ls-files', '-z', ...options], { cwd: repositoryFolder });
		return listed.stdout.split('\0').filter(Boolean);
	};
	const deleted = await list('--deleted');
	for (const file of deleted) await rm(path.join(folder, file), { force: true });
	for (const file of await list('--modified', '--others', '--exclude-standard')) {
		if (deleted.includes(file)) continue;
		await cp(path.join(repositoryFolder, file), path.join(folder, file));
	}
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
