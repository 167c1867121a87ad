import path from 'node:path';
import getPort from 'get-port';
import { startInBackground } from '../n8n/background.mts';
import { childEnvironment } from '../n8n/commands.mts';
import { repositoryFolder, stateFolder } from '../n8n/paths.mts';
import type { Fault, LoggedRequest, ProcessedCalls, Quirks } from '../sandbox/types.mts';
import { largestPage } from './types.mts';

const refusedPageSize = 400;

const quirks: Quirks = { rejectPageSizeAbove: { size: largestPage, status: refusedPageSize } };

/** Sandbox (the simulated service) in a separate process, so that its work does not slow down the measured process. */
export type SandboxProcess = Awaited<ReturnType<typeof startSandboxProcess>>;

/**
 * Starts a sandbox that holds a number of companies, and waits until it responds.
 * @throws ExplainedError if the sandbox does not respond
 */
export async function startSandboxProcess(companies: number) {
	const port = await getPort();
	const options = {
		port,
		companies,
		orders: 0,
		items: 0,
		deals: 0,
		quirks: JSON.stringify(quirks),
	};
	const url = `http://127.0.0.1:${port}`;
	const { stop } = await startInBackground({
		name: 'The sandbox',
		file: process.execPath,
		arguments: [
			path.join(repositoryFolder, 'test/sandbox/cli.mts'),
			...Object.entries(options).map(([name, value]) => `--${name}=${value}`),
		],
		environment: childEnvironment(),
		folder: repositoryFolder,
		logFile: path.join(stateFolder, 'bench', `sandbox-${port}.log`),
		isReady: async () => (await fetch(`${url}/sandbox/health`)).ok,
	});
	const control = async (method: string, route: string, body?: unknown): Promise<unknown> => {
		const headers = { 'content-type': 'application/json' };
		const sent = body === undefined ? {} : { body: JSON.stringify(body), headers };
		return await (await fetch(`${url}/sandbox/${route}`, { method, ...sent })).json();
	};
	return {
		url,
		stop,
		/** Sets the time in ms that the sandbox waits before each response. */
		set: async (latencyMs: number) => await control('POST', 'settings', { latencyMs, quirks }),
		/** Returns the number of requests since the last call, and clears the sandbox's log. */
		takeRequestCount: async (): Promise<number> => {
			const { count } = (await control('GET', 'requests?countOnly=1')) as { count: number };
			await control('POST', 'clear');
			return count;
		},
		addFault: async (fault: Fault) => await control('POST', 'faults', fault),
		clearFaults: async () => await control('DELETE', 'faults'),
		/**
		 * Returns the numbers of failed requests and of processed enrich calls since the log was cleared. A rejected
		 * page size is not a failure.
		 */
		countFailures: async () => {
			const { requests } = (await control('GET', 'requests')) as { requests: LoggedRequest[] };
			const calls = (await control('GET', 'calls')) as ProcessedCalls;
			const isRight = ({ status }: LoggedRequest) => status === 200 || status === refusedPageSize;
			const failed = requests.filter((request) => !isRight(request)).length;
			return { failed, processed: calls.enrich.length };
		},
	};
}
