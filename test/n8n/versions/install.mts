import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pinnedFolder, repositoryFolder, serverFolder, stateFolder } from '../paths.mts';
import type { Progress } from '../progress.mts';
import { setUpServer } from '../runtime.mts';

const versionsFolder = path.join(repositoryFolder, 'test/n8n/versions');

/** One n8n that the package is tried in. */
export interface TriedVersion {
	/** Such as "2.0.3". */
	version: string;
	/** Holds its package.json and lock file. */
	lockFolder: string;
}

/** The versions to try, oldest first: one for each folder with a lock file here, and the pinned one. */
export function triedVersions(): TriedVersion[] {
	const older = readdirSync(versionsFolder, { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.map((entry) => path.join(versionsFolder, entry.name));
	return [...older, pinnedFolder]
		.map((lockFolder) => ({ version: versionIn(lockFolder), lockFolder }))
		.sort((a, b) => a.version.localeCompare(b.version, 'en', { numeric: true }));
}

function versionIn(lockFolder: string): string {
	const text = readFileSync(path.join(lockFolder, 'package.json'), 'utf8');
	return (JSON.parse(text) as { dependencies: { n8n: string } }).dependencies.n8n;
}

/**
 * Installs a version of n8n, or does nothing where its very lock file was installed before.
 * `N8N_TEST_VERSIONS_FOLDER` names another folder for the older ones, so that a build machine can keep them between runs.
 *
 * @throws ExplainedError when disk space or the network is missing, or npm fails
 */
export async function installVersion(
	{ version, lockFolder }: TriedVersion,
	progress: Progress,
): Promise<string> {
	const chosen = process.env.N8N_TEST_VERSIONS_FOLDER;
	const home = chosen ? path.resolve(chosen) : path.join(stateFolder, 'versions');
	const folder = lockFolder === pinnedFolder ? serverFolder() : path.join(home, version);
	await setUpServer(folder, progress, lockFolder, 'up to 2 GB');
	return folder;
}
