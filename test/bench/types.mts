import type { describeMachine } from './machine.mts';

/**
 * Contenders: the programs whose times for reading a list are compared. `fetchLoop` is a Node.js script without n8n.
 */
export const contenders = ['node', 'httpRequest', 'fetchLoop'] as const;

export type Contender = (typeof contenders)[number];

/** Names of the contenders in docs/maintainers/benchmarks.md. */
export const contenderNames: Record<Contender, string> = {
	node: 'Workspace Data node',
	httpRequest: 'HTTP Request + Split Out',
	fetchLoop: 'bare fetch loop',
};

/** Values of the node's parameter Output As, whose memory is compared. */
export type Output = 'items' | 'pages' | 'ndjson' | 'csv';

/** Maximum page size that the sandbox (the simulated service) accepts. */
export const largestPage = 1_000;

/** Returns the page size of a contender in a time measurement. Null lets the node choose the page size. */
export function pageSizeOf(
	contender: Contender,
	{ pageSize }: Pick<TimingCase, 'pageSize'>,
): number | null {
	if (pageSize !== 'default') return pageSize;
	// HTTP Request has no default page size, so it uses 100, a sample value of the specification (section 8). The fetch
	// loop uses the maximum.
	return { node: null, httpRequest: 100, fetchLoop: largestPage }[contender];
}

/** Returns the page size of a time measurement as text. */
export function describePageSize({ pageSize }: Pick<TimingCase, 'pageSize'>): string {
	return pageSize === 'default' ? pageSize : pageSize.toLocaleString('en-US');
}

/** One case of the time measurement: how many records are read, and how. */
export interface TimingCase {
	records: number;
	/** Page size of all contenders. 'default' lets each contender use its own default. */
	pageSize: number | 'default';
	/** Time in ms that the service waits before each response. */
	latencyMs: number;
	rounds: number;
	/** Targets: the node's time is at most `most` times the time of the other contender. */
	promises: ReadonlyArray<{ other: Contender; most: number }>;
}

/** One case of the time measurement, with its results. */
export interface TimingResult extends Omit<TimingCase, 'rounds'> {
	/** Seconds that each contender took, by round. */
	seconds: Record<Contender, number[]>;
}

/**
 * Contenders that run inside n8n. Measurements that need a workflow, such as those of webhooks, compare only these two.
 */
export const n8nNodes = ['node', 'httpRequest'] as const;

export type Rival = (typeof n8nNodes)[number];

/** Requests that the benchmark sends to a webhook of n8n. */
export interface WebhookLoad {
	/** Number of requests in flight at the same time. */
	inFlight: number;
	/** Number of requests in one measurement with many requests in flight. */
	requests: number;
	/** Number of requests that are sent one after the other. */
	oneByOne: number;
	/** Number of rounds. Must be even, so that each contender runs first as often as second. */
	rounds: number;
}

/** Speed of an n8n webhook whose workflow sends one request to the service. */
export interface WebhookResult extends WebhookLoad {
	/** Responses per second of the webhook, by round. */
	perSecond: Record<Rival, number[]>;
	/** Median response time in ms of the requests that are sent one after the other, by round. */
	milliseconds: Record<Rival, number[]>;
}

/** One case of short lists. The workflow reads one list for each input item, with one request each. */
export interface ShortListsCase {
	lists: number;
	/** Number of lists that the node reads in parallel. */
	listsAtOnce: number;
	/** Number of records in each list. */
	records: number;
	/** Time in ms that the service waits before each response. */
	latencyMs: number;
	rounds: number;
	/**
	 * Target: the node's time is at most this multiple of the least time that `listsAtOnce` lists at a time can take.
	 */
	most: number;
}

/** One case of short lists, with its results. */
export interface ShortListsResult extends ShortListsCase {
	/** Seconds that each contender took, by round. */
	seconds: Record<Rival, number[]>;
}

/** Failures of the service that the benchmark simulates. */
export type FaultName = 'tooManyRequests' | 'brokenConnection' | 'lostAnswers';

/** Result of a simulated failure: the number of returned records, or how often the service processed a call. */
export interface FaultResult {
	name: FaultName;
	/** Number of records in the list. One request for the list fails. */
	records: number;
	counts: Record<Rival, number>;
}

/** Long list whose records change while Sync follows it. */
export interface ChangesCase {
	records: number;
	pageSize: number;
	/** Number of records that change in each round. The same records change every time. */
	changing: number;
	rounds: number;
}

/** Numbers of requests that Sync sent, by round. */
export interface ChangesResult extends ChangesCase {
	/** Number of requests of the run that returns the changes, for each round. */
	requests: number[];
	/**
	 * Number of requests of a later run, which finds no changes, for each round. The lookback window has passed by
	 * then.
	 */
	quiet: number[];
}

/** One case of the memory measurement. */
export interface MemoryCase {
	/** Output As of the node. `httpRequest` stands for items that HTTP Request and Split Out return. */
	output: Output | 'httpRequest';
	records: number;
	/** Page size of the list. Null lets the node choose the page size. */
	pageSize: number | null;
	/** Limit of n8n's heap in MB (`--max-old-space-size` of V8). Default: n8n's own limit. */
	heapMb?: number;
	/** Target: maximum peak of memory, as a multiple of the peak of the first case with the same output. */
	most?: number;
}

/** Result of a memory measurement in a separate n8n process. */
export interface MemoryResult extends MemoryCase {
	/** Resident memory of the n8n process before the export, in MB. */
	baseMb: number;
	/** Peak of resident memory during the export (VmHWM), in MB. */
	peakMb: number;
	/** Duration of the export in seconds. */
	seconds: number;
	/** Number of distinct record ids in the exported files. Undefined if the output is not files. */
	distinctIds?: number;
}

/** Results of one run of the benchmark. Parts that were not measured are missing or empty. */
export interface Results {
	machine: Awaited<ReturnType<typeof describeMachine>>;
	timings: TimingResult[];
	shortLists?: ShortListsResult;
	webhooks?: WebhookResult;
	faults?: FaultResult[];
	changes: ChangesResult[];
	memory: MemoryResult[];
}
