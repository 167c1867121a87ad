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

/** How much to read. */
export interface Sizes {
	records: number;
	/** Null where the node finds it out. */
	pageSize: number | null;
}

/** How much to send. */
export interface CallSizes {
	items: number;
	maxConcurrent: number;
	/** What the companies' names begin with. */
	company: string;
}

/** What a workflow answered. */
export interface RunAnswer {
	seconds: number;
	/** The json of its last node's first item; see workflows.mts. */
	json: Record<string, unknown>;
}

/** Makes an n8n to measure in, under a name of its own: the pinned one, with the packed package and the workflows. */
export async function createBenchRuntime(sandboxUrl: string, name = 'bench'): Promise<Runtime> {
	const runtime = await createTestRuntime(name);
	const apiKey = sandboxCredentials.v2Full;
	await importCredentials(runtime, [sandboxCredentialFile(sandboxUrl, apiKey)]);
	await importWorkflows(runtime, benchWorkflows(sandboxUrl));
	return runtime;
}

/** A running n8n with the benchmark's workflows. */
export type BenchN8n = Awaited<ReturnType<typeof startBenchN8n>>;

/**
 * Starts that n8n in a new process.
 *
 * @param heapMb V8's limit for its heap; undefined leaves n8n's own
 */
export async function startBenchN8n(runtime: Runtime, heapMb?: number) {
	const server = await startServer(runtime, {
		logFile: path.join(runtime.userFolder, 'bench.log'),
		environment: {
			// Long reading must not end in n8n's own clean-up of the files that are still to be counted.
			EXECUTIONS_DATA_PRUNE: 'false',
			...(heapMb === undefined ? {} : { NODE_OPTIONS: `--max-old-space-size=${heapMb}` }),
		},
	});
	const proc = `/proc/${server.processId}`;
	try {
		const { activate, readFile: readStoredFile } = await signIn(server.url, runtime);
		for (const { id } of benchWorkflows('')) await activate(id);
		return {
			/** Runs a workflow to its end. Throws with n8n's words when it fails. */
			run: async (name: BenchName, sizes: Sizes | CallSizes | { domain: string }) =>
				await run(server, name, sizes),
			/** The address that starts a workflow, once it answers there. */
			webhookUrl: async (name: BenchName) => await webhookUrl(server, name),
			readStoredFile,
			/** Most resident memory in MB since the last `forgetPeak` (VmHWM), which Linux keeps. */
			peakMb: async () => {
				const status = await readFile(`${proc}/status`, 'utf8');
				return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
			},
			/** Lets the peak start over from what is resident now; without it, n8n's own start would hide small exports. */
			forgetPeak: async () =>
				// 5 resets VmHWM; see proc(5).
				await writeFile(`${proc}/clear_refs`, '5'),
			stop: () => server.stop(),
		};
	} catch (error) {
		await server.stop();
		throw error;
	}
}

async function run(server: N8nServer, name: BenchName, sizes: object): Promise<RunAnswer> {
	const url = await webhookUrl(server, name);
	const started = performance.now();
	// Node's fetch gives up after 5 minutes without headers, which a million records at 100 per page may take.
	const response = await Promise.race([
		post(url, sizes),
		server.ended.then(() => {
			throw new Error('n8n ended during the run');
		}),
	]);
	const seconds = (performance.now() - started) / 1_000;
	if (response.status !== 200) throw new Error(`n8n answered ${response.status}: ${response.text}`);
	return { seconds, json: JSON.parse(response.text) as RunAnswer['json'] };
}

/** A webhook answers 404 until n8n has registered it; a GET to one that takes POST does no work. */
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
