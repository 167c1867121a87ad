import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkFreeDisk } from '../checks.mts';
import { runNpm } from '../commands.mts';
import { pinnedFolder, repositoryFolder, serverFolder, stateFolder } from '../paths.mts';
import type { Progress } from '../progress.mts';
import { nativeBuildEnvironment } from '../node-headers.mts';
import { readIfThere, setUpServer } from '../runtime.mts';

const versionsFolder = path.join(repositoryFolder, 'test/n8n/versions');
const neededGigabytes = 3;

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
 *
 * @param tried which one
 * @param progress shows the steps
 * @returns the folder it is installed in
 * @throws ExplainedError when disk space or the network is missing, or npm fails
 */
export async function installVersion(tried: TriedVersion, progress: Progress): Promise<string> {
	if (tried.lockFolder === pinnedFolder) {
		await setUpServer(serverFolder(), progress);
		return serverFolder();
	}
	const folder = path.join(versionsHome(), tried.version);
	const lock = await readFile(path.join(tried.lockFolder, 'package-lock.json'));
	const stamp = createHash('sha256').update(lock).digest('hex');
	const stampFile = path.join(folder, '.installed');
	if ((await readIfThere(stampFile)) === stamp) return folder;

	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await checkFreeDisk(folder, neededGigabytes);
	for (const name of ['package.json', 'package-lock.json']) {
		await copyFile(path.join(tried.lockFolder, name), path.join(folder, name));
	}
	await copyFile(path.join(repositoryFolder, '.npmrc'), path.join(folder, '.npmrc'));
	const environment = await nativeBuildEnvironment(path.join(folder, '.node-gyp'));
	const npm = (command: string[], purpose: string) =>
		runNpm({
			arguments: command,
			folder,
			purpose,
			environment,
		});
	await progress.step(`Installing n8n ${tried.version} (once, about 1.4 GB)`, async () => {
		await npm(['ci', '--ignore-scripts'], `Installing n8n ${tried.version}`);
		await npm(['rebuild', 'sqlite3'], "Preparing n8n's database driver");
	});
	await writeFile(stampFile, stamp);
	return folder;
}

/** `N8N_TEST_VERSIONS_FOLDER` names another folder, so that a build machine can keep them between runs. */
function versionsHome(): string {
	const chosen = process.env.N8N_TEST_VERSIONS_FOLDER;
	return chosen ? path.resolve(chosen) : path.join(stateFolder, 'versions');
}
