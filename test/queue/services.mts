import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { childEnvironment } from '../n8n/commands.mts';
import { startInBackground, type Background } from '../n8n/background.mts';
import type { Programs } from './debian.mts';

const host = '127.0.0.1';

/**
 * User of the PostgreSQL database. Any account on this machine can sign in without a password, but no other machine can
 * connect.
 */
export const databaseUser = 'n8n';

/**
 * Creates a new database and starts PostgreSQL.
 * @param folder folder for the log
 * @param port port on which PostgreSQL listens
 * @throws ExplainedError if PostgreSQL does not start
 */
export async function startPostgres(
	{ postgresFolder }: Programs,
	folder: string,
	port: number,
): Promise<Background> {
	const program = (name: string) => path.join(postgresFolder, name);
	// PostgreSQL refuses to run as root, so run it with the account of Debian's package.
	const isRoot = process.getuid?.() === 0;
	// Store the data in the folder for temporary files, because that account may be unable to read this checkout.
	const data = await mkdtemp(path.join(tmpdir(), 'queue-test-postgres-'));
	if (isRoot) await execa('chown', ['postgres:postgres', data]);
	const asAccount = isRoot
		? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--']
		: [];
	/** Returns a command that runs a program of PostgreSQL, with a different account if the current user is root. */
	const command = (name: string, ...options: string[]) => {
		const [file = '', ...commandArguments] = [...asAccount, program(name), '-D', data, ...options];
		return { file, arguments: commandArguments };
	};

	const users = ['-U', databaseUser, '-A', 'trust'];
	const initialise = command('initdb', ...users, '-E', 'UTF8', '--locale=C', '--no-sync');
	await execa(initialise.file, initialise.arguments, { cwd: data });
	// Use no socket file, and no fsync, because this database exists only for minutes.
	const settings = { listen_addresses: host, port, unix_socket_directories: '', fsync: 'off' };
	const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	const running = await startInBackground({
		name: 'PostgreSQL',
		...command('postgres', ...options),
		environment: childEnvironment(),
		folder: data,
		logFile: path.join(folder, 'postgres.log'),
		isReady: async () => {
			const asked = await execa(program('pg_isready'), ['-h', host, '-p', String(port)], {
				reject: false,
			});
			return asked.exitCode === 0;
		},
	});
	return {
		...running,
		stop: async () => {
			// SIGINT starts PostgreSQL's fast shutdown.
			await running.stop('SIGINT');
			await rm(data, { recursive: true, force: true });
		},
	};
}

/**
 * Starts Redis. It logs every change to disk (`appendonly`), so that a restart keeps n8n's queue.
 * @param folder folder for data and log. A restart with the same folder continues with the same data.
 * @param port port on which Redis listens
 * @throws ExplainedError if Redis does not start
 */
export async function startRedis(
	{ redisServer }: Programs,
	folder: string,
	port: number,
): Promise<Background> {
	const data = path.join(folder, 'redis');
	await mkdir(data, { recursive: true });
	const settings = ['--port', String(port), '--bind', host, '--dir', data, '--save', ''];
	return await startInBackground({
		name: 'Redis',
		file: redisServer,
		arguments: [...settings, '--appendonly', 'yes'],
		environment: childEnvironment(),
		folder: data,
		logFile: path.join(folder, 'redis.log'),
		isReady: async () => {
			const asked = await execa('redis-cli', ['-h', host, '-p', String(port), 'ping'], {
				reject: false,
			});
			return asked.stdout === 'PONG';
		},
	});
}
