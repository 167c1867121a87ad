import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { importCredentials, importWorkflows, sandboxCredentialFile } from '../n8n/imports.mts';
import { createTestRuntime } from '../n8n/n8n-under-test.mts';
import { signIn } from '../n8n/rest.mts';
import type { Runtime } from '../n8n/runtime.mts';
import { startServer, type N8nServer } from '../n8n/server.mts';
import { sandboxCredentials } from '../sandbox/server.mts';
import { benchWorkflows, webhookOf, type BenchName } from './workflows.mts';

/** Amount of records to read. */
export interface Sizes {
	records: number;
	/** Page size. Null if the node chooses it. */
	pageSize: number | null;
}

/** Amount of calls to send. */
export interface CallSizes {
	items: number;
	maxConcurrent: number;
	/** Beginning of the companies' names. */
	company: string;
}

/** Result of a workflow. */
export interface RunResult {
	seconds: number;
	/** `json` of the last node's first item. See workflows.mts. */
	json: Record<string, unknown>;
}

/** Makes a runtime for measurements: the pinned n8n, the packed package and the workflows. */
export async function createBenchRuntime(sandboxUrl: string, name = 'bench'): Promise<Runtime> {
	const runtime = await createTestRuntime(name);
	const apiKey = sandboxCredentials.v2Full;
	await importCredentials(runtime, [sandboxCredentialFile(sandboxUrl, apiKey)]);
	await importWorkflows(runtime, benchWorkflows(sandboxUrl));
	return runtime;
}

/** Running n8n with the benchmark's workflows. */
export type BenchN8n = Awaited<ReturnType<typeof startBenchN8n>>;

/**
 * Starts n8n in a new process.
 * @param heapMb V8's limit for the heap. Default: the limit of n8n.
 */
export async function startBenchN8n(runtime: Runtime, heapMb?: number) {
	const server = await startServer(runtime, {
		logFile: path.join(runtime.userFolder, 'bench.log'),
		environment: {
			// n8n must not delete the files of long runs before they are counted.
			EXECUTIONS_DATA_PRUNE: 'false',
			...(heapMb === undefined ? {} : { NODE_OPTIONS: `--max-old-space-size=${heapMb}` }),
		},
	});
	const proc = `/proc/${server.processId}`;
	try {
		const { activate, readFile: readStoredFile } = await signIn(server.url, runtime);
		for (const { id } of benchWorkflows('')) await activate(id);
		return {
			/** Runs a workflow to its end. Throws n8n's message if the workflow fails. */
			run: async (
				name: BenchName,
				sizes: Sizes | CallSizes | Omit<CallSizes, 'maxConcurrent'> | { domain: string },
			) => await run(server, name, sizes),
			/** Returns the address that starts a workflow, as soon as the address is registered. */
			webhookUrl: async (name: BenchName) => await webhookUrl(server, name),
			readStoredFile,
			/** Reads the peak of resident memory since the last `forgetPeak` (Linux: VmHWM), in MB. */
			peakMb: async () => {
				const status = await readFile(`${proc}/status`, 'utf8');
				return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
			},
			/** Resets the peak to the current memory. Otherwise, the start of n8n would hide small exports. */
			forgetPeak: async () =>
				// 5 resets VmHWM, see proc(5).
				await writeFile(`${proc}/clear_refs`, '5'),
			stop: () => server.stop(),
		};
	} catch (error) {
		await server.stop();
		throw error;
	}
}

async function run(server: N8nServer, name: BenchName, sizes: object): Promise<RunResult> {
	const url = await webhookUrl(server, name);
	const started = performance.now();
	// Node's fetch fails after 5 minutes without headers. A million records at 100 per page can take longer.
	const response = await Promise.race([
		post(url, sizes),
		server.ended.then(() => {
			throw new Error('n8n ended during the run');
		}),
	]);
	const seconds = (performance.now() - started) / 1_000;
	if (response.status !== 200) throw new Error(`n8n answered ${response.status}: ${response.text}`);
	return { seconds, json: JSON.parse(response.text) as RunResult['json'] };
}

/**
 * Waits until n8n has registered the webhook, and returns its address. Until then, n8n responds with 404. The check
 * uses GET, because a GET to a webhook for POST starts no execution.
 */
async function webhookUrl(server: N8nServer, name: BenchName): Promise<string> {
	const url = `${server.url}/webhook/${webhookOf(name)}`;
	for (let tries = 0; tries < 100; tries++) {
		const text = await (await fetch(url)).text();
		if (text.includes('Did you mean to make a POST request')) break;
		await wait(100);
	}
	return url;
}

async function post(url: string, body: unknown): Promise<{ status?: number; text: string }> {
	const headers = { 'content-type': 'application/json' };
	const outgoing = request(url, { method: 'POST', headers, agent: false });
	outgoing.end(JSON.stringify(body));
	const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
	return { status: response.statusCode, text: await text(response) };
}
