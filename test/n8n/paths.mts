import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root folder of this repository. */
export const repositoryFolder = fileURLToPath(new URL('../../', import.meta.url));

/** Folder for all files that `npm start` and the tests write. Git ignores the folder. It can be deleted. */
export const stateFolder = path.join(repositoryFolder, '.n8n');

/** Folder with the package.json and the lock file of the pinned n8n. */
export const pinnedFolder = path.join(repositoryFolder, 'test/n8n/pinned');

/** Folder with the example workflows for users. */
export const examplesFolder = path.join(repositoryFolder, 'examples');

/**
 * Returns the folder in which the pinned n8n is installed (2.2 GB). The environment variable `N8N_TEST_SERVER_FOLDER`
 * sets another folder, so that a build machine can keep n8n between runs.
 */
export function serverFolder(): string {
	const chosen = process.env.N8N_TEST_SERVER_FOLDER;
	return chosen ? path.resolve(chosen) : path.join(stateFolder, 'server');
}
