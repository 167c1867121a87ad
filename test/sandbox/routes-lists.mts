import { ApiError, badRequest } from './api-error.mts';
import { encodeCursor } from './cursors.mts';
import { isObjectType } from './dataset.mts';
import {
	bodyObject,
	envelope,
	rejectUnknown,
	type ApiCall,
	type Endpoint,
	type Pagination,
} from './endpoint.mts';
import { pageOf, totalOf } from './list-page.mts';
import { planList, readListBody, readListQuery, type ListRequest } from './list-plan.mts';
import {
	objectTypeNames,
	objectTypes,
	type ObjectType,
	type ObjectTypeRow,
} from './object-types.mts';
import { recordsWith, type ListedTable } from './filtered-table.mts';

function listParameters({ quirks }: ApiCall, filters: readonly string[] = []): string[] {
	return ['page', 'limit', 'sort', 'cursor', ...filters, ...(quirks.furtherParameters ?? [])];
}

/**
 * Returns the records of an object type that match the filters in the query or body (`values`). Returns all records if
 * there are no filters.
 */
function filteredTable(
	call: ApiCall,
	objectType: ObjectType,
	values: Record<string, unknown>,
): ListedTable {
	const { filters = [] }: ObjectTypeRow = objectTypes[objectType];
	const selected = Object.entries(values).filter(([name]) => filters.includes(name));
	const table = call.dataset.tables[objectType];
	return selected.length > 0 ? recordsWith(table, Object.fromEntries(selected)) : table;
}

/** Returns the response to a list request as JSON text. */
export function listResponse(
	table: ListedTable,
	request: ListRequest,
	call: Pick<ApiCall, 'quirks' | 'contextId' | 'generation'>,
): string {
	const { quirks, contextId } = call;
	const plan = planList(table.objectType, request, call);
	const { indexes, next } = pageOf(table, plan, call);
	const pagination: Pagination = {
		page: plan.page,
		page_size: plan.limit,
		total: totalOf(table, quirks, plan),
		...(next && { next_cursor: encodeCursor(next) }),
	};
	const items = indexes.map((index) => table.textOf(index));
	return envelope(`{"items":[${items.join(',')}]}`, contextId, pagination);
}

function listEndpoint(path: string, objectType: ObjectType): Endpoint {
	return {
		method: 'GET',
		path,
		access: { version: 'v2' },
		handle(call) {
			const { filters }: ObjectTypeRow = objectTypes[objectType];
			rejectUnknown(call.query, listParameters(call, filters), 'query parameter');
			const table = filteredTable(call, objectType, call.query);
			return listResponse(table, readListQuery(call.query), call);
		},
	};
}

/**
 * Endpoint of the records query. It accepts `page`, because it supports both pagination modes (docs/maintainers/api.md,
 * Paging).
 */
const recordsQuery: Endpoint = {
	method: 'POST',
	path: '/v2/public/records/query',
	access: { version: 'v2' },
	handle(call) {
		rejectUnknown(call.query, [], 'query parameter');
		const body = bodyObject(call);
		const { object_type: objectType } = body;
		const { filters }: Partial<ObjectTypeRow> = isObjectType(objectType)
			? objectTypes[objectType]
			: {};
		rejectUnknown(body, ['object_type', ...listParameters(call, filters)], 'body field');
		if (typeof objectType !== 'string' || objectType === '') {
			throw badRequest('object_type is missing. Send for example "company".');
		}
		if (!isObjectType(objectType)) {
			throw new ApiError(
				404,
				'not_found',
				`There is no object type "${objectType}". Known: ${objectTypeNames.join(', ')}.`,
			);
		}
		return listResponse(filteredTable(call, objectType, body), readListBody(body), call);
	},
};

export const listEndpoints: Endpoint[] = [
	...objectTypeNames.flatMap((name) => {
		const { list }: ObjectTypeRow = objectTypes[name];
		return list === undefined ? [] : [listEndpoint(list, name)];
	}),
	recordsQuery,
];
