import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import getPort, { portNumbers } from 'get-port';
import { startInBackground } from './background.mts';
import type { Background } from './background.mts';
import { n8nEnvironment, n8nScript } from './runtime.mts';
import type { Runtime } from './runtime.mts';

/** A running n8n. */
export interface N8nServer extends Background {
	/** Address of editor and REST API, without a slash at the end. */
	url: string;
}

/** What can be chosen for a server. */
export interface ServerOptions {
	/** Port of editor and REST API; a free one when left out. */
	port?: number;
	/** File for its output; `n8n.log` in the user folder when left out. It is begun anew. */
	logFile?: string;
	/** More environment variables: tests choose queue mode, another database and so on. */
	environment?: Record<string, string>;
}

/**
 * Below the ports that other servers and connections get by chance: one that is killed and started again finds its own
 * free. From a random one on, since several processes look at the same time.
 */
async function freePort(...exclude: number[]): Promise<number> {
	const from = 20_000 + Math.floor(Math.random() * 11_000);
	return await getPort({ port: portNumbers(from, 32_000), exclude });
}

/**
 * Starts n8n and waits until its start is complete.
 *
 * @throws ExplainedError with the log's last lines when it ends or stays silent instead
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
			// n8n's own 5679 may belong to another n8n on this machine.
			N8N_RUNNERS_BROKER_PORT: String(await freePort(port)),
			...options.environment,
		},
		folder: runtime.userFolder,
		logFile,
		isReady: async () => {
			const response = await fetch(`${url}/rest/settings`, { signal: AbortSignal.timeout(5_000) });
			await response.text();
			// It answers before it has looked at what was under way when it was killed, and may end there.
			const hasStarted = (await readFile(logFile, 'utf8')).includes('Editor is now accessible');
			const type = response.headers.get('content-type');
			return hasStarted && response.ok && type?.includes('json') === true;
		},
	});
	return { ...running, url };
}
