/** The kinds of record the sandbox holds. */
export const objectTypes = ['company', 'order', 'item', 'deal'] as const;

/** One kind of record. */
export type ObjectType = (typeof objectTypes)[number];

/** The two fields that cursors can be ordered by. */
export type DateField = 'updated_at' | 'created_at';

/** How to start a sandbox; every part is optional. */
export interface SandboxOptions {
	/** 0, the default, takes any free port. */
	port?: number;
	/** Default 127.0.0.1. */
	host?: string;
	/** The same seed gives the same records. Default 1. */
	seed?: number;
	/** Default 2503. */
	companies?: number;
	/** Default 1200. */
	orders?: number;
	/** Default 800. */
	items?: number;
	/** Default 300. */
	deals?: number;
	/** Wait before every API request is handled, in milliseconds. */
	latencyMs?: number;
	/** Requests per second before 429 is answered; no limit when absent. */
	requestsPerSecond?: number;
	/** A larger `limit` is lowered to this, and `page_size` says so; no maximum when absent. */
	maximumPageSize?: number;
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

/** Bodies (or queries) of the calls that were really processed, and so would have been billed. */
export interface ProcessedCalls {
	enrich: unknown[];
	score: unknown[];
	prospect: unknown[];
}

/** A running sandbox and its controls. */
export interface Sandbox {
	/** Base URL without a trailing slash. */
	url: string;
	port: number;
	/** The newest requests, oldest first, at most 200,000. */
	requests: LoggedRequest[];
	/** Forgets the logged requests and the processed calls. */
	clearRequests(): void;
	/** Adds a fault. Throws on a field or a value that is not known. */
	addFault(fault: Fault): void;
	clearFaults(): void;
	/** Wait before every API request, in milliseconds. */
	setLatency(ms: number): void;
	/** Requests per second, or undefined for no limit. */
	setRateLimit(requestsPerSecond: number | undefined): void;
	/** Every record as it is now, in order of id. Integers beyond 2^53 are bigint: see serializeRecord. */
	records(objectType: ObjectType): Iterable<Record<string, unknown>>;
	count(objectType: ObjectType): number;
	/** Gives these records one new updated_at, later than every existing one. Throws on an unknown id. */
	update(objectType: ObjectType, ids: string[]): void;
	/** Adds records, all with one created_at and updated_at later than every existing one; returns their ids. */
	create(objectType: ObjectType, howMany: number): string[];
	/** Removes records. Throws on an unknown id. */
	remove(objectType: ObjectType, ids: string[]): void;
	calls: ProcessedCalls;
	stop(): Promise<void>;
}
