import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runNpm } from './commands.mts';
import { repositoryFolder, stateFolder } from './paths.mts';
import type { Progress } from './progress.mts';
import { readIfThere } from './runtime.mts';
import type { Runtime } from './runtime.mts';

/** What `dist` is built from. */
const sources = ['credentials', 'nodes', 'icons', 'package.json', 'tsconfig.json'];

interface PackageDescription {
	name: string;
	n8n: { credentials: string[]; nodes: string[] };
}

/**
 * Builds the package unless `dist` is newer than every source.
 *
 * @throws ExplainedError with the compiler's messages
 */
export async function buildPackage(progress: Progress): Promise<void> {
	if (await isBuilt()) return;
	await progress.step('Building the package', () =>
		runNpm({
			arguments: ['run', 'build'],
			folder: repositoryFolder,
			purpose: 'Building the package',
		}),
	);
}

async function isBuilt(): Promise<boolean> {
	const { n8n } = await readPackageDescription();
	const built = [...n8n.credentials, ...n8n.nodes].map((file) => path.join(repositoryFolder, file));
	if (!built.every((file) => existsSync(file))) return false;
	const sourceTimes = await Promise.all(
		sources.map((name) => newestChange(path.join(repositoryFolder, name))),
	);
	const builtTimes = await Promise.all(built.map((file) => newestChange(file)));
	return Math.min(...builtTimes) > Math.max(...sourceTimes);
}

/** The newest modification time below a path in milliseconds; folders count, so that a deleted file is noticed. */
async function newestChange(target: string): Promise<number> {
	const information = await stat(target);
	if (!information.isDirectory()) return information.mtimeMs;
	const names = await readdir(target);
	const below = await Promise.all(names.map((name) => newestChange(path.join(target, name))));
	return Math.max(information.mtimeMs, ...below);
}

/**
 * Packs the built package exactly as it would be published.
 *
 * @throws ExplainedError when npm fails
 */
export async function packPackage(folder = path.join(stateFolder, 'package')): Promise<string> {
	await mkdir(folder, { recursive: true });
	const printed = await runNpm({
		arguments: ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
		folder: repositoryFolder,
		purpose: 'Packing the package',
	});
	return path.join(folder, fileNameIn(printed));
}

/** npm's JSON is a list up to npm 11 and an object by package name in some later ones. */
function fileNameIn(printed: string): string {
	const answer = JSON.parse(printed) as Record<string, { filename: string }>;
	const [packed] = Object.values(answer);
	if (!packed) throw new Error(`npm pack named no file: ${printed}`);
	return packed.filename;
}

/**
 * Installs the tarball into n8n's user folder the way n8n installs community packages, or does nothing where
 * that very tarball is installed. Needs no network: the package has no dependencies, and n8n-workflow, its
 * peer, comes from n8n itself.
 *
 * @throws ExplainedError when npm fails
 */
export async function installTarball(tarball: string, runtime: Runtime): Promise<void> {
	const { name } = await readPackageDescription();
	const nodesFolder = path.join(runtime.userFolder, '.n8n/nodes');
	const stampFile = path.join(runtime.userFolder, 'installed-package.sha256');
	const stamp = createHash('sha256')
		.update(await readFile(tarball))
		.digest('hex');
	const installed = existsSync(path.join(nodesFolder, 'node_modules', name, 'package.json'));
	if (installed && (await readIfThere(stampFile)) === stamp) return;

	await mkdir(nodesFolder, { recursive: true });
	await writePackageJsonIfMissing(nodesFolder);
	// An installed copy of the same version would make npm keep it.
	await rm(path.join(nodesFolder, 'node_modules', name), { recursive: true, force: true });
	await runNpm({
		arguments: [
			'install',
			'--ignore-scripts',
			'--legacy-peer-deps',
			'--prefer-offline',
			'--no-package-lock',
			'--no-audit',
			'--no-fund',
			tarball,
		],
		folder: nodesFolder,
		purpose: "Installing the package into n8n's user folder",
	});
	await writeFile(stampFile, stamp);
}

/** Without a package.json of its own, npm would install into a folder further up. */
async function writePackageJsonIfMissing(nodesFolder: string): Promise<void> {
	const file = path.join(nodesFolder, 'package.json');
	if (existsSync(file)) return;
	const content = { name: 'installed-nodes', private: true, dependencies: {} };
	await writeFile(file, `${JSON.stringify(content, null, '\t')}\n`);
}

async function readPackageDescription(): Promise<PackageDescription> {
	const text = await readFile(path.join(repositoryFolder, 'package.json'), 'utf8');
	return JSON.parse(text) as PackageDescription;
}
