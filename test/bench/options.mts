import { parseArgs } from 'node:util';
import {
	largestPage,
	type ChangesCase,
	type MemoryCase,
	type TimingCase,
	type WebhookLoad,
} from './types.mts';

/** Heap of the n8n that exports to files, in MB: what a container with little memory would give it. */
export const smallHeapMb = 420;

/** What is measured, by the parts that can be measured alone. */
export interface Cases {
	time: TimingCase[];
	webhooks: WebhookLoad[];
	/** How many records the list with a fault holds. */
	faults: number[];
	changes: ChangesCase[];
	memory: MemoryCase[];
}

const usage = 'npm run bench -- [--only PART], which is time, webhooks, faults, changes or memory';

const hundredThousand = { records: 100_000, latencyMs: 0 };
const twentyThousand = { records: 20_000, pageSize: 'default', latencyMs: 50, rounds: 5 } as const;
const besideLoop = (most: number) => ({ other: 'fetchLoop', most }) as const;
const besideHttp = (most: number) => ({ other: 'httpRequest', most }) as const;

const inFiles = { pageSize: null, heapMb: smallHeapMb };

/**
 * Every case is there for a promise, or for README. The rounds are what the promise leaves room for: without latency one
 * round differs from the next by a third, and the promises about the largest pages and the default are decided by a few
 * hundredths.
 */
const full: Cases = {
	time: [
		// Without latency the loop alone is a measure: no service answers in no time.
		{ ...hundredThousand, pageSize: 'default', rounds: 15, promises: [besideLoop(1.35)] },
		{ ...hundredThousand, pageSize: largestPage, rounds: 15, promises: [besideLoop(1.3)] },
		{ ...hundredThousand, pageSize: 100, rounds: 7, promises: [besideLoop(1.65)] },
		// Last, since the first export after many seconds of waiting takes a quarter longer.
		{ ...twentyThousand, promises: [besideHttp(0.13), besideLoop(1.2)] },
	],
	webhooks: [{ inFlight: 50, requests: 200, oneByOne: 40, rounds: 8 }],
	faults: [10_000],
	changes: [{ records: 20_000, pageSize: 100, changing: 500, rounds: 8 }],
	memory: [
		{ output: 'items', records: 100_000, pageSize: null },
		{ output: 'httpRequest', records: 100_000, pageSize: 100 },
		// So many pages are expected; the others find their size out.
		{ output: 'pages', records: 100_000, pageSize: largestPage },
		{ output: 'csv', records: 100_000, ...inFiles },
		{ output: 'csv', records: 1_000_000, ...inFiles, most: 1.1 },
		{ output: 'ndjson', records: 100_000, ...inFiles },
		{ output: 'ndjson', records: 1_000_000, ...inFiles, most: 1.1 },
		{ output: 'ndjson', records: 10_000_000, ...inFiles, most: 1.1 },
	],
};

/** What the command line of `npm run bench` asks for. Throws for an unknown option or part. */
export function readOptions(): Cases {
	const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
	if (only === undefined) return full;
	if (!(only in full)) throw new Error(usage);
	const none: Cases = { time: [], webhooks: [], faults: [], changes: [], memory: [] };
	return { ...none, [only]: full[only as keyof Cases] };
}
