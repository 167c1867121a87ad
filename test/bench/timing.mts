import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../n8n/errors.mts';
import type { BenchN8n, RunAnswer, Sizes } from './bench-n8n.mts';
import { readWithFetch } from './fetch-loop.mts';
import type { SandboxProcess } from './sandbox-process.mts';
import {
	contenders,
	pageSizeOf,
	type Contender,
	type TimingCase,
	type TimingResult,
} from './types.mts';

/** What timings need. */
export interface TimingStand {
	sandbox: SandboxProcess;
	/** The running n8n; a new one where the last one was ended by what it had to do. */
	n8n: () => Promise<BenchN8n>;
	runs: number;
	/** Told of each measurement. */
	say: (line: string) => void;
}

/** A million records take so long that chance matters less. */
const FEW_RUNS = 3;

/**
 * Times every contender on one case, `runs` times. They take turns within each run, and the order moves on, so that
 * a slow minute of the machine hits all of them. A contender that fails is not asked again.
 */
export async function timeCase(
	stand: TimingStand,
	{ records, pageSize, latencyMs }: TimingCase,
): Promise<TimingResult> {
	const seconds: Record<Contender, number[]> = { node: [], httpRequest: [], fetchLoop: [] };
	const failures: TimingResult['failures'] = {};
	let lastId: unknown;
	await stand.sandbox.setLatency(latencyMs);
	const runs = Math.min(stand.runs, records >= 1_000_000 ? FEW_RUNS : Infinity);
	for (let run = 0; run < runs; run++) {
		for (let turn = 0; turn < contenders.length; turn++) {
			const contender = contenders[(run + turn) % contenders.length];
			if (failures[contender] !== undefined) continue;
			const about = `${records} records, page size ${pageSize}, ${latencyMs} ms: ${contender}`;
			try {
				const { taken, lastId: id } = await timeOnce(stand, contender, {
					records,
					pageSize: pageSizeOf(contender, pageSize),
				});
				// All read the same list, so whoever ends with another record has not read all of it.
				lastId ??= id;
				if (id !== lastId)
					throw new Error(`its last record is ${String(id)}, not ${String(lastId)}`);
				seconds[contender].push(taken);
				stand.say(`${about} ${taken.toFixed(2)} s`);
			} catch (error) {
				failures[contender] = messageOf(error);
				stand.say(`${about} failed: ${messageOf(error)}`);
				// An n8n that ran out of memory takes a moment to be gone.
				await wait(3_000);
			}
		}
	}
	await stand.sandbox.setLatency(0);
	return { records, pageSize, latencyMs, seconds, failures };
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
	const requests = await sandbox.takeRequestCount();
	const { records, pageSize } = sizes;
	if (pageSize !== null && requests !== Math.ceil(records / pageSize)) {
		throw new Error(`it sent ${requests} requests for ${records} records`);
	}
	return { taken: seconds, lastId: json.id };
}

async function timeFetchLoop(url: string, sizes: Sizes): Promise<RunAnswer> {
	const started = performance.now();
	const last = await readWithFetch(url, sizes);
	return { seconds: (performance.now() - started) / 1_000, json: last ?? {} };
}
