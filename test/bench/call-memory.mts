import { setTimeout as wait } from 'node:timers/promises';
import type { Runtime } from '../n8n/runtime.mts';
import type { Sandbox } from '../sandbox/server.mts';
import { createBenchRuntime, startBenchN8n, type CallSizes } from './bench-n8n.mts';

/** What many calls did to the memory of an n8n process of their own. */
export interface CallMemory extends CallSizes {
	seconds: number;
	/** Results that came out. */
	results: number;
	/** Most requests that the service saw at once. */
	mostAtOnce: number;
	/** Resident memory of n8n before, in MB. */
	baseMb: number;
	/** The most above that during the run (VmHWM), in MB. */
	addedMb: number;
}

/** Each result is so large, in JSON, that thousands of them stand out against n8n's own memory. */
const fieldsPerResult = 400;
/** Long enough that requests really wait beside each other. */
const latencyMs = 5;
const settleMs = 5_000;

/** By how many are under way at once, and by how many results there are. */
const cases: readonly CallSizes[] = [
	...[1, 20, 100].map((maxConcurrent) => ({ items: 10_000, maxConcurrent })),
	...[5_000, 2_500].map((items) => ({ items, maxConcurrent: 20 })),
];
/** The same work needs so much more or less from run to run, since V8 decides when to collect garbage. */
const tolerance = 1.2;

/**
 * Measures whether memory grows with the results and not with the concurrency, each case in a new n8n process, and
 * prints a table.
 *
 * @returns how many promises were broken
 */
export async function benchCallMemory(sandbox: Sandbox): Promise<number> {
	const runtime = await createBenchRuntime(sandbox.url);
	answerWithLargeResults(sandbox);
	const measured: CallMemory[] = [];
	for (const sizes of cases) {
		const result = await measure(runtime, sandbox, sizes);
		measured.push(result);
		console.log(JSON.stringify(result));
	}
	sandbox.clearFaults();
	const promises = measured.map((one) => promiseOf(one, measured));
	console.table(measured.map((one, index) => ({ ...rowOf(one), ...promises[index] })));
	return promises.filter(({ kept }) => !kept).length;
}

function answerWithLargeResults(sandbox: Sandbox): void {
	const fields = Array.from({ length: fieldsPerResult }, (_, index) => [
		`field_${index}`,
		`value ${index} of a field`,
	]);
	const data = { name: 'A company', ...Object.fromEntries(fields) };
	const body = { success: true, data, meta: { ctx_id: 'bench' } };
	const fault = { path: '/v2/enrich', times: Infinity, delayMs: latencyMs, status: 200, body };
	sandbox.addFault(fault);
}

/** Fewer results need less, and the same results need the same, however many calls are under way. */
function promiseOf(
	{ items, maxConcurrent, addedMb, results }: CallMemory,
	measured: readonly CallMemory[],
): { promise: string; kept: boolean } {
	const [oneAtOnce, twentyAtOnce] = measured;
	if (results !== items) return { promise: `${items} results`, kept: false };
	if (items < twentyAtOnce.items) {
		const most = (tolerance * twentyAtOnce.addedMb * items) / twentyAtOnce.items;
		return { promise: `at most ${Math.round(most)}: fewer results`, kept: addedMb <= most };
	}
	const most = tolerance * oneAtOnce.addedMb;
	if (maxConcurrent === 1) return { promise: 'all results', kept: true };
	return { promise: `at most ${Math.round(most)}: as many results`, kept: addedMb <= most };
}

function rowOf(one: CallMemory): Record<string, string | number> {
	return {
		calls: one.items,
		'at once': one.maxConcurrent,
		'seen at once': one.mostAtOnce,
		seconds: one.seconds.toFixed(1),
		'n8n alone, MB': Math.round(one.baseMb),
		'added at most, MB': Math.round(one.addedMb),
	};
}

async function measure(runtime: Runtime, sandbox: Sandbox, sizes: CallSizes): Promise<CallMemory> {
	const n8n = await startBenchN8n(runtime);
	try {
		// n8n goes on working for some seconds after it has begun to answer.
		await wait(settleMs);
		sandbox.clearRequests();
		await n8n.forgetPeak();
		const baseMb = await n8n.peakMb();
		const { seconds, json } = await n8n.run('calls', sizes);
		const peakMb = await n8n.peakMb();
		const mostAtOnce = sandbox.requests.reduce((most, { inFlight }) => Math.max(most, inFlight), 0);
		const results = Number(json.count_name);
		return { ...sizes, seconds, results, mostAtOnce, baseMb, addedMb: peakMb - baseMb };
	} finally {
		await n8n.stop();
	}
}
