/**
 * Searches the logs of all tests for values of credentials: `node test/n8n/search-secrets.mts`. Exits with 1 if a file
 * contains a value. The engine tests search their own output after each run.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sandboxCredentials } from '../sandbox/server.mts';
import { repositoryFolder, stateFolder } from './paths.mts';

const secrets = Object.entries(sandboxCredentials);
const folders = [path.join(stateFolder, 'tests'), path.join(repositoryFolder, 'test/artifacts')];

/** Readable files, such as logs. Databases and settings of n8n are not searched. */
const isReadable = (name: string): boolean => /\.(log|txt|json|html|md)$/.test(name);
const isInstalled = (folder: string): boolean => /node_modules|[\\/]nodes[\\/]/.test(folder);

let searched = 0;
for (const folder of folders) {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
	for (const entry of entries) {
		if (!entry.isFile() || !isReadable(entry.name) || isInstalled(entry.parentPath)) continue;
		const file = path.join(entry.parentPath, entry.name);
		const text = await readFile(file, 'utf8');
		searched += 1;
		for (const [name, value] of secrets.filter(([, secret]) => text.includes(secret))) {
			console.error(
				`${path.relative(repositoryFolder, file)} shows ${name} (${value.length} characters)`,
			);
			process.exitCode = 1;
		}
	}
}
console.log(`Searched ${searched} files for ${secrets.length} credential values.`);
if (searched === 0) {
	console.error('There is nothing to search: run the tests in real n8n first.');
	process.exitCode = 1;
}
