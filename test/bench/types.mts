import type { describeMachine } from './machine.mts';

/** The ways of reading a list that are compared for time. */
export const contenders = ['node', 'httpRequest', 'fetchLoop'] as const;

/** One of the ways. */
export type Contender = (typeof contenders)[number];

/** The names that people read. */
export const contenderNames: Record<Contender, string> = {
	node: 'Workspace Data node',
	httpRequest: 'HTTP Request + Split Out',
	fetchLoop: 'bare fetch loop',
};

/** The outputs of the node that are compared for memory. */
export type Output = 'items' | 'pages' | 'ndjson' | 'csv';

/** The largest page that the sandbox accepts. */
export const largestPage = 1_000;

/** The page size of one contender; null is found out. */
export function pageSizeOf(
	contender: Contender,
	{ pageSize }: Pick<TimingCase, 'pageSize'>,
): number | null {
	if (pageSize !== 'default') return pageSize;
	// HTTP Request has to be told, as its documentation shows; the loop asks for all that it can get.
	return { node: null, httpRequest: 100, fetchLoop: largestPage }[contender];
}

/** What people read of the page size of a case. */
export function describePageSize({ pageSize }: Pick<TimingCase, 'pageSize'>): string {
	return pageSize === 'default' ? pageSize : pageSize.toLocaleString('en-US');
}

/** What is read in one timing. */
export interface TimingCase {
	records: number;
	/** How many records each contender asks for: all the same, or what people get who set nothing. */
	pageSize: number | 'default';
	/** It waits so long before each answer. */
	latencyMs: number;
	rounds: number;
	/** The most time of the node as a share of another's. */
	promises: ReadonlyArray<{ other: Contender; most: number }>;
}

/** A timing case with all its measurements. */
export interface TimingResult extends Omit<TimingCase, 'rounds'> {
	/** Of each round. */
	seconds: Record<Contender, number[]>;
}

/** The two that can do all of a user's work in n8n: only they answer webhooks and send calls. */
export const rivals = ['node', 'httpRequest'] as const;

/** One of those two. */
export type Rival = (typeof rivals)[number];

/** How a webhook is loaded. */
export interface WebhookLoad {
	/** Requests that wait for their answers at once. */
	inFlight: number;
	/** How many of those in one measurement. */
	requests: number;
	/** How many one at a time. */
	oneByOne: number;
	/** An even number, so that each of the two comes second as often. */
	rounds: number;
}

/** How fast a webhook was answered that sends one request to the service. */
export interface WebhookResult extends WebhookLoad {
	/** Answers per second in each round. */
	perSecond: Record<Rival, number[]>;
	/** The median of one at a time in each round. */
	milliseconds: Record<Rival, number[]>;
}

/** What can fail. */
export type FaultName = 'tooManyRequests' | 'brokenConnection' | 'lostAnswers';

/** What was counted where something failed: records that came out, or how often a call was processed. */
export interface FaultResult {
	name: FaultName;
	/** So many are read while something fails once. */
	records: number;
	counts: Record<Rival, number>;
}

/** How a list changes that a sync follows. */
export interface ChangesCase {
	records: number;
	pageSize: number;
	/** The same ones in every round. */
	changing: number;
	rounds: number;
}

/** How many requests that took, in each round. */
export interface ChangesResult extends ChangesCase {
	/** Of the run after the changes. */
	requests: number[];
	/** Of a run that finds nothing new, once the lookback window has passed. */
	quiet: number[];
}

/** What is read in one measurement of memory. */
export interface MemoryCase {
	/** `httpRequest`: as items, by HTTP Request and Split Out. */
	output: Output | 'httpRequest';
	records: number;
	/** Null is found out. */
	pageSize: number | null;
	/** V8's `--max-old-space-size` for n8n in MB; undefined leaves n8n's own. */
	heapMb?: number;
	/** What is promised: the most memory as a multiple of that of the output's first case. */
	most?: number;
}

/** One measurement of memory, in an n8n process of its own. */
export interface MemoryResult extends MemoryCase {
	/** Resident memory of the n8n process before the export, in MB. */
	baseMb: number;
	/** The most that it was during the export (VmHWM), in MB. */
	peakMb: number;
	/** Seconds of the export. */
	seconds: number;
	/** Files only: how many different ids they hold. */
	distinctIds?: number;
}

/** Everything that one run of the benchmark found. */
export interface Results {
	machine: Awaited<ReturnType<typeof describeMachine>>;
	timings: TimingResult[];
	webhooks?: WebhookResult;
	faults?: FaultResult[];
	changes: ChangesResult[];
	memory: MemoryResult[];
}
