// nodes/client/: the service's API, and nothing of n8n's panel: requests, retries, the rate limiter, failures, secrets.

/** The path prefix of the service's API: `v1` with a developer access token, `v2` with a developer API key (docs/maintainers/api.md, Versions). */
export type ApiVersion = 'v1' | 'v2';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * What happens when a request arrives twice. `safe`: the same as once (whatever only reads). `acts`: it is done again
 * (whatever creates, changes or deletes). `billed`: it may be charged for again.
 */
export type RepeatRisk = 'safe' | 'acts' | 'billed';

/** The endpoint that reads the records of any object type: Record: Query and the trigger use it. */
export const RECORDS_QUERY = {
	endpoint: { method: 'POST', path: '/v2/public/records/query' },
	/** In words that complete "This operation needs …". */
	permission: 'an API key with Regular access',
} as const;

/** One request of the service's API, apart from how it is sent. */
export interface ApiRequest {
	method: HttpMethod;
	/** Path below the base URL, for example `/v2/public/companies`. */
	path: string;
	/** Query string values; arrays are repeated. */
	query?: Record<string, string | number | boolean | Array<string | number | boolean>>;
	/** JSON body. */
	body?: Record<string, unknown>;
	/** The JSON body as ready text, in place of `body`: the only form in which every digit of a number is safe. */
	bodyText?: string;
	risk: RepeatRisk;
	/** What its answer must hold to be one (`readListEnvelope`). */
	reads?: 'list';
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
