import { ApiError, badRequest } from './api-error.mts';
import { decodeCursor, type CursorState } from './cursors.mts';
import type { DateField, ObjectType, Unkindness } from './types.mts';

/** What a list request asked for, already checked one by one; `sort` is a bare field name. */
export interface ListRequest {
	page?: number;
	limit?: number;
	sort?: string;
	cursor?: string;
}

/** How to answer a list request. `limit` is what was asked for, and `held` what a full page really holds. */
export type ListPlan = { page: number; limit: number; held: number } & (
	| { mode: 'page'; sort: DateField | 'id' }
	| { mode: 'cursor'; sort: DateField; cursor?: CursorState }
);

/** How large pages can be, and which cursors are good. */
export interface ListRules {
	unkind: Unkindness;
	/** How often all cursors were let expire before. */
	generation: number;
}

/** Thrown where a request is never answered. */
export class NoAnswer extends Error {}

const defaultPageSize = 50;

function isDateField(value: string | undefined): value is DateField {
	return value === 'updated_at' || value === 'created_at';
}

function whole(name: string, value: unknown): number | undefined {
	if (value === undefined) return undefined;
	if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
	throw badRequest(`${name} must be a whole number of at least 1.`);
}

function text(name: string, value: unknown): string | undefined {
	if (value === undefined || (typeof value === 'string' && value !== '')) return value;
	throw badRequest(`${name} must be sent once, as a text that is not empty.`);
}

/** Reads the query of a list request. Throws a 400 where a value has the wrong form. */
export function readListQuery(query: Record<string, unknown>): ListRequest {
	const { page, limit } = query;
	// Digits only: Number() alone would take "1e2", " 5" and "0x10" as well.
	const number = (value: unknown) => (/^\d+$/.test(String(value)) ? Number(value) : value);
	return readListBody({ ...query, page: number(page), limit: number(limit) }, (sort) => sort);
}

/** Reads the body of a records query. Throws a 400 where a value has the wrong form. */
export function readListBody(
	body: Record<string, unknown>,
	fieldOf: (sort: string) => string = fieldOfQuery,
): ListRequest {
	const sort = text('sort', body.sort);
	return {
		page: whole('page', body.page),
		limit: whole('limit', body.limit),
		sort: sort === undefined ? undefined : fieldOf(sort),
		cursor: text('cursor', body.cursor),
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
	{ unkind, generation }: ListRules,
): CursorState {
	const state = decodeCursor(cursor);
	if (state.generation < generation) throw badRequest('The cursor has expired.');
	if (unkind.cursorsBoundToLimit && state.limit !== limit) {
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

function sizesOf(limit: number, unkind: Unkindness): Pick<ListPlan, 'limit' | 'held'> {
	const { refusePageSizeAbove: refusal, silentPageCap = Infinity, extraRecords = 0 } = unkind;
	const { fixedPageSize = Math.min(limit, silentPageCap) } = unkind;
	if (limit > (unkind.hangPageSizeAbove ?? Infinity)) throw new NoAnswer();
	if (refusal && limit > refusal.size) {
		const message = `limit must be at most ${refusal.size}, not ${limit}.`;
		throw new ApiError(refusal.status, 'limit_too_large', message);
	}
	if (limit < (unkind.refusePageSizeBelow ?? 0)) {
		const message = `limit must be at least ${unkind.refusePageSizeBelow}, not ${limit}.`;
		throw new ApiError(422, 'limit_too_small', message);
	}
	return { limit, held: Math.max(1, fixedPageSize + extraRecords) };
}

/**
 * Decides between page mode and cursor mode. Throws a 400 for page with cursor, a damaged cursor, a cursor of
 * another object type, order or limit, one that has expired, and a sort key that is no date, and whatever the
 * settings say for a limit that is too large.
 */
export function planList(objectType: ObjectType, request: ListRequest, rules: ListRules): ListPlan {
	const { page, sort, cursor } = request;
	const limit = request.limit ?? defaultPageSize;
	const sizes = sizesOf(limit, rules.unkind);
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
