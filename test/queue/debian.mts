import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
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
	const redisServer = inPath('redis-server');
	const postgresFolder = newestPostgres() ?? folderOf(inPath('initdb'));
	if (redisServer && postgresFolder) return { redisServer, postgresFolder };
	const missing = [
		...(redisServer ? [] : ['redis-server']),
		...(postgresFolder ? [] : ['postgresql']),
	].join(' ');
	throw new ExplainedError(
		`The queue tests start their own Redis and PostgreSQL, and ${missing.replace(' ', ' and ')} cannot be found. On Debian or Ubuntu: apt-get install -y --no-install-recommends ${missing}`,
	);
}

function newestPostgres(): string | undefined {
	if (!existsSync(postgresHome)) return undefined;
	return readdirSync(postgresHome)
		.sort((a, b) => Number(b) - Number(a))
		.map((version) => path.join(postgresHome, version, 'bin'))
		.find((folder) => isProgram(path.join(folder, 'initdb')));
}

function inPath(name: string): string | undefined {
	const folders = [
		...(process.env.PATH ?? '').split(path.delimiter),
		'/usr/sbin',
		'/usr/local/bin',
	];
	return folders.map((folder) => path.join(folder, name)).find(isProgram);
}

function folderOf(file: string | undefined): string | undefined {
	return file === undefined ? undefined : path.dirname(file);
}

function isProgram(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
