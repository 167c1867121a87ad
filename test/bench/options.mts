import { parseArgs } from 'node:util';
import {
	largestPage,
	type ChangesCase,
	type MemoryCase,
	type ShortListsCase,
	type TimingCase,
	type WebhookLoad,
} from './types.mts';
import { RECORDS_OF_SHORT } from './workflows.mts';

/** Heap limit of the n8n that exports to files, in MB, as in a container with little memory. */
export const smallHeapMb = 420;

/** Cases by part. Each part can be measured alone. */
export interface Cases {
	time: TimingCase[];
	shortLists: ShortListsCase[];
	webhooks: WebhookLoad[];
	/** Numbers of records in the lists with a fault. */
	faults: number[];
	changes: ChangesCase[];
	memory: MemoryCase[];
}

const usage =
	'npm run bench -- [--only PART], which is time, shortLists, webhooks, faults, changes or memory';

const hundredThousand = { records: 100_000, latencyMs: 0 };
const twentyThousand = { records: 20_000, pageSize: 'default', latencyMs: 50, rounds: 5 } as const;
const besideLoop = (most: number) => ({ other: 'fetchLoop', most }) as const;
const besideHttp = (most: number) => ({ other: 'httpRequest', most }) as const;

const inFiles = { pageSize: null, heapMb: smallHeapMb };

/**
 * All cases. Each case checks a target or gives a number for the README. A case has more rounds if its measurements are
 * close to its target. Cases without latency need the most rounds, because two of their rounds can differ by a third.
 */
const full: Cases = {
	time: [
		// Without latency, only the comparison with the loop is useful, because every real service has some latency.
		{ ...hundredThousand, pageSize: 'default', rounds: 15, promises: [besideLoop(1.35)] },
		{ ...hundredThousand, pageSize: largestPage, rounds: 15, promises: [besideLoop(1.3)] },
		{ ...hundredThousand, pageSize: 100, rounds: 7, promises: [besideLoop(1.65)] },
		// This case is the last, because the first export after many seconds of waiting takes a quarter longer.
		{ ...twentyThousand, promises: [besideHttp(0.13), besideLoop(1.2)] },
	],
	shortLists: [{ lists: 200, records: RECORDS_OF_SHORT, latencyMs: 50, rounds: 6, most: 2 }],
	webhooks: [{ inFlight: 50, requests: 200, oneByOne: 40, rounds: 8 }],
	faults: [10_000],
	changes: [{ records: 20_000, pageSize: 100, changing: 500, rounds: 8 }],
	memory: [
		{ output: 'items', records: 100_000, pageSize: null },
		{ output: 'httpRequest', records: 100_000, pageSize: 100 },
		// The number of pages is checked only here, so the page size is fixed. In the other cases the node chooses it.
		{ output: 'pages', records: 100_000, pageSize: largestPage },
		{ output: 'csv', records: 100_000, ...inFiles },
		{ output: 'csv', records: 1_000_000, ...inFiles, most: 1.1 },
		{ output: 'ndjson', records: 100_000, ...inFiles },
		{ output: 'ndjson', records: 1_000_000, ...inFiles, most: 1.1 },
		{ output: 'ndjson', records: 10_000_000, ...inFiles, most: 1.1 },
	],
};

/** Returns the cases that the command line of `npm run bench` selects. Throws for an unknown option or part. */
export function readOptions(): Cases {
	const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
	if (only === undefined) return full;
	if (!(only in full)) throw new Error(usage);
	const noCases = Object.fromEntries(Object.keys(full).map((part) => [part, []]));
	return { ...(noCases as unknown as Cases), [only]: full[only as keyof Cases] };
}
