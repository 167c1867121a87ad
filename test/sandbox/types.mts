import type { ObjectType, RecordCounts } from './object-types.mts';
import type { CallName } from './routes-calls.mts';

export type { ObjectType } from './object-types.mts';

/** The two fields that cursors can be ordered by. */
export type DateField = 'updated_at' | 'created_at';

/** How to start a sandbox; every part is optional, the number of records of each kind too. */
export interface SandboxOptions extends RecordCounts {
	/** 0, the default, takes any free port. */
	port?: number;
	/** Default 127.0.0.1. */
	host?: string;
	/** The same seed gives the same records. Default 1. */
	seed?: number;
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
	/** Every answer says how many requests are left, in headers of this kind. Default: none. */
	announce?: 'RateLimit' | 'X-RateLimit' | 'X-RateLimit time';
}

/** The ways in which the sandbox can be less kind than it is by default. All are off when absent. */
export interface Unkindness {
	/** After so many requests: 429. */
	rateLimit?: RateLimitSettings;
	/** `page` in the body of the records query does nothing: it is always the first page. */
	pageInQueryIgnored?: boolean;
	/** At most so many records per page, while `page_size` repeats the limit that was asked for. */
	silentPageCap?: number;
	/** A larger `limit` is refused with this status. */
	refusePageSizeAbove?: { size: number; status: 400 | 413 | 422 | 429 };
	/** A larger `limit` is never answered. */
	hangPageSizeAbove?: number;
	/** A cursor knows its page by number: with another `limit` it leads to another record. */
	cursorsCountPages?: boolean;
	/** A cursor is refused (400) with another `limit` than the one that it was given for. */
	cursorsBoundToLimit?: boolean;
	/** A cursor is a position: it knows how many records came before it, and not which. */
	cursorsArePositions?: boolean;
	/** A cursor is refused to another key than the one that it was given to. */
	cursorsBoundToKey?: boolean;
	/** How such cursors, and those of `expireCursors`, are refused. Default 400. */
	deadCursorStatus?: 400 | 401 | 403 | 410 | 500;
	/** `limit` does nothing: every page holds so many records, and `page_size` says so. */
	pageSizeAlways?: number;
	/**
	 * The database gives at most so many rows, and says nothing. Cursor lists ask it for `limit` + 1 rows, to see
	 * whether more follow: where fewer come there is no next_cursor. In page mode the rest of each page is missing.
	 */
	rowCap?: number;
	/** A larger `limit` gets an empty page without next_cursor. */
	nothingAbove?: number;
	/** meta.pagination.total is left out, or an estimate: so many times the real one, rounded. */
	total?: 'absent' | { factor: number };
	/** In page mode: meta.pagination.total is so many, whatever there is. */
	totalInPages?: number;
	/**
	 * Before the page with the record at position `at` (from 0), cursor lists give so many empty pages, each with a
	 * new next_cursor.
	 */
	emptyPages?: { count: number; at: number };
	/** Lists by a date come newest first. */
	descending?: boolean;
	/** Each record has a signed `logo_url` that is another one in every answer. */
	changingField?: boolean;
	/** Every page holds up to so many more records than `limit`; the cursor is behind them all. */
	extraRecords?: number;
	/** `id` is a number: beyond 2^53, where neighbours differ in its last digits only, or a small one. */
	numericIds?: boolean | 'small';
	/** Every n-th record has no dates (null, or missing, in turn) until it is changed; they come first or last. */
	undated?: { every: number; place: 'first' | 'last' };
	/**
	 * Dates are numbers of seconds, milliseconds, microseconds or nanoseconds since 1970, or text without a fraction,
	 * without its Z, or without the zeros at the end of the fraction, so that lengths differ.
	 */
	dates?: 's' | 'ms' | 'us' | 'ns' | 'secondsText' | 'withoutZone' | 'withoutZeros';
	/** The key that was sent stands in ctx_id, error messages, unknown fields, and the cursor of failed answers. */
	echoSecrets?: boolean;
	/** Every API request is answered 307 to this origin, with the same path and query. */
	redirectTo?: string;
	/** Prospect has so many results, gives the first `limit` of them, and a next_cursor where more follow. */
	prospectTotal?: number;
	/** Answers come in parts of so many bytes, and nothing says how long they are. */
	bytesPerPart?: number;
	/** Lists and the records query take parameters of these names as well, and do nothing with them. */
	furtherParameters?: string[];
}

/** One API request as the sandbox saw it, without any secret. */
export interface LoggedRequest {
	/** Counts from 1 since the sandbox started, or was last cleared. */
	number: number;
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
	/** The newest requests, oldest first, at most 200,000. */
	requests: LoggedRequest[];
	/** Forgets the logged requests and the processed calls. */
	clearRequests(): void;
	addFault(fault: Fault): void;
	clearFaults(): void;
	/** Every cursor that was given so far is refused from now on, with the status of `deadCursorStatus`. */
	expireCursors(): void;
	/** Wait before every API request, in milliseconds. */
	setLatency(ms: number): void;
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
