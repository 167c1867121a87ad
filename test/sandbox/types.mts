import type { ObjectType, RecordCounts } from './object-types.mts';
import type { CallName } from './routes-calls.mts';

export type { ObjectType } from './object-types.mts';

/** Date fields that a list by cursor can be sorted by. */
export type DateField = 'updated_at' | 'created_at';

/** Options of a sandbox, including the number of records of each object type. All are optional. */
export interface SandboxOptions extends RecordCounts {
	/** Port to listen on. The default 0 selects a free port. */
	port?: number;
	/** Delay before every API request is handled, in ms. */
	latencyMs?: number;
	/** Unusual behaviour of the service. None by default. */
	quirks?: Quirks;
}

/** Rate limit of the service. Requests above it get HTTP 429. */
export interface RateLimitSettings {
	algorithm: 'tokenBucket' | 'fixedWindow' | 'slidingWindow';
	/** Maximum number of requests per window. */
	requests: number;
	windowMs: number;
	/** Whether responses with HTTP 429 have a Retry-After header, in whole seconds. Default: true. */
	retryAfter?: boolean;
	/** Capacity of the token bucket, only for `tokenBucket`. Default: `requests`. */
	burst?: number;
}

/**
 * Unusual behaviour that the specification allows, and that the nodes must handle. All quirks are off by default.
 * README.md describes each quirk.
 */
export interface Quirks {
	rateLimit?: RateLimitSettings;
	silentPageCap?: number;
	fixedPageSize?: number;
	rejectPageSizeAbove?: { size: number; status: 400 | 413 | 422 | 429 };
	rejectPageSizeBelow?: number;
	hangPageSizeAbove?: number;
	cursorsCountPages?: boolean | 'ofLimit';
	cursorsBoundToLimit?: boolean;
	cursorsArePositions?: boolean;
	cursorsFreeze?: boolean;
	rowCap?: number;
	emptyPageAbove?: number;
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

/** API request that the sandbox received, without secrets. */
export interface LoggedRequest {
	/** Time of arrival, in ms since 1970. */
	at: number;
	method: string;
	path: string;
	query: Record<string, string>;
	/** Body as parsed JSON, or as text if it is not JSON. Null for a request without a body. */
	body: unknown;
	/** Headers with lower-case names. A credential is replaced by its label, and a workspace code by 'present'. */
	headers: Record<string, string>;
	/**
	 * Label of the credential, such as 'v2-full'. The label is 'unknown' for an unknown credential, and 'none' without
	 * one.
	 */
	credential: string;
	/**
	 * HTTP status of the response. It is 0 while the request is in flight, and 'dropped' if no complete response was
	 * sent.
	 */
	status: number | 'dropped';
	/** Number of requests in flight when this request arrived, including this request. */
	inFlight: number;
}

/** Change to an otherwise successful list response. */
export type FaultTransform =
	| 'dropItems'
	| 'dropPagination'
	| 'repeatCursor'
	| 'successFalse'
	| 'stuckPage';

/**
 * What a fault does with a request. It sends a scripted response, resets the connection before or after the request is
 * handled, never responds, sends half of the response, or only delays it.
 */
export type FaultAction =
	| 'respond'
	| 'reset'
	| 'resetAfterHandling'
	| 'hang'
	| 'truncate'
	| 'delay';

/**
 * Fault that a test adds to the sandbox. Each request gets the first matching fault, in the order in which the faults
 * were added.
 */
export interface Fault {
	/** HTTP method of matching requests. Default: any. */
	method?: string;
	/** Exact path of matching requests. Default: any. */
	path?: string;
	/** Text that the body of matching requests contains. Default: any. */
	bodyHas?: string;
	/** Number of matching requests that pass before the first one gets the fault. Default: 0. */
	skip?: number;
	/** Number of requests that get the fault. Default: 1. Infinity means all requests. */
	times?: number;
	/** HTTP status of the response if the action is 'respond'. Default: 500, or 200 for a fault with a body. */
	status?: number;
	headers?: Record<string, string>;
	/** Body to send. Text is sent unchanged, any other value as JSON. Default: an error in the format of the API. */
	body?: unknown;
	/** Content type of the response. Default application/json. */
	contentType?: string;
	/** What the fault does. Default: 'delay' if the fault sets only `transform` or `delayMs`, otherwise 'respond'. */
	action?: FaultAction;
	/** Delay before the action, in ms. */
	delayMs?: number;
	transform?: FaultTransform;
}

/**
 * Request data of the processed calls, by name of the call. Each entry of a list is one call that would be billed or
 * change data.
 */
export type ProcessedCalls = Record<CallName, unknown[]>;

/** Running sandbox, with controls for tests. */
export interface Sandbox extends RecordControls {
	/** Base URL without a trailing slash. */
	url: string;
	port: number;
	/** Logged requests, oldest first. */
	requests: LoggedRequest[];
	/** Clears the logged requests and the processed calls. */
	clearRequests(): void;
	addFault(fault: Fault): void;
	clearFaults(): void;
	/** Sets the delay before every API request, in ms. `jitterMs` returns an extra delay for each request. */
	setLatency(ms: number, jitterMs?: () => number): void;
	/** Replaces all quirks, and restarts the rate limit. */
	setQuirks(settings: Quirks): void;
	calls: ProcessedCalls;
	/** Records of the workspace that `sandboxCredentials.v2OtherWorkspace` belongs to. */
	otherWorkspace: RecordControls;
	stop(): Promise<void>;
}

/** Controls for the records of one workspace. */
export interface RecordControls {
	/**
	 * Yields every current record, sorted by id. Integers beyond 2^53 are of type bigint, which `serializeRecord` can
	 * write.
	 */
	records(objectType: ObjectType): Iterable<Record<string, unknown>>;
	count(objectType: ObjectType): number;
	/**
	 * Sets updated_at of all these records to the same new date, which is later than all other dates.
	 * @param lateMs if set, updated_at is this many ms before the sandbox's clock, and the clock does not advance. With
	 * 0, updated_at equals the newest date
	 * @throws for an unknown id, or if the clock has not yet advanced by `lateMs`
	 */
	update(objectType: ObjectType, ids: string[], lateMs?: number): void;
	/** Adds records and returns their ids. All get the same created_at and updated_at, later than all other dates. */
	create(objectType: ObjectType, howMany: number): string[];
	/** Removes records. Throws for an unknown id. */
	remove(objectType: ObjectType, ids: string[]): void;
	/** Restores removed records unchanged. Ids of existing records are ignored. */
	restore(objectType: ObjectType, ids: string[]): void;
}
