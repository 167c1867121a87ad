/**
 * Thousands of calls in a real n8n: how fast they are beside HTTP Request in batches and a bare loop, what keeping their
 * results costs, and how much memory they need (`npm run bench:calls`). Exits 1 when a promise is broken.
 *
 *   npm run bench:calls -- [--only speed|reuse|memory]
 */
import { parseArgs } from 'node:util';
import type { Runtime } from '../n8n/runtime.mts';
import { startSandbox, type Sandbox } from '../sandbox/server.mts';
import { createBenchRuntime, startBenchN8n, type BenchN8n, type CallSizes } from './bench-n8n.mts';
import { callWithFetch } from './fetch-loop.mts';
import { runWithPeak } from './memory.mts';
import { median, medianRatio, randomNumbers } from './statistics.mts';
import { inTurns } from './turns.mts';
import { CALLS_AT_ONCE } from './workflows.mts';

const sizes: CallSizes = { items: 5_000, maxConcurrent: CALLS_AT_ONCE, company: 'company' };
const what = `${sizes.items.toLocaleString('en-US')} calls, ${sizes.maxConcurrent} at once`;

const SPEED_ROUNDS = 5;

/** Prints what was measured, and whether it is at most what was promised. */
function note(name: string, measured: number, most: number, unit: string): void {
	const isKept = measured <= most;
	const verdict = `at most ${most.toFixed(2)}: ${isKept ? 'kept' : 'BROKEN'}`;
	console.log(`${name}: ${measured.toFixed(2)} ${unit}; ${verdict}`);
	if (!isKept) process.exitCode = 1;
}

/** Runs the calls of a workflow, whose results must all come out. */
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

/** How long the calls take that the service answers after 10 to 30 ms, in turns with the two others. */
async function benchSpeed(n8n: BenchN8n, sandbox: Sandbox): Promise<void> {
	const seconds: Record<string, number[]> = { calls: [], callsHttp: [], loop: [] };
	const measure = async (name: 'calls' | 'callsHttp' | 'loop'): Promise<number> =>
		name === 'loop' ? await callWithFetch(sandbox.url, sizes) : await secondsOf(n8n, name);
	const nextRound = inTurns(['calls', 'callsHttp', 'loop'] as const, async (name) => {
		// The same waits for each.
		const random = randomNumbers(1);
		sandbox.setLatency(10, () => 20 * random());
		sandbox.clearRequests();
		seconds[name].push(await measure(name));
		console.log(`${what}, 10 to 30 ms: ${name} ${seconds[name].at(-1)?.toFixed(2)} s`);
	});
	// Once without counting, as for all that follows.
	for (const name of ['calls', 'callsHttp', 'loop'] as const) await measure(name);
	for (let round = 0; round < SPEED_ROUNDS; round++) await nextRound();
	sandbox.setLatency(0);
	const { calls, callsHttp, loop } = seconds;
	// Both wait for the same answers; on a quick machine nearly all of the time is that wait.
	const added = (all: number[]) => all.map((one, round) => one - loop[round]);
	const ratio = medianRatio(added(calls), added(callsHttp));
	note(`${what}, added to a bare loop, of what HTTP Request adds`, ratio, 0.25, '×');
	note(`${what}, beside a bare loop`, medianRatio(calls, loop), 1.3, '×');
}

/** What it costs to keep the results of calls, and to use kept ones, in turns with the same calls without. */
async function benchReuse(n8n: BenchN8n, sandbox: Sandbox): Promise<void> {
	// Once without counting, so that nobody pays for the compilers' warming up.
	await secondsOf(n8n, 'calls');
	sandbox.setLatency(20);
	const [without, paid, kept]: number[][] = [[], [], []];
	// Each round pays for companies that nobody has paid for.
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
	note(`${what}, 20 ms latency, results kept`, moreMs, 1, 'ms more per item');
	note(`${what}, kept results used`, keptMs, 1, 'ms per item');
}

/** By how many are under way at once, and by how many results there are. */
const memoryCases = [
	...[1, 20, 100].map((maxConcurrent) => ({ items: 10_000, maxConcurrent })),
	...[5_000, 2_500].map((items) => ({ items, maxConcurrent: 20 })),
];
/** The same work needs so much more or less from run to run, since V8 decides when to collect garbage. */
const tolerance = 1.2;

/** Whether memory grows with the results and not with the concurrency, each case in a new n8n process. */
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
			note(name, peakMb - baseMb, most, `MB besides the ${Math.round(baseMb)} MB of n8n alone`);
		} finally {
			await n8n.stop();
		}
	}
	sandbox.clearFaults();
}

/** So large, in JSON, that thousands of them stand out against n8n's own memory; and so late that requests wait. */
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
