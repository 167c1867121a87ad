import { median } from './statistics.mts';
import type { MemoryResult, Results, TimingResult } from './types.mts';

/** What the node promises about exports, and whether a run of the benchmark bears it out. */
export interface PromiseResult {
	promise: string;
	/** What was measured. */
	measured: string;
	kept: boolean;
}

/** Most time of the node as a share of the other's, at 100,000 records and page size 100. */
const timePromises = [
	{ other: 'httpRequest', name: 'HTTP Request + Split Out', most: 0.35 },
	{ other: 'fetchLoop', name: 'a bare fetch loop', most: 1.6 },
] as const;
/** Files of 1,000,000 records may need this much more memory than files of 100,000. */
const mostMemoryGrowth = 1.1;

/** The promises that these results can say something about. */
export function promisesOf({ timings, memory }: Results): PromiseResult[] {
	const timing = timings.find(
		({ records, pageSize, latencyMs }) =>
			records === 100_000 && pageSize === 100 && latencyMs === 0,
	);
	return [
		...(timing === undefined ? [] : timePromises.map((promise) => timeResult(timing, promise))),
		...(['ndjson', 'csv'] as const).flatMap((output) => memoryResult(memory, output)),
	];
}

function timeResult(
	{ seconds }: TimingResult,
	{ other, name, most }: (typeof timePromises)[number],
): PromiseResult {
	const ratio = median(seconds.node) / median(seconds[other]);
	return {
		promise: `100,000 records at page size 100 take at most ${most} × the time of ${name}`,
		measured: `${ratio.toFixed(3)} ×`,
		kept: ratio <= most,
	};
}

function memoryResult(memory: readonly MemoryResult[], output: 'ndjson' | 'csv'): PromiseResult[] {
	const find = (records: number): MemoryResult | undefined =>
		memory.find((result) => result.output === output && result.records === records);
	const [small, large] = [find(100_000), find(1_000_000)];
	if (small === undefined || large === undefined) return [];
	const growth = large.peakMb / small.peakMb;
	return [
		{
			promise: `1,000,000 records as ${output.toUpperCase()} files, each in them once, need at most ${mostMemoryGrowth} × the memory of 100,000`,
			measured: `${growth.toFixed(3)} ×`,
			kept: large.failed === undefined && growth <= mostMemoryGrowth,
		},
	];
}
