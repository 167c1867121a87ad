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

/** Limit of V8's heap in MB for an n8n that exports large lists, as in a container with little memory. */
export const smallHeapMb = 420;

/** Cases of the benchmark by part. `--only` selects one part. */
export interface Cases {
	time: TimingCase[];
	shortLists: ShortListsCase[];
	webhooks: WebhookLoad[];
	/** Numbers of records in the lists during whose export a request fails. */
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
 * All cases of the benchmark. Each case checks a target or gives a number for the README. A case has more rounds if its
 * result is close to its target. Cases without latency have the most rounds, because their times vary by up to a third.
 */
const full: Cases = {
	time: [
		// Compare cases without latency only with the fetch loop, because real services always have some latency.
		{ ...hundredThousand, pageSize: 'default', rounds: 15, promises: [besideLoop(1.35)] },
		{ ...hundredThousand, pageSize: largestPage, rounds: 15, promises: [besideLoop(1.3)] },
		{ ...hundredThousand, pageSize: 100, rounds: 7, promises: [besideLoop(1.65)] },
		// Keep this case last: after many seconds without work, the next export takes a quarter longer.
		{ ...twentyThousand, promises: [besideHttp(0.13), besideLoop(1.2)] },
	],
	shortLists: [
		{ lists: 200, listsAtOnce: 5, records: RECORDS_OF_SHORT, latencyMs: 50, rounds: 6, most: 1.3 },
	],
	webhooks: [{ inFlight: 50, requests: 200, oneByOne: 40, rounds: 8 }],
	faults: [10_000],
	changes: [{ records: 20_000, pageSize: 100, changing: 500, rounds: 8 }],
	memory: [
		{ output: 'items', records: 100_000, pageSize: null },
		{ output: 'httpRequest', records: 100_000, pageSize: 100 },
		// Use a fixed page size, because this case checks the number of pages. In other cases the node chooses the page
		// size.
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
