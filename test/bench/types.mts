import type { describeMachine } from './machine.mts';

/** Ways of reading a list whose times are compared. */
export const contenders = ['node', 'httpRequest', 'fetchLoop'] as const;

export type Contender = (typeof contenders)[number];

/** Names of the contenders in texts. */
export const contenderNames: Record<Contender, string> = {
	node: 'Workspace Data node',
	httpRequest: 'HTTP Request + Split Out',
	fetchLoop: 'bare fetch loop',
};

/** Outputs of the node whose memory is compared. */
export type Output = 'items' | 'pages' | 'ndjson' | 'csv';

/** Maximum page size that the sandbox accepts. */
export const largestPage = 1_000;

/** Returns the page size of a contender. Null if the node chooses it. */
export function pageSizeOf(
	contender: Contender,
	{ pageSize }: Pick<TimingCase, 'pageSize'>,
): number | null {
	if (pageSize !== 'default') return pageSize;
	// HTTP Request needs a page size, here the value in its documentation. The loop requests the maximum.
	return { node: null, httpRequest: 100, fetchLoop: largestPage }[contender];
}

/** Returns the page size of a case as text. */
export function describePageSize({ pageSize }: Pick<TimingCase, 'pageSize'>): string {
	return pageSize === 'default' ? pageSize : pageSize.toLocaleString('en-US');
}

/** Case of a time measurement. */
export interface TimingCase {
	records: number;
	/** Page size of all contenders, or the size that each contender has with default settings. */
	pageSize: number | 'default';
	/** Wait of the service before each response, in ms. */
	latencyMs: number;
	rounds: number;
	/** Targets: the maximum time of the node as a multiple of another contender's time. */
	promises: ReadonlyArray<{ other: Contender; most: number }>;
}

/** Case of a time measurement with all its results. */
export interface TimingResult extends Omit<TimingCase, 'rounds'> {
	/** Seconds of each round. */
	seconds: Record<Contender, number[]>;
}

/** Contenders that can do all of a user's work in n8n. Only these respond to webhooks and send calls. */
export const rivals = ['node', 'httpRequest'] as const;

export type Rival = (typeof rivals)[number];

/** Load on a webhook. */
export interface WebhookLoad {
	/** Number of requests in flight. */
	inFlight: number;
	/** Number of requests in one measurement with many requests in flight. */
	requests: number;
	/** Number of requests that are sent one at a time. */
	oneByOne: number;
	/** Number of rounds. It is even, so that both contenders are second equally often. */
	rounds: number;
}

/** Speed of a webhook that sends one request to the service. */
export interface WebhookResult extends WebhookLoad {
	/** Responses per second in each round. */
	perSecond: Record<Rival, number[]>;
	/** Median time of the requests sent one at a time, in each round. */
	milliseconds: Record<Rival, number[]>;
}

/** Short lists: one for each input item, with one request each. */
export interface ShortListsCase {
	lists: number;
	/** Records of each list. */
	records: number;
	/** Wait of the service before each response, in ms. */
	latencyMs: number;
	rounds: number;
	/** Target: the maximum time of the node as a multiple of the time of HTTP Request. */
	most: number;
}

/** Case of short lists with all its measurements. */
export interface ShortListsResult extends ShortListsCase {
	/** Seconds of each round. */
	seconds: Record<Rival, number[]>;
}

/** Kinds of faults. */
export type FaultName = 'tooManyRequests' | 'brokenConnection' | 'lostAnswers';

/** Counts during a fault: the records that arrived, or how often a call was processed. */
export interface FaultResult {
	name: FaultName;
	/** Number of records in the list with the fault. */
	records: number;
	counts: Record<Rival, number>;
}

/** List that changes while a sync follows it. */
export interface ChangesCase {
	records: number;
	pageSize: number;
	/** Number of records that change, the same in every round. */
	changing: number;
	rounds: number;
}

/** Numbers of requests, by round. */
export interface ChangesResult extends ChangesCase {
	/** Requests of the run after the changes. */
	requests: number[];
	/** Requests of a run that finds nothing new after the lookback window. */
	quiet: number[];
}

/** Case of a memory measurement. */
export interface MemoryCase {
	/** Output. `httpRequest` means items from HTTP Request and Split Out. */
	output: Output | 'httpRequest';
	records: number;
	/** Page size. Null if the node chooses it. */
	pageSize: number | null;
	/** V8's `--max-old-space-size` for n8n in MB. Default: the limit of n8n. */
	heapMb?: number;
	/** Target: maximum memory as a multiple of the memory of the output's first case. */
	most?: number;
}

/** Memory measurement in a separate n8n process. */
export interface MemoryResult extends MemoryCase {
	/** Resident memory of the n8n process before the export, in MB. */
	baseMb: number;
	/** Peak of resident memory during the export (VmHWM), in MB. */
	peakMb: number;
	/** Duration of the export in seconds. */
	seconds: number;
	/** Number of distinct ids in the files. Undefined for other outputs. */
	distinctIds?: number;
}

/** Results of one run of the benchmark. */
export interface Results {
	machine: Awaited<ReturnType<typeof describeMachine>>;
	timings: TimingResult[];
	shortLists?: ShortListsResult;
	webhooks?: WebhookResult;
	faults?: FaultResult[];
	changes: ChangesResult[];
	memory: MemoryResult[];
}
