import type { ApiRequest, HttpMethod } from './api';
import type { PageRequest } from './pages';

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
