import fc from 'fast-check';
import type { ListEnvelope, RequestLimits } from '../../../../nodes/shared/client/api.ts';
import { ServiceFailure } from '../../../../nodes/shared/client/failures.ts';
import type { PageRequest } from '../../../../nodes/shared/lists/page.ts';
import { ApiError } from '../../../sandbox/api-error.mts';
import { decodeCursor } from '../../../sandbox/cursors.mts';
import { NoResponse } from '../../../sandbox/list-plan.mts';
import { idOf, type ComposeRecord } from '../../../sandbox/record-text.mts';
import { listResponse } from '../../../sandbox/routes-lists.mts';
import { Table } from '../../../sandbox/table.mts';
import type { Quirks } from '../../../sandbox/types.mts';

/** Kinds of cursors that a service might use. The specification does not say what a cursor contains. */
export type CursorKind =
	| 'key'
	| 'position'
	| 'pageCount'
	| 'pageCountOfLimit'
	| 'boundToLimit'
	| 'keepsItsLimit'
	| 'forOneUse';

/** Records that are added and deleted before request number `at`, from 0. */
export interface Change {
	at: number;
	added?: number;
	/** Indexes of the deleted records in the order of creation, from 0. */
	removed?: number[];
}

/** A simulated list with its quirks. Each record has a number `n`, and the dates are in the order of these numbers. */
export interface ListModel extends Quirks {
	records: number;
	cursors?: CursorKind;
	isOneDate?: boolean;
	/** Whether ids are numbers above 2^53, where JavaScript rounds neighbours to the same number. */
	numericIds?: boolean;
	changes?: Change[];
	/**
	 * One response with a wrong total: in response number `at`, counted from 0, the usual total is multiplied by
	 * `factor`.
	 */
	wrongOnce?: { at: number; factor: number };
	/**
	 * Failure of the first requests that the client does not retry. The model does not simulate retries, so it lets all
	 * other requests succeed.
	 */
	failsAtFirst?: { requests: number; failure: 'connectionLost' | 429 | 502 };
}

const some = <T,>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
	fc.option(arbitrary, { nil: undefined, freq: 3 });

/** Generates random lists. If a service caps the page size, the cap is at least `smallestCap` records. */
export const listModel = (smallestCap: number): fc.Arbitrary<ListModel> => {
	const cap = fc.oneof(
		fc.integer({ min: smallestCap, max: 120 }),
		fc.constantFrom(99, 100, 101, 199, 200, 249, 250, 251, 500, 999, 1_000, 2_000),
	);
	const at = fc.oneof(fc.constant(0), fc.nat(3_000));
	const model = fc.record({
		records: fc.oneof(fc.nat(300), fc.nat(6_000)),
		total: fc.constantFrom<ListModel['total']>(
			...([undefined, 'absent', 'onFirstPage'] as const),
			...([{ factor: 0.4 }, { factor: 0.97 }, { factor: 1.1 }] as const),
		),
		cursors: fc.constantFrom<CursorKind>(
			...(['key', 'key', 'position', 'pageCount', 'boundToLimit'] as const),
			...(['keepsItsLimit', 'forOneUse', 'pageCountOfLimit', 'pageCountOfLimit'] as const),
		),
		wrongOnce: some(
			fc.record({ at: fc.nat(6), factor: fc.constantFrom(0, 0.1, 0.5, 0.9, 1.1, 3) }),
		),
		rowCap: some(cap),
		silentPageCap: some(cap),
		rejectPageSizeAbove: some(fc.record({ size: cap, status: fc.constantFrom(400, 413, 422) })),
		rejectPageSizeBelow: some(fc.integer({ min: 2, max: 20 })),
		emptyPageAbove: some(cap),
		fixedPageSize: some(cap),
		extraRecords: some(fc.integer({ min: -1, max: 60 })),
		trailingCursor: fc.constantFrom<ListModel['trailingCursor']>(
			...([false, false, true, 'toEmpty', 'toItself', 'toBeginning', 'toMiddle'] as const),
		),
		failsAtFirst: some(
			fc.record({
				requests: fc.integer({ min: 1, max: 3 }),
				failure: fc.constantFrom('connectionLost' as const, 429 as const, 502 as const),
			}),
		),
		hangPageSizeAbove: some(fc.integer({ min: 100, max: 2_000 })),
		emptyPages: some(fc.record({ at, count: fc.integer({ min: 1, max: 150 }) })),
		descending: fc.boolean(),
		numericIds: fc.boolean(),
		isOneDate: fc.boolean(),
	});
	// If cursors count pages of the requested size, larger pages would overlap, and the service would return records
	// twice.
	return model.map((one) =>
		one.cursors === 'pageCountOfLimit'
			? { ...one, fixedPageSize: undefined, extraRecords: undefined }
			: one,
	);
};

/** Generates changes of a list while it is read: records added at the end, and deleted anywhere. */
export const changes = fc.array(
	fc.record({
		at: fc.nat(12),
		added: fc.nat(120),
		removed: fc.array(fc.nat(400), { maxLength: 30 }),
	}),
	{ maxLength: 3 },
);

/** Maximum number of requests before a list counts as endless. */
const MAX_REQUESTS = 20_000;

const FIRST_NUMERIC_ID = 9_007_199_254_740_993n;

/**
 * JSON text of each response. Kept as text, because ids can have more digits than a JavaScript number can hold exactly.
 */
export const exactTexts = new WeakMap<ListEnvelope, string>();

/**
 * Creates a simulated service. Returns the function `servePage`, the table of records, the requested page sizes, and
 * the numbers of the deleted records.
 */
export function serve({
	records,
	cursors,
	isOneDate,
	numericIds,
	changes: planned = [],
	wrongOnce,
	failsAtFirst,
	...more
}: ListModel) {
	const quirks: Quirks = {
		...more,
		cursorsCountPages: cursors === 'pageCountOfLimit' ? 'ofLimit' : cursors === 'pageCount',
		cursorsArePositions: cursors === 'position',
		cursorsBoundToLimit: cursors === 'boundToLimit',
	};
	const textOf: ComposeRecord = ({ index, createdAt, updatedAt }) => {
		const dates = [createdAt, updatedAt].map((time) => new Date(isOneDate ? 1.7e12 : time));
		const [created, updated] = dates.map((date) => date.toISOString());
		const id = numericIds ? FIRST_NUMERIC_ID + BigInt(index) : `"${idOf('company', index)}"`;
		return `{"id":${id},"n":${index},"created_at":"${created}","updated_at":"${updated}"}`;
	};
	const table = new Table('company', records, 1, textOf, 0);
	table.setQuirks(quirks);
	const asked: number[] = [];
	const removed = new Set<number>();
	const used = new Set<string>();
	const change = ({ added = 0, removed: places = [] }: Change): void => {
		if (added > 0) table.create(added, 1.8e12 + asked.length);
		const gone = places.filter((place) => place < records && !removed.has(place));
		for (const place of new Set(gone)) {
			table.remove([idOf('company', place)]);
			removed.add(place);
		}
	};
	let failuresLeft = failsAtFirst?.requests ?? 0;
	const servePage = async (
		request: PageRequest,
		limits?: Pick<RequestLimits, 'maxRetries'>,
	): Promise<ListEnvelope> => {
		for (const each of planned) if (each.at === asked.length) change(each);
		if (asked.push(request.limit) > MAX_REQUESTS) throw new RangeError('The list does not end');
		const names = Object.keys(request).sort().join();
		if (!['limit,sort', 'cursor,limit', 'limit,page,sort'].includes(names) || request.limit < 1) {
			throw new RangeError(`Request not in the specification: ${JSON.stringify(request)}`);
		}
		// Let a request with retries succeed at once, because the client would retry it until it succeeds.
		if (limits?.maxRetries !== 0) failuresLeft = 0;
		if (failuresLeft-- > 0) throw failureOf(failsAtFirst?.failure);
		const asSent = { ...request };
		if ('cursor' in request) {
			if (cursors === 'keepsItsLimit') asSent.limit = decodeCursor(request.cursor).limit;
			if (cursors === 'forOneUse' && used.has(request.cursor)) throw rejection(410);
			used.add(request.cursor);
		}
		try {
			const contextId = `answer-${asked.length}`;
			const call = { quirks, contextId, generation: 0 };
			const text = listResponse(table, asSent, call);
			const answer = JSON.parse(text) as ListEnvelope;
			exactTexts.set(answer, text);
			const { pagination } = answer.meta;
			if (asked.length - 1 === wrongOnce?.at && pagination.total !== undefined)
				pagination.total = Math.round(pagination.total * wrongOnce.factor);
			return answer;
		} catch (error) {
			if (error instanceof ApiError) throw rejection(error.status);
			if (!(error instanceof NoResponse)) throw error;
			throw new ServiceFailure('timeout', { gaveUp: 'retriesUsed' });
		}
	};
	return { asked, removed, servePage, table };
}

const failureOf = (what: number | 'connectionLost' = 502) =>
	typeof what === 'number' ? rejection(what) : new ServiceFailure(what);
const rejection = (statusCode: number) => new ServiceFailure('status', { statusCode });

/** Returns the wrong totals that responses of the service contain. */
export function totalsOf({ total, records, wrongOnce }: ListModel): number[] {
	if (total === 'absent') return [];
	const factor = typeof total === 'object' ? total.factor : 1;
	const usual = Math.round(records * factor);
	const always = factor === 1 ? [] : [usual];
	return wrongOnce === undefined ? always : [...always, Math.round(usual * wrongOnce.factor)];
}
