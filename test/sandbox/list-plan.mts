import { ApiError, badRequest } from './api-error.mts';
import { decodeCursor, type CursorState } from './cursors.mts';
import type { DateField, ObjectType, Quirks } from './types.mts';

/** Parameters of a list request, with valid types. `sort` is only the name of a field, such as `updated_at`. */
export interface ListRequest {
	page?: number;
	limit?: number;
	sort?: string;
	cursor?: string;
}

/**
 * How to read a list: in page mode or cursor mode. `limit` is the requested page size. `pageLength` is the number of
 * records on a full page.
 */
export type ListPlan = { page: number; limit: number; pageLength: number } & (
	| { mode: 'page'; sort: DateField | 'id' }
	| { mode: 'cursor'; sort: DateField; cursor?: CursorState }
);

/** Settings of the sandbox that change how it responds to list requests. */
export interface ListRules {
	quirks: Quirks;
	/** Number of times that the sandbox has let all cursors expire. It rejects cursors with a lower number. */
	generation: number;
}

/** Thrown to leave a request without any response. */
export class NoResponse extends Error {}

const defaultPageSize = 50;

function isDateField(value: string | undefined): value is DateField {
	return value === 'updated_at' || value === 'created_at';
}

function wholeNumber(name: string, value: unknown): number | undefined {
	if (value === undefined) return undefined;
	if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
	throw badRequest(`${name} must be a whole number of at least 1.`);
}

function textValue(name: string, value: unknown): string | undefined {
	if (value === undefined || (typeof value === 'string' && value !== '')) return value;
	throw badRequest(`${name} must be sent once, as a text that is not empty.`);
}

/** Reads the query of a list request. Throws HTTP 400 if a value is invalid. */
export function readListQuery(query: Record<string, unknown>): ListRequest {
	const { page, limit } = query;
	// Accept only digits, because Number() also accepts "1e2", " 5" and "0x10".
	const number = (value: unknown) => (/^\d+$/.test(String(value)) ? Number(value) : value);
	return readListBody({ ...query, page: number(page), limit: number(limit) }, (sort) => sort);
}

/** Reads the body of a records query. Throws HTTP 400 if a value is invalid. */
export function readListBody(
	body: Record<string, unknown>,
	fieldOf: (sort: string) => string = fieldOfQuery,
): ListRequest {
	const sort = textValue('sort', body.sort);
	return {
		page: wholeNumber('page', body.page),
		limit: wholeNumber('limit', body.limit),
		sort: sort === undefined ? undefined : fieldOf(sort),
		cursor: textValue('cursor', body.cursor),
	};
}

function fieldOfQuery(sort: string): string {
	const field = /^standard:(updated_at|created_at):asc$/.exec(sort)?.[1];
	if (field !== undefined) return field;
	throw badRequest(
		'sort must be "standard:updated_at:asc" or "standard:created_at:asc" (<namespace>:<field>:<direction>).',
	);
}

function checkedCursor(
	cursor: string,
	sort: string | undefined,
	{ objectType, limit }: { objectType: ObjectType; limit: number },
	{ quirks, generation }: ListRules,
): CursorState {
	const state = decodeCursor(cursor);
	if (state.generation < generation) throw badRequest('The cursor has expired.');
	if (quirks.cursorsBoundToLimit && state.limit !== limit) {
		throw badRequest(`The cursor is for a limit of ${state.limit}, not of ${limit}.`);
	}
	if (state.objectType !== objectType) {
		throw badRequest(`The cursor is for ${state.objectType} records, not for ${objectType}.`);
	}
	if (sort !== undefined && sort !== state.sort) {
		throw badRequest(
			`sort "${sort}" does not match the cursor, which is for ${state.sort}. Leave sort out, or start again.`,
		);
	}
	return state;
}

function sizesOf(limit: number, quirks: Quirks): Pick<ListPlan, 'limit' | 'pageLength'> {
	const { rejectPageSizeAbove: tooLarge, silentPageCap = Infinity, extraRecords = 0 } = quirks;
	const { fixedPageSize = Math.min(limit, silentPageCap) } = quirks;
	if (limit > (quirks.hangPageSizeAbove ?? Infinity)) throw new NoResponse();
	if (tooLarge && limit > tooLarge.size) {
		const message = `limit must be at most ${tooLarge.size}, not ${limit}.`;
		throw new ApiError(tooLarge.status, 'limit_too_large', message);
	}
	if (limit < (quirks.rejectPageSizeBelow ?? 0)) {
		const message = `limit must be at least ${quirks.rejectPageSizeBelow}, not ${limit}.`;
		throw new ApiError(422, 'limit_too_small', message);
	}
	return { limit, pageLength: Math.max(1, fixedPageSize + extraRecords) };
}

/**
 * Decides whether to read a list in page mode or in cursor mode.
 * @throws ApiError 400 for `page` together with `cursor`, an unknown sort field, or an invalid cursor. A cursor is
 * invalid if it is damaged, expired, or from another object type, sort order or limit
 * @throws ApiError if a quirk rejects the limit, with the status of the quirk
 * @throws NoResponse if a quirk leaves requests with such a limit without a response
 */
export function planList(objectType: ObjectType, request: ListRequest, rules: ListRules): ListPlan {
	const { page, sort, cursor } = request;
	const limit = request.limit ?? defaultPageSize;
	const sizes = sizesOf(limit, rules.quirks);
	if (page !== undefined && cursor !== undefined) {
		throw badRequest('Send either page or cursor, not both.');
	}
	if (cursor !== undefined) {
		const state = checkedCursor(cursor, sort, { objectType, limit }, rules);
		return { mode: 'cursor', page: state.page, ...sizes, sort: state.sort, cursor: state };
	}
	if (page === undefined && isDateField(sort)) return { mode: 'cursor', page: 1, ...sizes, sort };
	if (sort !== undefined && !isDateField(sort)) {
		throw badRequest(`Cannot sort by "${sort}". Known: updated_at, created_at.`);
	}
	return { mode: 'page', page: page ?? 1, ...sizes, sort: sort ?? 'id' };
}
