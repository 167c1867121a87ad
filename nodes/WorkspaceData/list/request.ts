import type { ApiRequest } from '../../client/api';
import type { PageRequest } from '../../client/pages';
import { endpointOf, type Task } from '../task';

/**
 * The request for one page of a list. Lists take their parameters in the address, Query in its body (docs/api.md,
 * List parameters).
 *
 * @param objectType sent where the user chooses it
 */
export function listRequest(
	task: Task,
	objectType: string | undefined,
	page: PageRequest,
): ApiRequest {
	const { method, path } = endpointOf(task);
	const risk = task.operation.repeat;
	if (method === 'GET') return { method, path, query: { ...page }, risk };
	const body: Record<string, unknown> = { object_type: objectType, ...page };
	// In cursor mode the sort is a date and needs its namespace and direction; in page mode it is the user's own.
	if ('sort' in page && !('page' in page)) body.sort = `standard:${page.sort}:asc`;
	return { method, path, body, risk };
}
