import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { ExplainedError } from '../n8n/errors.mts';

/** Paths of the programs that the queue tests start. */
export interface Programs {
	redisServer: string;
	/** Folder with the programs initdb, postgres and pg_isready. */
	postgresFolder: string;
}

/**
 * Finds Redis and PostgreSQL in the folders of their Debian packages, or in the PATH.
 * @throws ExplainedError with the names of missing packages
 */
export function findPrograms(): Programs {
	const inPath = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/bin'];
	const newestFirst = globSync('/usr/lib/postgresql/*/bin').sort((one, other) =>
		other.localeCompare(one, 'en', { numeric: true }),
	);
	const folderWith = (program: string, folders: string[]): string | undefined =>
		folders.find((folder) => existsSync(path.join(folder, program)));
	const redisFolder = folderWith('redis-server', inPath);
	const postgresFolder = folderWith('initdb', [...newestFirst, ...inPath]);
	if (redisFolder && postgresFolder) {
		return { redisServer: path.join(redisFolder, 'redis-server'), postgresFolder };
	}
	const missing = [
		...(redisFolder ? [] : ['redis-server']),
		...(postgresFolder ? [] : ['postgresql']),
	].join(' ');
	throw new ExplainedError(
		`The queue tests start their own Redis and PostgreSQL, and ${missing.replace(' ', ' and ')} cannot be found. On Debian or Ubuntu: apt-get install -y --no-install-recommends ${missing}`,
	);
}
