import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { childEnvironment } from '../n8n/commands.mts';
import { startInBackground, type Background } from '../n8n/background.mts';
import type { Programs } from './debian.mts';

const host = '127.0.0.1';

/** The user of PostgreSQL's tables; everybody on this machine may sign in, and nobody else can connect. */
export const databaseUser = 'n8n';

/**
 * Makes a new database and starts PostgreSQL on it.
 *
 * @param port to listen on
 * @throws ExplainedError when it does not start
 */
export async function startPostgres(
	{ postgresFolder }: Programs,
	folder: string,
	port: number,
): Promise<Background> {
	const program = (name: string) => path.join(postgresFolder, name);
	// PostgreSQL refuses to run as root, and Debian's package made an account for it.
	const isRoot = process.getuid?.() === 0;
	// That account may have no way into this checkout (which may lie in root's home), so the data lies elsewhere.
	const data = await mkdtemp(path.join(tmpdir(), 'queue-test-postgres-'));
	if (isRoot) await execa('chown', ['postgres:postgres', data]);
	const asAccount = isRoot
		? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--']
		: [];
	/** A program and its arguments, run by that account. */
	const command = (name: string, ...options: string[]) => {
		const [file = '', ...commandArguments] = [...asAccount, program(name), '-D', data, ...options];
		return { file, arguments: commandArguments };
	};

	const users = ['-U', databaseUser, '-A', 'trust'];
	const initialise = command('initdb', ...users, '-E', 'UTF8', '--locale=C', '--no-sync');
	await execa(initialise.file, initialise.arguments, { cwd: data });
	// No socket file, and no waiting for the disk: this database lives for minutes.
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
			// SIGINT is PostgreSQL's fast shutdown.
			await running.stop('SIGINT');
			await rm(data, { recursive: true, force: true });
		},
	};
}

/**
 * Starts Redis with a log of every change on disk (`appendonly`), so that a restart keeps the queue.
 *
 * @param folder for its data and log; a restart with the same folder goes on with the same data
 * @param port to listen on
 * @throws ExplainedError when it does not start
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
