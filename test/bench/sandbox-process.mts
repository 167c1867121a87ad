import path from 'node:path';
import getPort from 'get-port';
import { startInBackground } from '../n8n/background.mts';
import { childEnvironment } from '../n8n/commands.mts';
import { repositoryFolder, stateFolder } from '../n8n/paths.mts';
import type { Fault, LoggedRequest, ProcessedCalls, Unkindness } from '../sandbox/types.mts';
import { largestPage } from './types.mts';

const refusedPageSize = 400;

const unkind: Unkindness = { refusePageSizeAbove: { size: largestPage, status: refusedPageSize } };

/** A sandbox in a process of its own, so that its work is not counted as that of what is measured. */
export type SandboxProcess = Awaited<ReturnType<typeof startSandboxProcess>>;

/**
 * Starts a sandbox with so many companies and waits until it answers.
 *
 * @throws ExplainedError when it does not
 */
export async function startSandboxProcess(companies: number) {
	const port = await getPort();
	const options = {
		port,
		companies,
		orders: 0,
		items: 0,
		deals: 0,
		unkind: JSON.stringify(unkind),
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
		/** The wait before each answer. */
		set: async (latencyMs: number) => await control('POST', 'settings', { latencyMs, unkind }),
		/** Forgets the log of requests and says how many there were. */
		takeRequestCount: async (): Promise<number> => {
			const { count } = (await control('GET', 'requests?countOnly=1')) as { count: number };
			await control('POST', 'clear');
			return count;
		},
		addFault: async (fault: Fault) => await control('POST', 'faults', fault),
		clearFaults: async () => await control('DELETE', 'faults'),
		/** Since the log was forgotten: requests that a fault hit, and enrichments that were processed. */
		countFailures: async () => {
			const { requests } = (await control('GET', 'requests')) as { requests: LoggedRequest[] };
			const calls = (await control('GET', 'calls')) as ProcessedCalls;
			const isRight = ({ status }: LoggedRequest) => status === 200 || status === refusedPageSize;
			const failed = requests.filter((request) => !isRight(request)).length;
			return { failed, processed: calls.enrich.length };
		},
	};
}
