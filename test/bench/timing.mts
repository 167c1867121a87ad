import type { BenchN8n, RunAnswer, Sizes } from './bench-n8n.mts';
import { readWithFetch } from './fetch-loop.mts';
import type { SandboxProcess } from './sandbox-process.mts';
import { inTurns } from './turns.mts';
import {
	contenders,
	pageSizeOf,
	type Contender,
	type TimingCase,
	type TimingResult,
} from './types.mts';

/** What measurements of time need. */
export interface TimingStand {
	sandbox: SandboxProcess;
	/** The running n8n; a new one where the last one was ended by what it had to do. */
	n8n: () => Promise<BenchN8n>;
	/** Told of each measurement. */
	say: (line: string) => void;
}

/**
 * One round differs from the next by a third, and a promise without latency is decided by a few hundredths: the median
 * of seven rounds moves by more than that, the median of 21 by about half as much.
 */
const ROUNDS_PER_RUN = 3;

/** How often a case is timed. */
export function runsOf({ records, latencyMs }: TimingCase, runs: number): number {
	return records >= 100_000 && latencyMs === 0 ? runs * ROUNDS_PER_RUN : runs;
}

/** Times every contender on one case, in turns, once more with each `nextRound`. */
export function timeCase(
	stand: TimingStand,
	{ records, pageSize, latencyMs }: TimingCase,
): { result: TimingResult; nextRound(): Promise<void> } {
	const seconds: Record<Contender, number[]> = { node: [], httpRequest: [], fetchLoop: [] };
	let lastId: unknown;
	const about = `${records} records, page size ${pageSize}, ${latencyMs} ms:`;
	const measure = async (contender: Contender): Promise<void> => {
		const { taken, lastId: id } = await timeOnce(stand, contender, {
			records,
			pageSize: pageSizeOf(contender, pageSize),
		});
		// All read the same list, so whoever ends with another record has not read all of it.
		lastId ??= id;
		if (id !== lastId) throw new Error(`its last record is ${String(id)}, not ${String(lastId)}`);
		seconds[contender].push(taken);
		stand.say(`${about} ${contender} ${taken.toFixed(2)} s`);
	};
	const turns = inTurns(contenders, measure, (failure) => stand.say(`${about} failed: ${failure}`));
	const nextRound = async (): Promise<void> => {
		await stand.sandbox.setLatency(latencyMs);
		await turns.nextRound();
		await stand.sandbox.setLatency(0);
	};
	return { result: { records, pageSize, latencyMs, seconds, failures: turns.failures }, nextRound };
}

async function timeOnce(
	{ sandbox, n8n }: TimingStand,
	contender: Contender,
	sizes: Sizes,
): Promise<{ taken: number; lastId: unknown }> {
	await sandbox.takeRequestCount();
	const { seconds, json } =
		contender === 'fetchLoop'
			? await timeFetchLoop(sandbox.url, sizes)
			: await (await n8n()).run(contender, sizes);
	await checkRequests(sandbox, sizes);
	return { taken: seconds, lastId: json.id };
}

/** Where the page size is known, so is the number of requests. */
async function checkRequests(sandbox: SandboxProcess, { records, pageSize }: Sizes): Promise<void> {
	const requests = await sandbox.takeRequestCount();
	if (pageSize !== null && requests !== Math.ceil(records / pageSize)) {
		throw new Error(`it sent ${requests} requests for ${records} records`);
	}
}

async function timeFetchLoop(url: string, sizes: Sizes): Promise<RunAnswer> {
	const started = performance.now();
	const last = await readWithFetch(url, sizes);
	return { seconds: (performance.now() - started) / 1_000, json: last ?? {} };
}
