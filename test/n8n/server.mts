import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import getPort from 'get-port';
import { endWithThisProcess, killGroup } from './children.mts';
import { lastLines } from './commands.mts';
import { ExplainedError } from './errors.mts';
import { n8nEnvironment, n8nScript } from './runtime.mts';
import type { Runtime } from './runtime.mts';

const readyTimeoutMs = 180_000;
const pollMs = 150;
/** How long n8n may take to stop by itself before it is killed. */
const stopTimeoutMs = 15_000;
const shownLogLines = 25;

/** A running n8n. */
export interface N8nServer {
	/** Address of editor and REST API, without a slash at the end. */
	url: string;
	/** Where its output goes. */
	logFile: string;
	/** The server's process id. */
	processId: number;
	/** Resolves when the process has ended, whoever ended it. */
	ended: Promise<void>;
	/** The last lines of its log. */
	lastLogLines(): Promise<string>;
	/** Stops it and everything it started; safe to call twice. */
	stop(): Promise<void>;
}

/** What can be chosen for a server. */
export interface ServerOptions {
	/** Port of editor and REST API; a free one when left out. */
	port?: number;
	/** File for its output; `n8n.log` in the user folder when left out. */
	logFile?: string;
	/** More environment variables: tests choose queue mode, another database and so on. */
	environment?: Record<string, string>;
	/** n8n's command; `start` when left out (`worker` and `webhook` are others). */
	command?: string;
}

/**
 * Starts n8n and waits until its REST API answers.
 *
 * @param runtime the n8n to run and its user folder
 * @param options port, log file, more environment
 * @throws ExplainedError with the log's last lines when it ends or stays silent instead
 */
export async function startServer(
	runtime: Runtime,
	options: ServerOptions = {},
): Promise<N8nServer> {
	const port = options.port ?? (await getPort());
	const logFile = options.logFile ?? path.join(runtime.userFolder, 'n8n.log');
	await mkdir(path.dirname(logFile), { recursive: true });
	const child = launch(runtime, options, {
		N8N_PORT: String(port),
		// n8n's own 5679 may belong to another n8n on this machine.
		N8N_RUNNERS_BROKER_PORT: String(await getPort({ exclude: [port] })),
	});
	const log = createWriteStream(logFile);
	child.stdout?.pipe(log, { end: false });
	child.stderr?.pipe(log, { end: false });

	endWithThisProcess(child);
	const ended = new Promise<void>((resolve) => {
		const finish = () => log.end(() => resolve());
		child.once('close', finish);
		child.once('error', finish);
	});
	const server: N8nServer = {
		url: `http://localhost:${port}`,
		logFile,
		processId: child.pid ?? 0,
		ended,
		lastLogLines: async () => lastLines(await readFile(logFile, 'utf8'), shownLogLines),
		stop: () => stop(child, ended),
	};
	await waitUntilReady(server, child);
	return server;
}

function launch(
	runtime: Runtime,
	options: ServerOptions,
	ports: Record<string, string>,
): ChildProcess {
	return spawn(process.execPath, [n8nScript(runtime), options.command ?? 'start'], {
		cwd: runtime.userFolder,
		env: { ...n8nEnvironment(runtime), ...ports, ...options.environment },
		stdio: ['ignore', 'pipe', 'pipe'],
		// See endWithThisProcess.
		detached: true,
	});
}

async function waitUntilReady(server: N8nServer, child: ChildProcess): Promise<void> {
	const deadline = Date.now() + readyTimeoutMs;
	while (Date.now() < deadline) {
		if (hasEnded(child)) {
			await server.ended;
			throw new ExplainedError(
				`n8n ended while starting. The end of ${server.logFile}:\n${await server.lastLogLines()}`,
			);
		}
		if (await answers(server.url)) return;
		await wait(pollMs);
	}
	await server.stop();
	throw new ExplainedError(
		`n8n did not answer within ${readyTimeoutMs / 1_000} seconds. The end of ${server.logFile}:\n${await server.lastLogLines()}`,
	);
}

async function answers(url: string): Promise<boolean> {
	try {
		const response = await fetch(`${url}/rest/settings`, { signal: AbortSignal.timeout(5_000) });
		await response.text();
		return response.headers.get('content-type')?.includes('json') === true && response.ok;
	} catch {
		return false;
	}
}

function hasEnded(child: ChildProcess): boolean {
	return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
	if (!hasEnded(child)) {
		child.kill('SIGTERM');
		const timer = new AbortController();
		await Promise.race([
			ended,
			wait(stopTimeoutMs, undefined, { signal: timer.signal }).catch(() => undefined),
		]);
		timer.abort();
	}
	// Such as a task runner that outlived its n8n.
	killGroup(child);
	await ended;
}
