import type { ServiceFailure } from './failures';
import type { MinuteQuota } from './minute-quota';
import type { RateLimiter } from './rate-limiter';

/** HTTP methods that requests and the option HTTP Method can have. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Effect of sending a request twice. `safe`: none, because the request only reads. `acts`: the service makes the same
 * change twice. `billed`: the service may charge twice.
 */
export type Repeat = 'safe' | 'acts' | 'billed';

/**
 * Endpoint that lists the records of any object type, used by several operations and the trigger
 * (docs/maintainers/api.md, Endpoints).
 */
export const RECORDS_QUERY = {
	endpoints: { v2: { method: 'POST', path: '/v2/public/records/query' } },
	/** Permission that the credential must have, as words for an error text. */
	permission: 'an API key with Regular access',
} as const;

/** Request to the service's API, without the Base URL and the headers. */
export interface ApiRequest {
	method: HttpMethod;
	path: string;
	/** Query parameters. An array becomes one parameter for each value. */
	query?: Record<string, string | number | boolean | Array<string | number | boolean>>;
	/** JSON body as an object. */
	body?: Record<string, unknown>;
	/** JSON body as text. It replaces `body` if numbers need more digits than JavaScript can hold. */
	bodyText?: string;
	repeat: Repeat;
	/** Set if the response must be a list with `data.items` and `meta.pagination`. `readListEnvelope` checks this. */
	expects?: 'list';
	/**
	 * Identifies the list that the request belongs to. The rate limiter counts all failed requests of one list as one
	 * failure.
	 */
	list?: object;
}

/** Response of the service. Its status is not checked yet, and its body is still text. */
export interface RawResponse {
	statusCode: number;
	/** Response headers, with names in lower case. */
	headers: Record<string, unknown>;
	text: string;
}

/** `meta.pagination` of a list response (docs/maintainers/api.md, Envelope). */
export interface Pagination {
	page: number;
	page_size: number;
	total: number;
	/** Cursor of the next page. Absent on the last page, and if the request had a page number. */
	next_cursor?: string;
}

/**
 * Body of a list response: `data` contains the records, and `meta` the pagination (docs/maintainers/api.md, Envelope).
 * `readListEnvelope` checks both.
 */
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
 * Wait of a request, for the log and for hints. `afterMs` is its length in ms. `retry` is the number of the retry that
 * follows, from 1; 0 if the request waits because of the option Requests per Minute.
 */
export type Wait = { afterMs: number; failure: ServiceFailure; retry: number };

/** Dependencies of a client: everything that uses n8n, the network, a clock or random numbers. Tests replace them. */
export interface ClientParts {
	transport: Transport;
	rateLimiter: RateLimiter;
	/** Quota for the option Requests per Minute. All clients of the n8n process share one quota. */
	minuteQuota: MinuteQuota;
	/** Key by which the quota counts the requests of this client: a digest of the Base URL and the API key or token. */
	quotaKey: string;
	/** Waits for a time in ms. The wait ends early if the signal is aborted. */
	sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
	/** Default abort signal, for requests without a signal of their own. */
	signal?: AbortSignal;
	/** Returns ms of a monotonic clock. The time of day could jump during a wait. */
	now: () => number;
	/** Returns the time of day in ms since 1970, to evaluate a `Retry-After` header that contains a date. */
	timeOfDay: () => number;
	/** Returns a random number, uniform in [0, 1). */
	random: () => number;
	/** Keys, tokens and workspace codes to hide in failures. */
	secrets: readonly string[];
	onWait: (wait: Wait) => void;
}

/**
 * Limits of one request and its retries. Most come from options of the node, the others from the code that reads a
 * list.
 */
export interface RequestLimits {
	/**
	 * Maximum number of retries after failures such as a timeout, after which the service may have processed the
	 * request.
	 */
	maxRetries: number;
	/** Maximum total wait between the attempts, in ms (option Retry For). */
	maxWaitMs: number;
	/**
	 * Maximum number of attempts that the service did not process, for example because of HTTP 429. Undefined means
	 * that only `maxWaitMs` limits these attempts.
	 */
	maxUnprocessed?: number;
	/** Timeout of one attempt, in ms. */
	timeoutMs: number;
	/** Maximum length of the response, in characters. A longer response is the failure `tooLong`. */
	maxCharacters?: number;
	/** Maximum number of requests per minute (option Requests per Minute). Undefined means no maximum. */
	maxPerMinute?: number;
	/**
	 * Deadline of the request in ms, by the clock of `ClientParts.now`. A retry does not start if its timeout could end
	 * after the deadline.
	 */
	endByMs?: number;
}

/** Successful response with its parsed body. It does not keep the text, which would double the memory. */
export interface ServiceResponse {
	/**
	 * HTTP status. Undefined for a cached result. The statuses 202 and 206 are successes, but their result is
	 * incomplete.
	 */
	statusCode?: number;
	body: unknown;
}

/** Successful response with its parsed body and its JSON text. */
export interface JsonResponse extends ServiceResponse {
	/** Body as the service sent it. The text keeps all digits of integers above 2^53, and the parsed body does not. */
	text: string;
	/**
	 * Time of the response by the service's clock, from the `Date` header, in ms since 1970. Undefined without this
	 * header.
	 */
	dateMs?: number;
}

/**
 * Sends a request, retries it after temporary failures if that is safe, and returns the successful response. Throws
 * ServiceFailure. An aborted signal ends waits and prevents further attempts, but does not interrupt an attempt that
 * was already sent.
 */
export type Client = (
	request: ApiRequest,
	limits: RequestLimits,
	signal?: AbortSignal,
) => Promise<JsonResponse>;
