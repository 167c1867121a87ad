import type { ServiceFailure } from './failures';
import type { MinuteQuota } from './minute-quota';
import type { RateLimiter } from './rate-limiter';

/** HTTP methods of requests. For some operations, the user chooses the method in the option HTTP Method. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Effect of sending a request twice. `safe`: none. `acts`: the same change again. `billed`: maybe a second charge. */
export type Repeat = 'safe' | 'acts' | 'billed';

/** Endpoint that lists records of any type, for Query, Sync and the trigger (docs/maintainers/api.md, Endpoints). */
export const RECORDS_QUERY = {
	endpoints: { v2: { method: 'POST', path: '/v2/public/records/query' } },
	/** Permission that the credential needs, as text for error messages. */
	permission: 'an API key with Regular access',
} as const;

/** Request to the service's API, without the Base URL and the headers. */
export interface ApiRequest {
	method: HttpMethod;
	path: string;
	/** Query parameters. An array becomes one parameter for each value. */
	query?: Record<string, string | number | boolean | Array<string | number | boolean>>;
	body?: Record<string, unknown>;
	/** JSON body as text. Used instead of `body` if a number has more digits than a JavaScript number can hold. */
	bodyText?: string;
	repeat: Repeat;
	/** Set if the response must be a list with `data.items` and `meta.pagination`. `readListEnvelope` checks this. */
	expects?: 'list';
	/** List that the request belongs to. The rate limiter counts all failed requests of one list as one failure. */
	list?: object;
}

/** Response of the service. Its status is not checked yet, and its body is still text. */
export interface RawResponse {
	statusCode: number;
	/** Response headers, with names in lower case. */
	headers: Record<string, unknown>;
	text: string;
}

/** The object `meta.pagination` of a list response (docs/maintainers/api.md, Envelope). */
export interface Pagination {
	page: number;
	page_size: number;
	total: number;
	/** Cursor of the next page. Absent on the last page, and in responses to requests by page number. */
	next_cursor?: string;
}

/** Body of a list response (docs/maintainers/api.md, Envelope). `readListEnvelope` checks that both members exist. */
export interface ListEnvelope {
	data: { items: Array<Record<string, unknown>>; [key: string]: unknown };
	meta: { pagination: Partial<Pagination>; ctx_id?: string; [key: string]: unknown };
	[key: string]: unknown;
}

/**
 * Sends a request once, without retries, and returns the response even if its status is an error. Throws ServiceFailure
 * if no complete response arrives, or if the service redirects.
 */
export type Transport = (
	request: ApiRequest,
	limits: Pick<RequestLimits, 'timeoutMs' | 'maxCharacters'>,
) => Promise<RawResponse>;

/**
 * Wait of a request, for the log and for hints. `afterMs`: length in ms. `retry`: number of the next retry, from 1, or
 * 0 if the option Requests per Minute causes the wait.
 */
export type Wait = { afterMs: number; failure: ServiceFailure; retry: number };

/** Dependencies of a client: everything that uses n8n, the network, a clock or random numbers. Tests replace them. */
export interface ClientParts {
	transport: Transport;
	rateLimiter: RateLimiter;
	/** Quota for the option Requests per Minute. All clients of the n8n process share one quota. */
	minuteQuota: MinuteQuota;
	/** Key of this client in the quota: a digest of the Base URL and the API key or token. */
	quotaKey: string;
	/** Waits for `ms` milliseconds, or until the signal is aborted. */
	sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
	/** Abort signal for requests that have no signal of their own. */
	signal?: AbortSignal;
	/** Returns the time of a monotonic clock in ms, because the time of day can jump during a wait. */
	now: () => number;
	/** Returns the time of day in ms since 1970. Needed for a `Retry-After` header that contains a date. */
	timeOfDay: () => number;
	/** Returns a random number that is at least 0 and less than 1. */
	random: () => number;
	/** Keys, tokens and workspace codes to hide in failures. */
	secrets: readonly string[];
	onWait: (wait: Wait) => void;
}

/** Limits for one request and its retries, from the node's options or from the code that reads a list. */
export interface RequestLimits {
	/** Maximum number of retries if the service may have processed the request, for example after a timeout. */
	maxRetries: number;
	/** Maximum total time that the request waits between its attempts, in ms (option Retry For). */
	maxWaitMs: number;
	/** Maximum number of unprocessed attempts, as after HTTP 429. If undefined, only `maxWaitMs` limits them. */
	maxUnprocessed?: number;
	/** Timeout of one attempt, in ms. */
	timeoutMs: number;
	/** Maximum length of the response, in characters. A longer response causes the failure `tooLong`. */
	maxCharacters?: number;
	/** Maximum number of requests per minute (option Requests per Minute). Undefined means unlimited. */
	maxPerMinute?: number;
	/** Latest end of the request in ms, by `ClientParts.now`. A retry that could time out later does not start. */
	endByMs?: number;
}

/** Successful response with its parsed body. The text of the body is not kept, to save memory. */
export interface ServiceResponse {
	/** HTTP status; undefined for a cached result. The statuses 202 and 206 mean success, but an incomplete result. */
	statusCode?: number;
	body: unknown;
}

/** Successful response with its parsed body and its JSON text. */
export interface JsonResponse extends ServiceResponse {
	/** Body as the service sent it. Unlike the parsed body, the text keeps all digits of integers above 2^53. */
	text: string;
	/** Time of the response by the service's clock (`Date` header), in ms since 1970. */
	dateMs?: number;
}

/**
 * Sends a request, and retries it after temporary failures if a retry is safe. Throws ServiceFailure. An aborted signal
 * ends waits and prevents further attempts, but does not interrupt an attempt.
 */
export type Client = (
	request: ApiRequest,
	limits: RequestLimits,
	signal?: AbortSignal,
) => Promise<JsonResponse>;
