/**
 * Benchmark of thousands of calls in a real n8n (`npm run bench:calls`). It compares the node's speed with HTTP Request
 * in batches and with a bare fetch loop, and measures the cost of Keep Results and the memory of n8n. Exits with 1 if a
 * target is missed.
 *
 * npm run bench:calls -- [--only speed|reuse|memory]
 */
import { parseArgs } from 'node:util';
import type { Runtime } from '../n8n/runtime.mts';
import { startSandbox, type Sandbox } from '../sandbox/server.mts';
import { createBenchRuntime, startBenchN8n, type BenchN8n, type CallSizes } from './bench-n8n.mts';
import { callWithFetch } from './fetch-loop.mts';
import { runWithPeak } from './memory.mts';
import { median, medianOfRatios, randomNumbers } from './statistics.mts';
import { inTurns } from './turns.mts';
import { CALLS_AT_ONCE } from './workflows.mts';

const sizes: CallSizes = { items: 5_000, maxConcurrent: CALLS_AT_ONCE, company: 'company' };
const what = `${sizes.items.toLocaleString('en-US')} calls, ${sizes.maxConcurrent} at once`;

const SPEED_ROUNDS = 5;

/** Prints a measurement and its verdict. Sets exit code 1 if the measurement exceeds the target. */
function report(name: string, measured: number, most: number, unit: string): void {
	const isKept = measured <= most;
	const verdict = `at most ${most.toFixed(2)}: ${isKept ? 'kept' : 'BROKEN'}`;
	console.log(`${name}: ${measured.toFixed(2)} ${unit}; ${verdict}`);
	if (!isKept) process.exitCode = 1;
}

/** Runs a workflow that sends calls. Returns the duration in seconds. Throws if a result is missing. */
async function secondsOf(
	n8n: BenchN8n,
	name: 'calls' | 'callsOfSize' | 'callsKept' | 'callsHttp',
	calls = sizes,
): Promise<number> {
	const { seconds, json } = await n8n.run(name, calls);
	const results = json.count_name ?? json.count_success;
	if (results !== calls.items) throw new Error(`${name}: ${String(results)} results`);
	return seconds;
}

/**
 * Measures how long the node, HTTP Request and a bare fetch loop take for the same calls. The service responds after 10
 * to 30 ms.
 */
async function benchSpeed(n8n: BenchN8n, sandbox: Sandbox): Promise<void> {
	const seconds: Record<string, number[]> = { calls: [], callsHttp: [], loop: [] };
	const measure = async (name: 'calls' | 'callsHttp' | 'loop'): Promise<number> =>
		name === 'loop' ? await callWithFetch(sandbox.url, sizes) : await secondsOf(n8n, name);
	const nextRound = inTurns(['calls', 'callsHttp', 'loop'] as const, async (name) => {
		// Use the same random latencies for the node, HTTP Request and the loop.
		const random = randomNumbers(1);
		sandbox.setLatency(10, () => 20 * random());
		sandbox.clearRequests();
		seconds[name].push(await measure(name));
		console.log(`${what}, 10 to 30 ms: ${name} ${seconds[name].at(-1)?.toFixed(2)} s`);
	});
	// The first run of each workflow warms up n8n and the compilers, so its time does not count.
	for (const name of ['calls', 'callsHttp', 'loop'] as const) await measure(name);
	for (let round = 0; round < SPEED_ROUNDS; round++) await nextRound();
	sandbox.setLatency(0);
	const { calls, callsHttp, loop } = seconds;
	// Compare only the time that the node and HTTP Request add to the bare loop, because waiting for responses takes
	// nearly all of the total time on a fast machine.
	const added = (all: number[]) => all.map((one, round) => one - loop[round]);
	const ratio = medianOfRatios(added(calls), added(callsHttp));
	report(`${what}, added to a bare loop, of what HTTP Request adds`, ratio, 0.25, '×');
	report(`${what}, beside a bare loop`, medianOfRatios(calls, loop), 1.3, '×');
}

/**
 * Measures what Keep Results costs per item, first while it stores results and then while it reads them. Each round
 * also runs the same calls without Keep Results for comparison.
 */
async function benchReuse(n8n: BenchN8n, sandbox: Sandbox): Promise<void> {
	// The first run warms up n8n and the compilers, so its time does not count.
	await secondsOf(n8n, 'calls');
	sandbox.setLatency(20);
	const [without, paid, kept]: number[][] = [[], [], []];
	// Use new company names in each round, so that no results for these companies are stored yet.
	for (const company of ['first', 'second', 'third']) {
		const calls = { ...sizes, company };
		without.push(await secondsOf(n8n, 'calls', calls));
		sandbox.clearRequests();
		paid.push(await secondsOf(n8n, 'callsKept', calls));
		kept.push(await secondsOf(n8n, 'callsKept', calls));
		const sent = sandbox.requests.length;
		if (sent !== sizes.items) throw new Error(`${sent} calls were sent with kept results`);
	}
	sandbox.setLatency(0);
	const moreMs = (1_000 * (median(paid) - median(without))) / sizes.items;
	const keptMs = (1_000 * median(kept)) / sizes.items;
	report(`${what}, 20 ms latency, results kept`, moreMs, 1, 'ms more per item');
	report(`${what}, kept results used`, keptMs, 1, 'ms per item');
}

/** Cases of the memory measurement: different numbers of parallel calls, then different numbers of results. */
const memoryCases = [
	...[1, 20, 100].map((maxConcurrent) => ({ items: 10_000, maxConcurrent })),
	...[5_000, 2_500].map((items) => ({ items, maxConcurrent: 20 })),
];
/** Factor by which the memory of two equal runs may differ, because V8 decides when to collect garbage. */
const tolerance = 1.2;

/**
 * Checks that n8n's memory grows with the number of results, and not with the number of parallel calls. Each case
 * starts a new n8n process.
 */
async function benchMemory(runtime: Runtime, sandbox: Sandbox): Promise<void> {
	answerWithLargeResults(sandbox);
	const added: number[] = [];
	for (const { items, maxConcurrent } of memoryCases) {
		const n8n = await startBenchN8n(runtime);
		try {
			const calls = { ...sizes, items, maxConcurrent };
			const { baseMb, peakMb } = await runWithPeak(n8n, () => secondsOf(n8n, 'callsOfSize', calls));
			added.push(peakMb - baseMb);
			const [oneAtOnce, twentyAtOnce = Infinity] = added;
			const most = tolerance * (items < 10_000 ? (twentyAtOnce * items) / 10_000 : oneAtOnce);
			const name = `${items.toLocaleString('en-US')} large results, ${maxConcurrent} at once`;
			report(name, peakMb - baseMb, most, `MB besides the ${Math.round(baseMb)} MB of n8n alone`);
		} finally {
			await n8n.stop();
		}
	}
	sandbox.clearFaults();
}

/**
 * Makes the service respond to enrich with large results after 5 ms. Thousands of large results need much more memory
 * than n8n itself, and the delay makes requests run in parallel.
 */
function answerWithLargeResults(sandbox: Sandbox): void {
	const fields = Array.from({ length: 400 }, (_, index) => [
		`field_${index}`,
		`value ${index} of a field`,
	]);
	const data = { name: 'A company', ...Object.fromEntries(fields) };
	const body = { success: true, data, meta: { ctx_id: 'bench' } };
	sandbox.addFault({ path: '/v2/enrich', times: Infinity, delayMs: 5, status: 200, body });
}

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
const sandbox = await startSandbox({ companies: 1 });
try {
	const runtime = await createBenchRuntime(sandbox.url);
	for (const [name, bench] of Object.entries({ speed: benchSpeed, reuse: benchReuse })) {
		if (only !== undefined && only !== name) continue;
		const n8n = await startBenchN8n(runtime);
		await bench(n8n, sandbox).finally(n8n.stop);
	}
	if (only === undefined || only === 'memory') await benchMemory(runtime, sandbox);
} finally {
	await sandbox.stop();
}
