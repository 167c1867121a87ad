import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this checkout. */
export const repositoryFolder = fileURLToPath(new URL('../../', import.meta.url));

/** Everything that `npm start` and the tests write: ignored by git, safe to delete. */
export const stateFolder = path.join(repositoryFolder, '.n8n');

/** The package.json and lock file of the n8n that everything here runs. */
export const pinnedFolder = path.join(repositoryFolder, 'test/n8n/pinned');

/** The workflows that users import. */
export const examplesFolder = path.join(repositoryFolder, 'examples');

/**
 * Where the pinned n8n is installed (2.2 GB). `N8N_TEST_SERVER_FOLDER` names another folder, so that a build
 * machine can keep one between runs.
 */
export function serverFolder(): string {
	const chosen = process.env.N8N_TEST_SERVER_FOLDER;
	return chosen ? path.resolve(chosen) : path.join(stateFolder, 'server');
}
