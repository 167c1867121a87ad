// nodes/client/: the service's API, and nothing of n8n's panel: requests, retries, pace, pages, failures, secrets.

import type { PageRequest } from './pages';

/** The path prefix of the service's API: `v1` with a developer access token, `v2` with a developer API key (docs/maintainers/api.md, Versions). */
export type ApiVersion = 'v1' | 'v2';

/** The HTTP methods that an operation may use. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * What happens when a request arrives twice. `safe`: the same as once (whatever only reads). `acts`: the service
 * does its work again (whatever creates, changes or deletes). `billed`: it may charge for each one.
 */
export type RepeatRisk = 'safe' | 'acts' | 'billed';

/** The endpoint that reads the records of any object type: Record: Query and the trigger use it. */
export const RECORDS_QUERY = {
	endpoint: { method: 'POST', path: '/v2/public/records/query' },
	/** In words that complete "This operation needs …". */
	permission: 'an API key with Regular access',
} as const;

/** What a service answers beyond its rate limit. Whatever depends on that asks `isRateLimit`, or goes by this list. */
export const RATE_LIMIT_STATUSES: readonly number[] = [429];

/** True for a request that was one too many in its time: nothing was done with it, and later it may be accepted. */
export function isRateLimit(statusCode: number | undefined): boolean {
	return statusCode !== undefined && RATE_LIMIT_STATUSES.includes(statusCode);
}

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
}

/** An answer of the service as it came, before anything was read into it. */
export interface RawResponse {
	statusCode: number;
	/** Header names in lower case. */
	headers: Record<string, unknown>;
	/** The body as text. */
	text: string;
}

/** `meta.pagination` (docs/maintainers/api.md, Envelope). */
export interface Pagination {
	page: number;
	page_size: number;
	total: number;
	/** Absent on the last page, and in page mode. */
	next_cursor?: string;
	/** Not the service's: how many records this package cut off the page, which then has no next cursor. */
	records_left_out?: number;
}

/** The response envelope of a list (docs/maintainers/api.md, Envelope), checked by `readListEnvelope`. */
export interface ListEnvelope {
	success?: boolean;
	data: { items: Array<Record<string, unknown>>; [key: string]: unknown };
	meta: { pagination: Partial<Pagination>; ctx_id?: string; [key: string]: unknown };
	[key: string]: unknown;
}

/** A list of the service, and what every request for a page of it carries. */
export interface ListSource {
	endpoint: { readonly method: HttpMethod; readonly path: string };
	/** For the records query: which records. */
	objectType?: string;
	/** Parameters of the user's own, sent with every page. */
	additional?: Readonly<Record<string, unknown>>;
}

/** Names that lists and the records query need for themselves (docs/maintainers/api.md, List parameters). */
export const LIST_PARAMETERS = ['page', 'limit', 'sort', 'cursor', 'object_type'] as const;

/**
 * The request for one page of a list. Lists have their parameters in the address, the records query in its body.
 *
 * @param sortsByDate whether `page.sort` is a date, which needs its namespace and direction in the records query; else
 *                    it is the user's own
 */
export function listRequest(
	{ endpoint, objectType, additional }: ListSource,
	page: PageRequest,
	sortsByDate = !('page' in page),
): ApiRequest {
	const { method, path } = endpoint;
	if (method === 'GET') {
		return { method, path, query: { ...additional, ...page } as ApiRequest['query'], risk: 'safe' };
	}
	const body: Record<string, unknown> = { object_type: objectType, ...additional, ...page };
	if ('sort' in page && sortsByDate) body.sort = `standard:${page.sort}:asc`;
	return { method, path, body, risk: 'safe' };
}
