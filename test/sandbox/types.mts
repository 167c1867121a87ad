import type { ObjectType, RecordCounts } from './object-types.mts';
import type { CallName } from './routes-calls.mts';

export type { ObjectType } from './object-types.mts';

/** The two fields that cursors can be ordered by. */
export type DateField = 'updated_at' | 'created_at';

/** How to start a sandbox; every part is optional, the number of records of each kind too. */
export interface SandboxOptions extends RecordCounts {
	/** 0, the default, takes any free port. */
	port?: number;
	/** Wait before every API request is handled, in milliseconds. */
	latencyMs?: number;
	/** What the specification allows and a client had better survive; none of it when absent. */
	unkind?: Unkindness;
}

/** A limit on requests, answered with 429. */
export interface RateLimitSettings {
	algorithm: 'tokenBucket' | 'fixedWindow' | 'slidingWindow';
	/** So many per window. */
	requests: number;
	windowMs: number;
	/** Whether the 429 says when to come back, in whole seconds. Default true. */
	retryAfter?: boolean;
	/** tokenBucket only: so many at once. Default: as many as `requests`. */
	burst?: number;
}

/** The ways in which the sandbox can be less kind than it is by default, off when absent: README.md says what each does. */
export interface Unkindness {
	rateLimit?: RateLimitSettings;
	silentPageCap?: number;
	fixedPageSize?: number;
	refusePageSizeAbove?: { size: number; status: 400 | 413 | 422 | 429 };
	refusePageSizeBelow?: number;
	hangPageSizeAbove?: number;
	cursorsCountPages?: boolean | 'ofLimit';
	cursorsBoundToLimit?: boolean;
	cursorsArePositions?: boolean;
	cursorsFreeze?: boolean;
	rowCap?: number;
	nothingAbove?: number;
	total?: 'absent' | 'onFirstPage' | { factor: number };
	hidden?: { every: number };
	emptyPages?: { count: number; at: number };
	descending?: boolean;
	trailingCursor?: boolean | 'toEmpty' | 'toItself' | 'toBeginning' | 'toNewRound' | 'toMiddle';
	cursorsInclusive?: boolean | 'date';
	shuffledTies?: boolean;
	extraRecords?: number;
	undated?: { every: number; place: 'first' | 'last' };
	prospectTotal?: number;
	furtherParameters?: string[];
}

/** One API request as the sandbox saw it, without any secret. */
export interface LoggedRequest {
	/** Time of arrival, milliseconds since 1970. */
	at: number;
	method: string;
	path: string;
	query: Record<string, string>;
	/** The parsed JSON, the raw text where it is not JSON, or null where there was none. */
	body: unknown;
	/** Lower-case names; the authorization value is the credential's label, the workspace code is 'present'. */
	headers: Record<string, string>;
	/** Label such as 'v2-full', 'unknown', or 'none'. */
	credential: string;
	/** 0 while under way; 'dropped' when no whole answer was sent. */
	status: number | 'dropped';
	/** Requests under way when this one arrived, itself included. */
	inFlight: number;
}

/** How an otherwise right list answer is altered. */
export type FaultTransform =
	| 'dropItems'
	| 'dropPagination'
	| 'repeatCursor'
	| 'successFalse'
	| 'stuckPage';

/** What a fault does instead of (or besides) the right answer. */
export type FaultAction =
	| 'respond'
	| 'reset'
	| 'resetAfterHandling'
	| 'hang'
	| 'truncate'
	| 'delay';

/** A scripted failure. Faults are tried in the order they were added; the first that applies is used. */
export interface Fault {
	/** Only requests with this method. */
	method?: string;
	/** Only requests for exactly this path. */
	path?: string;
	/** Only requests with this in their body. */
	bodyHas?: string;
	/** Let this many matching requests pass first. Default 0. */
	skip?: number;
	/** How many requests it applies to. Default 1; Infinity for all. */
	times?: number;
	/** For 'respond': default 500, or 200 when there is a body. */
	status?: number;
	headers?: Record<string, string>;
	/** A string is sent as it is, anything else as JSON; by default an error envelope. */
	body?: unknown;
	/** Default application/json. */
	contentType?: string;
	/** Default: 'respond', or none where there is a `transform`, or 'delay' where there is only a `delayMs`. */
	action?: FaultAction;
	/** Wait first, whatever the action, in milliseconds. */
	delayMs?: number;
	transform?: FaultTransform;
}

/** What the calls that were really processed sent: each would have been billed, or done twice. */
export type ProcessedCalls = Record<CallName, unknown[]>;

/** A running sandbox and its controls. */
export interface Sandbox extends RecordControls {
	/** Base URL without a trailing slash. */
	url: string;
	port: number;
	/** Oldest first. */
	requests: LoggedRequest[];
	/** Forgets the logged requests and the processed calls. */
	clearRequests(): void;
	addFault(fault: Fault): void;
	clearFaults(): void;
	/** Wait before every API request, in milliseconds, and how much longer before each. */
	setLatency(ms: number, jitterMs?: () => number): void;
	/** Replaces all unkind settings, and starts the counts of their limits anew. */
	setUnkind(settings: Unkindness): void;
	calls: ProcessedCalls;
	/** The records of the workspace that `sandboxCredentials.v2OtherWorkspace` belongs to. */
	otherWorkspace: RecordControls;
	stop(): Promise<void>;
}

/** The records of one workspace, and what tests do to them. */
export interface RecordControls {
	/** Every record as it is now, in order of id. Integers beyond 2^53 are bigint: see serializeRecord. */
	records(objectType: ObjectType): Iterable<Record<string, unknown>>;
	count(objectType: ObjectType): number;
	/**
	 * Gives these records one new updated_at, later than every existing one.
	 *
	 * @param lateMs so much before the sandbox's clock instead, which then stands still: 0 is the newest date again
	 * @throws on an unknown id, and where the clock has not gone on by so much
	 */
	update(objectType: ObjectType, ids: string[], lateMs?: number): void;
	/** Adds records, all with one created_at and updated_at later than every existing one; returns their ids. */
	create(objectType: ObjectType, howMany: number): string[];
	/** Removes records. Throws on an unknown id. */
	remove(objectType: ObjectType, ids: string[]): void;
	/** Brings removed records back as they were; those that are there stay. */
	restore(objectType: ObjectType, ids: string[]): void;
}
