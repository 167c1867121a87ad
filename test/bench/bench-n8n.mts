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

/** List of records that a benchmark workflow reads. */
export interface Sizes {
	records: number;
	/** Page size of the list. Null lets the node choose the page size. */
	pageSize: number | null;
}

/** Calls to the service that a benchmark workflow sends. */
export interface CallSizes {
	items: number;
	maxConcurrent: number;
	/** Beginning of the company names that the calls contain. */
	company: string;
}

/** Result of one run of a benchmark workflow. */
export interface RunResult {
	seconds: number;
	/** `json` of the first item that the workflow's last node returns. workflows.mts describes its shape. */
	json: Record<string, unknown>;
}

/** Installs the pinned n8n with the packed package, a credential for the sandbox and the benchmark's workflows. */
export async function createBenchRuntime(sandboxUrl: string, name = 'bench'): Promise<Runtime> {
	const runtime = await createTestRuntime(name);
	const apiKey = sandboxCredentials.v2Full;
	await importCredentials(runtime, [sandboxCredentialFile(sandboxUrl, apiKey)]);
	await importWorkflows(runtime, benchWorkflows(sandboxUrl));
	return runtime;
}

/** Running n8n that holds the benchmark's workflows. */
export type BenchN8n = Awaited<ReturnType<typeof startBenchN8n>>;

/**
 * Starts n8n in a new process.
 * @param heapMb limit of V8's heap in MB. Default: n8n's own limit.
 */
export async function startBenchN8n(runtime: Runtime, heapMb?: number) {
	const server = await startServer(runtime, {
		logFile: path.join(runtime.userFolder, 'bench.log'),
		environment: {
			// Keep the executions, because n8n would delete their exported files before the benchmark has counted the
			// records.
			EXECUTIONS_DATA_PRUNE: 'false',
			...(heapMb === undefined ? {} : { NODE_OPTIONS: `--max-old-space-size=${heapMb}` }),
		},
	});
	const proc = `/proc/${server.processId}`;
	try {
		const { activate, readFile: readStoredFile } = await signIn(server.url, runtime);
		for (const { id } of benchWorkflows('')) await activate(id);
		return {
			/** Runs a workflow to its end. Throws the error message of n8n if the workflow fails. */
			run: async (
				name: BenchName,
				sizes: Sizes | CallSizes | Omit<CallSizes, 'maxConcurrent'> | { domain: string },
			) => await run(server, name, sizes),
			/** Waits until n8n has registered the webhook of a workflow, and returns the webhook's address. */
			webhookUrl: async (name: BenchName) => await webhookUrl(server, name),
			readStoredFile,
			/** Reads the highest resident memory of n8n since the last call of `forgetPeak`, in MB (VmHWM in Linux). */
			peakMb: async () => {
				const status = await readFile(`${proc}/status`, 'utf8');
				return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
			},
			/**
			 * Resets n8n's memory peak, because the start of n8n needs more memory than a small export and would hide
			 * its peak.
			 */
			forgetPeak: async () =>
				// Writing 5 resets VmHWM. See proc(5).
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
	// Do not use fetch, which fails after 5 minutes without response headers. A workflow can take longer.
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
 * Waits until n8n has registered the webhook of a workflow, and returns the URL of the webhook. Checks with GET
 * requests, because a GET request to a POST webhook starts no execution.
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
