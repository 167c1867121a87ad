import fc from 'fast-check';

import type { ListEnvelope } from '../../../nodes/client/api.ts';
import { ServiceFailure } from '../../../nodes/client/failures.ts';
import type { ServePage } from './read-pages.mts';

/** What a cursor of a service is. The specification says nothing of it. */
export type CursorKind = 'place' | 'pageCount' | 'boundToLimit' | 'keepsItsLimit' | 'forOneUse';

/** A service of the specification's lists that does with large pages what services do. */
export interface ListModel {
	records: number;
	/** What it says the list holds: the truth, nothing, or so many times the truth. */
	total: 'right' | 'absent' | number;
	cursors: CursorKind;
	/** It asks its database for `limit` + 1 rows to see whether more follow, and never gets more rows than this. */
	rowCap?: number;
	/** No page holds more, but its next cursor is right. */
	pageCap?: number;
	/** A larger limit is refused with this status; 0 stands for `success: false`. */
	refuses?: { above: number; status: number };
	/** A larger limit is answered by an empty page. */
	nothingAbove?: number;
	/** A larger limit fails: the answer never comes. */
	hangsAbove?: number;
	/** Before the record at this place come so many empty pages with a next cursor each. */
	emptyPages?: { at: number; count: number };
	/** Ids are numbers beyond 2^53 that differ in their last digits, as text in the answer. */
	textIds: boolean;
	/** The list comes newest first. */
	descending: boolean;
	/** Each answer has another signed address in each record. */
	changingField: boolean;
}

/** More than any list of this model can need. */
const MOST_REQUESTS = 20_000;

const some = <T,>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
	fc.option(arbitrary, { nil: undefined, freq: 3 });

/** Any such service whose caps are of at least this many records. */
export const listModel = (smallestCap: number): fc.Arbitrary<ListModel> => {
	const cap = fc.oneof(
		fc.integer({ min: smallestCap, max: 120 }),
		fc.constantFrom(99, 100, 101, 250, 499, 500, 501, 1_000, 1_999, 2_000),
	);
	return fc.record({
		records: fc.oneof(fc.nat(300), fc.nat(6_000)),
		total: fc.constantFrom<ListModel['total']>('right', 'absent', 0.4, 0.97, 1.1),
		cursors: fc.constantFrom<CursorKind>(
			...(['place', 'place', 'place', 'pageCount', 'boundToLimit'] as const),
			...(['keepsItsLimit', 'forOneUse'] as const),
		),
		rowCap: some(cap),
		pageCap: some(cap),
		refuses: some(fc.record({ above: cap, status: fc.constantFrom(0, 400, 413, 422) })),
		nothingAbove: some(cap),
		hangsAbove: some(fc.integer({ min: 100, max: 2_000 })),
		emptyPages: some(
			fc.record({
				at: fc.oneof(fc.constant(0), fc.nat(3_000)),
				count: fc.integer({ min: 1, max: 150 }),
			}),
		),
		descending: fc.boolean(),
		textIds: fc.boolean(),
		changingField: fc.boolean(),
	});
};

interface CursorState {
	/** Records before the page, empty pages given before it, and its number from 0. */
	place: number;
	empty: number;
	page: number;
	limit: number;
}

/** Answers like the service. Keeps the limits that it was asked with. */
export function serve(model: ListModel): { asked: number[]; servePage: ServePage } {
	const asked: number[] = [];
	const used = new Set<string>();
	const servePage: ServePage = async (request) => {
		if (asked.push(request.limit) > MOST_REQUESTS) throw new RangeError('A list without an end');
		const names = Object.keys(request).sort().join();
		if (!['limit,sort', 'cursor,limit'].includes(names) || request.limit < 1) {
			throw new RangeError(`No request of the specification: ${JSON.stringify(request)}`);
		}
		const cursor = 'cursor' in request ? request.cursor : undefined;
		const state: CursorState =
			cursor === undefined
				? { place: 0, empty: 0, page: 0, limit: request.limit }
				: (JSON.parse(cursor) as CursorState);
		const isOfOtherLimit = cursor !== undefined && request.limit !== state.limit;
		if (model.cursors === 'boundToLimit' && isOfOtherLimit) throw refusal(400);
		if (cursor !== undefined && model.cursors === 'forOneUse') {
			if (used.has(cursor)) throw refusal(410);
			used.add(cursor);
		}
		const limit = model.cursors === 'keepsItsLimit' ? state.limit : request.limit;
		if (model.refuses !== undefined && limit > model.refuses.above)
			throw refusal(model.refuses.status);
		if (limit > (model.hangsAbove ?? Infinity)) {
			throw new ServiceFailure('timeout', { gaveUp: 'retriesUsed' });
		}
		return pageOf(model, state, limit);
	};
	return { asked, servePage };
}

function refusal(status: number): ServiceFailure {
	return status === 0
		? new ServiceFailure('unsuccessful')
		: new ServiceFailure('status', { statusCode: status });
}

function pageOf(model: ListModel, state: CursorState, limit: number): ListEnvelope {
	const { records, rowCap = Infinity, pageCap = Infinity, nothingAbove = Infinity } = model;
	if (limit > nothingAbove) return envelopeOf(model, [], undefined);
	const size = Math.min(limit, pageCap);
	const place = model.cursors === 'pageCount' ? state.page * size : state.place;
	const { at = -1, count = 0 } = model.emptyPages ?? {};
	if (place === at && place < records && state.empty < count) {
		// Cursors that count pages begin to count after the first of them.
		if (model.cursors !== 'pageCount' || at === 0) {
			return envelopeOf(model, [], { ...state, limit, empty: state.empty + 1 });
		}
	}
	const until = place < at && model.cursors !== 'pageCount' ? Math.min(at, records) : records;
	const rows = Math.min(size + 1, rowCap, Math.max(0, records - place));
	const held = Math.min(rows, size, until - place);
	const hasMore =
		rows > size || place + held < Math.min(until, place + rows) || held < Math.min(rows, size);
	const items = Array.from({ length: Math.max(0, held) }, (_none, index) =>
		recordAt(model, place + index),
	);
	const next = { place: place + held, empty: 0, page: state.page + 1, limit };
	return envelopeOf(model, items, hasMore ? next : undefined);
}

let answers = 0;

function recordAt(
	{ textIds, changingField, descending }: ListModel,
	place: number,
): Record<string, unknown> {
	return {
		id: textIds ? `id-${String(place).padStart(6, '0')}` : place,
		place,
		// Three records share one date.
		updated_at: new Date(
			Date.UTC(2026, 0, 1) + Math.floor((descending ? -place : place) / 3) * 1_000,
		).toISOString(),
		...(changingField && { logo_url: `https://files.example/${place}?signature=${++answers}` }),
	};
}

function envelopeOf(
	model: ListModel,
	items: Array<Record<string, unknown>>,
	next: CursorState | undefined,
): ListEnvelope {
	const total = totalOf(model);
	const pagination = {
		...(total !== undefined && { total }),
		...(next !== undefined && { next_cursor: JSON.stringify(next) }),
	};
	return { success: true, data: { items }, meta: { pagination } };
}

/** What the service says it has. */
export function totalOf({ total, records }: ListModel): number | undefined {
	if (total === 'absent') return undefined;
	return total === 'right' ? records : Math.round(records * total);
}
