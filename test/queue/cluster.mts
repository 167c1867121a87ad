import { cp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import getPort from 'get-port';
import { startInBackground, type Background } from '../n8n/background.mts';
import { createTestRuntime } from '../n8n/n8n-under-test.mts';
import { stateFolder } from '../n8n/paths.mts';
import { signIn, type RestClient } from '../n8n/rest.mts';
import { n8nEnvironment, n8nScript, prepareUserFolder, type Runtime } from '../n8n/runtime.mts';
import { startServer, type N8nServer } from '../n8n/server.mts';
import { findPrograms } from './debian.mts';
import { databaseUser, startPostgres, startRedis } from './services.mts';

/** Number of executions that a worker runs in parallel. n8n advises against fewer than 5. */
export const workerConcurrency = 5;
const workerNames = ['worker-1', 'worker-2'] as const;

/** Name of a worker process. */
export type WorkerName = (typeof workerNames)[number];

/** n8n in queue mode: one main process, two workers, Redis and PostgreSQL. */
export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/**
 * Starts n8n in queue mode with new data folders and free ports.
 * @throws ExplainedError if a Debian package is missing or a process does not start
 */
export async function startCluster() {
	const programs = findPrograms();
	const folder = path.join(stateFolder, 'tests/queue');
	await rm(folder, { recursive: true, force: true });
	const runtimes: Record<string, Runtime> = { main: await createTestRuntime('queue/main') };
	for (const name of workerNames) {
		const runtime = { ...runtimes.main, userFolder: path.join(folder, name) };
		await prepareUserFolder(runtime);
		await cp(`${runtimes.main.userFolder}/.n8n`, `${runtime.userFolder}/.n8n`, { recursive: true });
		runtimes[name] = runtime;
	}
	const ports = { main: await getPort(), redis: await getPort(), postgres: await getPort() };
	const environment = queueEnvironment(ports);
	const logFile = (name: string) => path.join(folder, `${name}.log`);

	const postgres = await startPostgres(programs, folder, ports.postgres);
	let redis = await startRedis(programs, folder, ports.redis);
	const workers: Partial<Record<WorkerName, Background>> = {};
	let main: N8nServer;
	let starts = 0;
	const startMain = () =>
		startServer(runtimes.main, {
			port: ports.main,
			environment,
			// Use a new log file for each start, because n8n overwrites its log file.
			logFile: logFile(`main-${(starts += 1)}`),
		});
	const cluster = {
		url: '',
		client: undefined as unknown as RestClient,
		get logFiles() {
			const mains = Array.from({ length: starts }, (_, start) => `main-${start + 1}`);
			return [...mains, ...workerNames, 'redis', 'postgres'].map(logFile);
		},
		/** Returns the ids of the executions that each worker has started, read from the worker's log. */
		startedBy: async (): Promise<Record<WorkerName, string[]>> => ({
			'worker-1': await executionsIn(logFile('worker-1')),
			'worker-2': await executionsIn(logFile('worker-2')),
		}),
		startWorker: async (name: WorkerName): Promise<void> => {
			workers[name] = await startWorker(runtimes[name], environment, logFile(name));
		},
		/** Kills a worker, and starts a new worker with the same name. */
		replaceWorker: async (name: WorkerName): Promise<void> => {
			await workers[name]?.stop('SIGKILL');
			await cluster.startWorker(name);
		},
		/** Stops Redis, waits for `downMs` ms, and starts Redis with the same data. */
		restartRedis: async (downMs: number) => {
			await redis.stop();
			await wait(downMs);
			redis = await startRedis(programs, folder, ports.redis);
		},
		/** Stops the main process with SIGTERM, as a deployment does. */
		stopMain: async () => await main.stop(),
		startMain: async (): Promise<void> => {
			main = await startMain();
			cluster.url = main.url;
			cluster.client = await signIn(main.url, runtimes.main);
		},
		stop: async () => {
			await Promise.all(Object.values(workers).map((worker) => worker.stop()));
			await main?.stop();
			await redis.stop();
			await postgres.stop();
		},
	};
	try {
		await cluster.startMain();
		await Promise.all(workerNames.map(cluster.startWorker));
		return cluster;
	} catch (error) {
		await cluster.stop();
		throw error;
	}
}

function queueEnvironment(
	ports: Record<'main' | 'redis' | 'postgres', number>,
): Record<string, string> {
	return {
		EXECUTIONS_MODE: 'queue',
		// Base URL of webhooks. Workers need it for expressions, but cannot find it out themselves.
		WEBHOOK_URL: `http://127.0.0.1:${ports.main}/`,
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(ports.redis),
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(ports.postgres),
		DB_POSTGRESDB_DATABASE: 'postgres',
		DB_POSTGRESDB_USER: databaseUser,
		DB_POSTGRESDB_PASSWORD: 'fake-password',
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
		// Let n8n notice a dead worker within some seconds. By default, this can take a minute.
		QUEUE_WORKER_LOCK_DURATION: '10000',
		QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
		QUEUE_WORKER_STALLED_INTERVAL: '5000',
	};
}

async function startWorker(
	runtime: Runtime,
	environment: Record<string, string>,
	logFile: string,
): Promise<Background> {
	const port = await getPort();
	const ports = {
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		N8N_RUNNERS_BROKER_PORT: String(await getPort({ exclude: [port] })),
	};
	return await startInBackground({
		name: 'A worker',
		file: process.execPath,
		arguments: [n8nScript(runtime), 'worker', `--concurrency=${workerConcurrency}`],
		environment: { ...n8nEnvironment(runtime), ...environment, ...ports },
		folder: runtime.userFolder,
		logFile,
		isReady: async () => (await fetch(`http://127.0.0.1:${port}/healthz/readiness`)).ok,
	});
}

async function executionsIn(logFile: string): Promise<string[]> {
	const log = await readFile(logFile, 'utf8');
	return [...log.matchAll(/Worker started execution (\d+) /g)].map(([, id]) => id);
}
