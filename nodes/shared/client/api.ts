import type { ServiceFailure } from './failures';
import type { MinuteQuota } from './minute-quota';
import type { RateLimiter } from './rate-limiter';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a request does that arrives twice: no more than one (it only reads), the same again, or a second charge. */
export type Repeat = 'safe' | 'acts' | 'billed';

/** The endpoint that reads the records of any object type: Record: Query and the trigger use it. */
export const RECORDS_QUERY = {
	endpoints: { v2: { method: 'POST', path: '/v2/public/records/query' } },
	/** In words that complete "This operation needs …". */
	permission: 'an API key with Regular access',
} as const;

/** One request of the service's API, apart from how it is sent. */
export interface ApiRequest {
	method: HttpMethod;
	path: string;
	/** Arrays are repeated. */
	query?: Record<string, string | number | boolean | Array<string | number | boolean>>;
	/** The JSON body, or instead of it `bodyText`: the only form in which every digit of a number is safe. */
	body?: Record<string, unknown>;
	bodyText?: string;
	repeat: Repeat;
	/** What its answer must hold to be one (`readListEnvelope`). */
	reads?: 'list';
	/** The list that the request belongs to: all its requests count as one if the service does not accept them. */
	of?: object;
}

/** An answer of the service as it came, before anything was read into it. */
export interface RawResponse {
	statusCode: number;
	/** Header names in lower case. */
	headers: Record<string, unknown>;
	text: string;
}

/** `meta.pagination` (docs/maintainers/api.md, Envelope). */
export interface Pagination {
	page: number;
	page_size: number;
	total: number;
	/** Absent on the last page, and in page mode. */
	next_cursor?: string;
}

/** The response envelope of a list (docs/maintainers/api.md, Envelope), checked by `readListEnvelope`. */
export interface ListEnvelope {
	data: { items: Array<Record<string, unknown>>; [key: string]: unknown };
	meta: { pagination: Partial<Pagination>; ctx_id?: string; [key: string]: unknown };
	[key: string]: unknown;
}

/** Sends one request once. Throws a ServiceFailure when there is no complete answer; any status is an answer. */
export type Transport = (
	request: ApiRequest,
	limits: Pick<RequestLimits, 'timeoutMs' | 'maxCharacters'>,
) => Promise<RawResponse>;

/** A wait that the user is notified of: before a retry, counted from 1, or for the user's own bound (`quotaExceeded`). */
export type Wait = { afterMs: number; failure: ServiceFailure; retry: number };

/** What a client is made of; everything that touches n8n, the network or the clock is passed in. */
export interface ClientParts {
	transport: Transport;
	rateLimiter: RateLimiter;
	/** Requests per Minute, shared by all clients of the process, and the key that this client's requests count for. */
	minuteQuota: MinuteQuota;
	quotaKey: string;
	/** Resolves after that many ms, or at once when the signal is aborted. */
	sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
	/** Of requests that have no signal of their own. */
	signal?: AbortSignal;
	/** Milliseconds that have gone by since some moment. Not the time of day, which may be set back during a wait. */
	now: () => number;
	/** Milliseconds since 1970, for a Retry-After that is a date. */
	timeOfDay: () => number;
	/** Uniform in [0, 1). */
	random: () => number;
	secrets: readonly string[];
	onWait: (wait: Wait) => void;
}

/** What one request may take: the user says most of it (Requests), the reader of a list the rest. */
export interface RequestLimits {
	/** Retries after temporary errors, which leave open whether the request was processed. */
	maxRetries: number;
	/** Longest time to wait, in all, while the service surely does not process the request, in ms. */
	maxWaitMs: number;
	/** Most attempts that are surely not processed; by default time alone is the bound. */
	maxUnprocessed?: number;
	/** For one attempt. */
	timeoutMs: number;
	/** An answer of more characters is not read to its end: ServiceFailure `tooLong`. */
	maxCharacters?: number;
	/** Requests per Minute: requests with this key start evenly, so many per minute. */
	maxPerMinute?: number;
	/** By when it must have ended, by the client's `now`: it waits for no attempt that could take longer than until then. */
	endByMs?: number;
}

/** Status and parsed body of a success. The text is left out, because it needs as much memory again. */
export interface ServiceResponse {
	/** 202 and 206 are successes too, but not final ones. A kept result has no status. */
	statusCode?: number;
	body: unknown;
}

/** The JSON body of a success, with the text it was read from. */
export interface JsonResponse extends ServiceResponse {
	/** The body as the service sent it: the only place where an integer beyond 2^53 still has all its digits. */
	text: string;
}

/**
 * Sends a request, again where that is allowed, and returns the answer of its success. Once the signal is aborted, nothing
 * more is sent or waited for; what is under way ends as it would.
 */
export type Client = (
	request: ApiRequest,
	limits: RequestLimits,
	signal?: AbortSignal,
) => Promise<JsonResponse>;
