import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { staleFiles } from '../stale-build.mts';
import { runNpm } from './commands.mts';
import { repositoryFolder, stateFolder } from './paths.mts';
import type { Progress } from './progress.mts';
import { readIfThere } from './runtime.mts';
import type { Runtime } from './runtime.mts';

/**
 * Builds the package if `dist` does not match the sources.
 * @throws ExplainedError with the compiler's messages
 */
export async function buildPackage(progress: Progress): Promise<void> {
	if (staleFiles().length === 0) return;
	await progress.step('Building the package', () =>
		runNpm({
			arguments: ['run', 'build'],
			folder: repositoryFolder,
			purpose: 'Building the package',
		}),
	);
}

/**
 * Packs the built package as for publication. Returns the path of the tarball.
 * @throws ExplainedError if npm fails
 */
export async function packPackage(folder = path.join(stateFolder, 'package')): Promise<string> {
	await mkdir(folder, { recursive: true });
	const printed = await runNpm({
		arguments: ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
		folder: repositoryFolder,
		purpose: 'Packing the package',
	});
	// npm 11 and older versions print a list. Some later versions print an object with package names as keys.
	const [packed] = Object.values(JSON.parse(printed) as Record<string, { filename: string }>);
	return path.join(folder, packed.filename);
}

/**
 * Installs the tarball into n8n's user folder, as n8n installs community packages. Skips the installation if the same
 * tarball is installed. Needs no network, because the package has no dependencies.
 * @throws ExplainedError if npm fails
 */
export async function installTarball(tarball: string, runtime: Runtime): Promise<void> {
	const { name } = manifest;
	const nodesFolder = path.join(runtime.userFolder, '.n8n/nodes');
	const stampFile = path.join(runtime.userFolder, 'installed-package.sha256');
	const stamp = createHash('sha256')
		.update(await readFile(tarball))
		.digest('hex');
	const installed = existsSync(path.join(nodesFolder, 'node_modules', name, 'package.json'));
	if (installed && (await readIfThere(stampFile)) === stamp) return;

	await mkdir(nodesFolder, { recursive: true });
	// Create a package.json, because npm would otherwise install into a parent folder.
	const packageFile = path.join(nodesFolder, 'package.json');
	if (!existsSync(packageFile)) await writeFile(packageFile, '{ "private": true }\n');
	// Remove the old copy, because npm would keep a copy of the same version.
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
