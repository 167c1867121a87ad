import fc from 'fast-check';
import { expect, it } from 'vitest';

import { changes, listModel, serve, totalsOf, type ListModel } from './list-model.mts';
import { readAll, type ReadOptions } from './read-pages.mts';

/** Options for reading a list by cursor. */
export type CursorOptions = Partial<Extract<ReadOptions, { mode: 'cursor' }>>;

/**
 * Reads a simulated list. Returns the positions of the returned records (`places`), the requested page sizes (`asked`),
 * the positions of deleted records, the failure and the pages. Positions count from 0.
 */
export async function readList(model: ListModel, options: CursorOptions = {}) {
	const { asked, removed, servePage } = serve(model);
	const all = { mode: 'cursor', sort: 'created_at', ...options } as const;
	const { pages, failure } = await readAll(all, servePage);
	const numbers = pages.flatMap(({ envelope }) => envelope.data.items.map(({ n }) => Number(n)));
	const places = numbers.map((n) => (model.descending ? model.records - 1 - n : n));
	return { places, asked, removed, failure, pages };
}

/** Returns the integers from 0 to `records - 1`. */
export const upTo = (records: number): number[] =>
	Array.from({ length: records }, (_none, place) => place);

const options: fc.Arbitrary<CursorOptions> = fc.record({
	pageSize: fc.option(fc.constantFrom(1, 7, 20, 50, 100, 250, 1_000, 3_000), { nil: undefined }),
	limit: fc.option(fc.integer({ min: 1, max: 4_000 }), { nil: undefined, freq: 2 }),
	maxPerPage: fc.option(fc.integer({ min: 25, max: 700 }), { nil: undefined, freq: 2 }),
	ignoreTotal: fc.boolean(),
	readsAhead: fc.boolean(),
});

/** Checks whether the service silently leaves records out of pages of this size. */
function cuts({ cursors, extraRecords = 0, ...caps }: ListModel, limit: number): boolean {
	const { rowCap = Infinity, emptyPageAbove = Infinity, silentPageCap = Infinity } = caps;
	const held = (caps.fixedPageSize ?? Math.min(limit, silentPageCap)) + extraRecords;
	const isPassed = cursors === 'pageCountOfLimit' && held < limit;
	return rowCap <= held || emptyPageAbove < limit || isPassed;
}

/**
 * Checks whether the service can leave out records unnoticed, because no total shows the missing records
 * (docs/maintainers/assumptions.md, A3). If the node itself chose a page size above 100, it always notices.
 */
function isUnseen(model: ListModel, paging: CursorOptions, asked: number[]) {
	const { total, wrongOnce, records } = model;
	const { pageSize, ignoreTotal, limit: maximum = Infinity } = paging;
	const isLow = [total, wrongOnce].some((one) => typeof one === 'object' && one.factor < 1);
	const limit = asked.at(-1) ?? 0;
	const isChosenByNode = pageSize === undefined && limit > 100;
	const hasNoTotal = ignoreTotal || isLow || total === 'absent' || maximum < records;
	return !isChosenByNode && cuts(model, limit) && hasNoTotal;
}

/**
 * Checks whether an empty page can end the list too early, because the total is too low and the number of returned
 * records has reached it (docs/maintainers/assumptions.md, A3).
 */
function endsEarly(model: ListModel, { ignoreTotal }: CursorOptions, came = Infinity): boolean {
	const isOver = totalsOf(model).some((total) => total < model.records && came >= total);
	return isOver && !ignoreTotal && model.emptyPages !== undefined;
}

/**
 * Reads a list and describes what the node did wrong. Returns '' if the list is complete, or if an error says why it is
 * incomplete.
 */
async function wrongWith(model: ListModel, paging: CursorOptions): Promise<string> {
	const { places, asked, failure, pages } = await readList(model, paging);
	const isOutOfOrder = places.some((place, index) => place <= (places[index - 1] ?? -1));
	// If the total is too high, or the service leaves out records, the node cannot notice in time that the list has
	// started over (docs/maintainers/assumptions.md, A3).
	const hidesStart =
		totalsOf(model).some((total) => total > model.records) || cuts(model, asked.at(-1) ?? 0);
	if (isOutOfOrder && !(hidesStart && typeof model.trailingCursor === 'string'))
		return 'records come twice, or in another order';
	if (failure !== undefined) {
		const { recordsRead = -1, total = 0 } = failure.facts;
		if (recordsRead !== places.length)
			return `the error says ${recordsRead} records, and ${places.length} came`;
		const isShort = failure.kind !== 'incompleteList' || recordsRead < total;
		return isShort ? '' : 'all came that the total says, and yet there is an error';
	}
	const came = new Set(places);
	const missing = upTo(Math.min(model.records, paging.limit ?? Infinity)).filter(
		(place) => !came.has(place),
	);
	const isMet = !paging.ignoreTotal && totalsOf(model).includes(places.length);
	const isAtEnd = isMet || endsEarly(model, paging, places.length);
	// If only an earlier page has a total, a warning reports the number of missing records.
	const isWarned = pages.at(-1)?.recordsMissing === missing.length;
	if (missing.length === 0 || isWarned || isAtEnd || isUnseen(model, paging, asked)) return '';
	return `${missing.length} records are missing without an error, the first of them no. ${missing[0]}`;
}

/** Expects that `judge` returns '' for every random list. */
const itHoldsFor = async (
	models: fc.Arbitrary<ListModel>,
	numRuns: number,
	judge: (model: ListModel, paging: CursorOptions) => Promise<string>,
): Promise<void> => {
	const property = fc.asyncProperty(models, options, async (model, paging) => {
		expect(await judge(model, paging)).toBe('');
	});
	await fc.assert(property, { numRuns });
};

/**
 * Replaces an unusual next cursor of the last page with a cursor to an empty page. If the last page points back to
 * itself, only a correct total shows the node that the list ends there (docs/maintainers/assumptions.md, A3).
 */
const withoutOwnCursor = ({ trailingCursor, ...model }: ListModel): ListModel => ({
	...model,
	trailingCursor: trailingCursor !== false,
});
const withOwnCursorIfSeen = (model: ListModel): ListModel =>
	model.total === undefined && !model.wrongOnce ? model : withoutOwnCursor(model);

/**
 * Defines tests with this number of random services. The tests expect that the node reads each record once, or fails.
 */
export function itReadsEachRecordOnce(runs: number): void {
	it('reads each record of up to three lists once, or fails, with any service', async () => {
		const lists = fc.array(fc.tuple(listModel(1), options), { minLength: 1, maxLength: 3 });
		const property = fc.asyncProperty(lists, async (run) => {
			for (const [model, paging] of run) expect(await wrongWith(model, paging)).toBe('');
		});
		await fc.assert(property, { numRuns: runs });
	});

	it('reads each record once without an error if the service meets the documented assumptions', async () => {
		const assumed = listModel(25).map((model) => ({
			...withOwnCursorIfSeen(model),
			...{ rowCap: undefined, emptyPageAbove: undefined, fixedPageSize: undefined },
			...{ extraRecords: undefined, rejectPageSizeBelow: undefined },
			silentPageCap: model.cursors === 'pageCountOfLimit' ? undefined : model.silentPageCap,
			// Avoid a first total that is far too low, because the list would then look endless.
			wrongOnce:
				model.cursors === 'forOneUse' || (model.wrongOnce?.factor ?? 1) < 0.5
					? undefined
					: model.wrongOnce,
		}));
		await itHoldsFor(assumed, runs, async (model, paging) => {
			const ignoreTotal = typeof model.total === 'object';
			const automatic = { ...paging, pageSize: undefined, ignoreTotal };
			const { failure } = await readList(model, automatic);
			return failure === undefined ? await wrongWith(model, automatic) : `ends in ${failure.kind}`;
		});
	});

	it('needs no more pages than usual if the first requests fail temporarily', async () => {
		const steady = listModel(25).map((model) => ({
			...{ ...model, wrongOnce: undefined },
			// Let no page have fewer records than requested, because the list would then need more pages after a
			// failure.
			extraRecords: Math.max(0, model.extraRecords ?? 0),
		}));
		await itHoldsFor(steady, Math.ceil(runs / 3), async (model, paging) => {
			const automatic = { ...paging, pageSize: undefined };
			const kind = await readList({ ...model, failsAtFirst: undefined }, automatic);
			const { failure, pages } = await readList(model, automatic);
			if (kind.failure !== undefined || pages.length <= kind.pages.length)
				return failure?.kind === kind.failure?.kind ? '' : `ends in ${failure?.kind}`;
			return `${pages.length} pages and not ${kind.pages.length}`;
		});
	});

	it('reads each record once while records are added and deleted, if cursors contain a date and an id', async () => {
		const moving = fc.record({ model: listModel(25), more: changes }).map(({ model, more }) => ({
			...withOwnCursorIfSeen(model),
			...{ changes: more, descending: false, rowCap: undefined, emptyPageAbove: undefined },
			// Let no cursor lead back to an earlier page. If the first record is deleted and records are added, the
			// node cannot notice that the list starts over.
			trailingCursor: /^to[BM]/.test(String(model.trailingCursor)) || model.trailingCursor,
			cursors: /position|pageCount/.test(model.cursors ?? '') ? ('key' as const) : model.cursors,
		}));
		let whole = 0;
		await itHoldsFor(moving, runs, async (model, paging) => {
			const ignoreTotal = typeof model.trailingCursor !== 'string' && paging.ignoreTotal;
			const all = { ...paging, limit: undefined, ignoreTotal };
			const { places, removed, failure } = await readList(model, all);
			const came = new Set(places);
			if (came.size !== places.length) return 'records come twice';
			const isEstimate = typeof model.total === 'object' && !ignoreTotal;
			if (failure !== undefined || isEstimate || endsEarly(model, all)) return '';
			whole++;
			const lost = upTo(model.records).filter((place) => !removed.has(place) && !came.has(place));
			return lost.length === 0 ? '' : `${lost.length} records are missing that stayed`;
		});
		// Without this check, a reader that fails on every list would pass the test.
		expect(whole, 'lists that came whole').toBeGreaterThan(runs * 0.2);
	});

	it('reads the rest of a list with the next cursor and page size of any page', async () => {
		const lasting = listModel(25).map((model) => ({
			...{ ...withoutOwnCursor(model), wrongOnce: undefined, total: undefined },
			silentPageCap: model.cursors === 'pageCountOfLimit' ? undefined : model.silentPageCap,
			cursors: model.cursors === 'forOneUse' ? ('key' as const) : model.cursors,
		}));
		await itHoldsFor(lasting, runs, async (model, paging) => {
			const { pages, failure } = await readList(model, { ...paging, ignoreTotal: false });
			const page = pages[model.records % Math.max(1, pages.length)];
			if (failure !== undefined || page?.nextCursor === undefined) return '';
			const { nextCursor: startCursor, pageSize: pageSize, recordsRead } = page;
			const rest = await readList(model, { startCursor, pageSize });
			if (rest.failure !== undefined) return `continuing ends in ${rest.failure.kind}`;
			const isRest = rest.places.join() === upTo(model.records).slice(recordsRead).join();
			return isRest ? '' : `what follows the first ${recordsRead} records is not the rest`;
		});
	});
}
