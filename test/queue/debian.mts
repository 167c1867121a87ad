import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ExplainedError } from '../n8n/errors.mts';

const postgresHome = '/usr/lib/postgresql';

/** The programs that the queue tests start. */
export interface Programs {
	redisServer: string;
	/** Folder with initdb, postgres and pg_isready. */
	postgresFolder: string;
}

/**
 * Finds Redis and PostgreSQL as Debian installs them (elsewhere: in the PATH).
 *
 * @throws ExplainedError naming the missing packages
 */
export function findPrograms(): Programs {
	const inPath = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/bin'];
	const folderWith = (program: string, folders: string[]): string | undefined =>
		folders.find((folder) => existsSync(path.join(folder, program)));
	const redisFolder = folderWith('redis-server', inPath);
	const postgresFolder = folderWith('initdb', [...installedPostgres(), ...inPath]);
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

/** The folders of the installed versions, newest first. */
function installedPostgres(): string[] {
	if (!existsSync(postgresHome)) return [];
	return readdirSync(postgresHome)
		.sort((a, b) => Number(b) - Number(a))
		.map((version) => path.join(postgresHome, version, 'bin'));
}
