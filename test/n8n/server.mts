import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import getPort, { portNumbers } from 'get-port';
import { startInBackground } from './background.mts';
import type { Background } from './background.mts';
import { n8nEnvironment, n8nScript } from './runtime.mts';
import type { Runtime } from './runtime.mts';

/** Running n8n server. */
export interface N8nServer extends Background {
	/** Base URL of the editor and the REST API, without a slash at the end. */
	url: string;
}

export interface ServerOptions {
	/** Port of the editor and the REST API. Default: a free port. */
	port?: number;
	/** File for n8n's output. It is overwritten at the start. Default: `n8n.log` in the user folder. */
	logFile?: string;
	/** Additional environment variables, for example for queue mode or another database. */
	environment?: Record<string, string>;
}

/**
 * Returns a free port below the ports that the system assigns to outgoing connections, so that the port is still free
 * when a killed server is restarted. Begins at a random port, because several processes search at the same time.
 */
async function freePort(...exclude: number[]): Promise<number> {
	const from = 20_000 + Math.floor(Math.random() * 11_000);
	return await getPort({ port: portNumbers(from, 32_000), exclude });
}

/**
 * Starts n8n and waits until it is ready.
 * @throws ExplainedError with the last lines of the log if n8n ends or does not become ready in time
 */
export async function startServer(
	runtime: Runtime,
	options: ServerOptions = {},
): Promise<N8nServer> {
	const port = options.port ?? (await freePort());
	const logFile = options.logFile ?? path.join(runtime.userFolder, 'n8n.log');
	const url = `http://localhost:${port}`;
	await rm(logFile, { force: true });
	const running = await startInBackground({
		name: 'n8n',
		file: process.execPath,
		arguments: [n8nScript(runtime), 'start'],
		environment: {
			...n8nEnvironment(runtime),
			N8N_PORT: String(port),
			// Choose a free port, because another n8n on this machine may use the default port 5679.
			N8N_RUNNERS_BROKER_PORT: String(await freePort(port)),
			...options.environment,
		},
		folder: runtime.userFolder,
		logFile,
		isReady: async () => {
			const response = await fetch(`${url}/rest/settings`, { signal: AbortSignal.timeout(5_000) });
			await response.text();
			// Check the log too, because n8n responds to requests before it has recovered killed executions, and it can
			// still exit during this recovery.
			const hasStarted = (await readFile(logFile, 'utf8')).includes('Editor is now accessible');
			const type = response.headers.get('content-type');
			return hasStarted && response.ok && type?.includes('json') === true;
		},
	});
	return { ...running, url };
}
