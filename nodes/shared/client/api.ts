import type { ServiceFailure } from './failures';
import type { MinuteQuota } from './minute-quota';
import type { RateLimiter } from './rate-limiter';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Effect of a request that arrives twice: none (it only reads), the same change a second time, or a second charge. */
export type Repeat = 'safe' | 'acts' | 'billed';

/** Endpoint that reads the records of any object type, for Record: Query and the trigger. */
export const RECORDS_QUERY = {
	endpoints: { v2: { method: 'POST', path: '/v2/public/records/query' } },
	/** Words that complete the sentence "This operation needs …". */
	permission: 'an API key with Regular access',
} as const;

/** Request to the service's API, without the address and the headers. */
export interface ApiRequest {
	method: HttpMethod;
	path: string;
	/** Query parameters. An array becomes one parameter for each value. */
	query?: Record<string, string | number | boolean | Array<string | number | boolean>>;
	/** JSON body. `bodyText` replaces `body` if numbers must keep digits that JavaScript cannot hold. */
	body?: Record<string, unknown>;
	bodyText?: string;
	repeat: Repeat;
	/** Shape that the response must have, checked by `readListEnvelope`. */
	expects?: 'list';
	/** List that the request belongs to. The rate limiter counts all failed requests of a list as one. */
	list?: object;
}

/** Response of the service, not yet parsed or checked. */
export interface RawResponse {
	statusCode: number;
	/** Headers, with names in lower case. */
	headers: Record<string, unknown>;
	text: string;
}

/** `meta.pagination` of a list (docs/maintainers/api.md, Envelope). */
export interface Pagination {
	page: number;
	page_size: number;
	total: number;
	/** Cursor of the next page. Absent on the last page, and if pages are requested by number. */
	next_cursor?: string;
}

/** Response envelope of a list (docs/maintainers/api.md, Envelope), checked by `readListEnvelope`. */
export interface ListEnvelope {
	data: { items: Array<Record<string, unknown>>; [key: string]: unknown };
	meta: { pagination: Partial<Pagination>; ctx_id?: string; [key: string]: unknown };
	[key: string]: unknown;
}

/**
 * Sends one request once, and returns the response whatever its status is. Throws a ServiceFailure if there is no
 * complete response.
 */
export type Transport = (
	request: ApiRequest,
	limits: Pick<RequestLimits, 'timeoutMs' | 'maxCharacters'>,
) => Promise<RawResponse>;

/** A wait before a retry (counted from 1), or for Requests per Minute (`quotaExceeded`, retry 0). */
export type Wait = { afterMs: number; failure: ServiceFailure; retry: number };

/** Dependencies of a client: everything that uses n8n, the network or a clock. */
export interface ClientParts {
	transport: Transport;
	rateLimiter: RateLimiter;
	/**
	 * Quota of Requests per Minute, shared by all clients of the process, and the key that this client's requests count
	 * for.
	 */
	minuteQuota: MinuteQuota;
	quotaKey: string;
	/** Resolves after this time in ms, or as soon as the signal is aborted. */
	sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
	/** Signal for requests that have no signal of their own. */
	signal?: AbortSignal;
	/** Returns ms since any fixed moment. The clock must not be set during a wait, so this is not the time of day. */
	now: () => number;
	/** Returns ms since 1970, for a Retry-After that is a date. */
	timeOfDay: () => number;
	/** Returns a random number, uniform in [0, 1). */
	random: () => number;
	secrets: readonly string[];
	onWait: (wait: Wait) => void;
}

/** Limits of one request. Most come from the options under Requests, the others from the code that reads a list. */
export interface RequestLimits {
	/** Maximum number of retries after temporary errors that do not show whether the request was processed. */
	maxRetries: number;
	/** Retry For: longest total wait while the service surely does not process the request, in ms. */
	maxWaitMs: number;
	/** Maximum number of attempts that were surely not processed. Default: no maximum, only `maxWaitMs` counts. */
	maxUnprocessed?: number;
	/** Timeout of one attempt, in ms. */
	timeoutMs: number;
	/** Maximum length of a response. A longer response is not read to its end: ServiceFailure `tooLong`. */
	maxCharacters?: number;
	/** Requests per Minute. Requests with the same key start evenly. */
	maxPerMinute?: number;
	/**
	 * Time by the client's `now` at which the request must have ended. No attempt starts if its timeout could end
	 * later.
	 */
	endByMs?: number;
}

/** Status and parsed body of a success. The text is left out, because it needs as much memory again. */
export interface ServiceResponse {
	/** Status, absent for a cached result. 202 and 206 are successes too, but not final ones. */
	statusCode?: number;
	body: unknown;
}

/** JSON body of a success, together with its text. */
export interface JsonResponse extends ServiceResponse {
	/** Body as the service sent it. Only here does an integer above 2^53 have all its digits. */
	text: string;
	/** The service's clock, from the `Date` header, in ms since 1970. */
	dateMs?: number;
}

/**
 * Sends a request, retries it if that is allowed, and returns the response of its success. Throws a ServiceFailure.
 * After the signal is aborted, no attempt starts and no wait goes on, but an attempt under way continues.
 */
export type Client = (
	request: ApiRequest,
	limits: RequestLimits,
	signal?: AbortSignal,
) => Promise<JsonResponse>;
