import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { PageSize } from '../../../nodes/client/page-size.ts';
import { listModel, serve, totalOf, type ListModel } from './list-model.mts';
import { readAll, type ReadOptions } from './read-pages.mts';

type CursorOptions = Partial<Extract<ReadOptions, { mode: 'cursor' }>>;

const KIND: ListModel = { records: 5_000 };

/** Reads a list; gives the places of its records, the limits it was asked with, what it ended in, and each page's end. */
async function read(model: ListModel, options: CursorOptions = {}) {
	const { asked, servePage } = serve(model);
	const all = { mode: 'cursor', sort: 'created_at', ...options } as const;
	const { pages, failure } = await readAll([], all, servePage);
	const numbers = pages.flatMap(({ envelope }) => envelope.data.items.map(({ n }) => Number(n)));
	const places = numbers.map((n) => (model.descending ? model.records - 1 - n : n));
	const nextCursors = pages.map(
		({ recordsRead, nextCursor }) => [recordsRead, nextCursor] as const,
	);
	return { places, asked, failure, nextCursors };
}

const upTo = (records: number): number[] =>
	Array.from({ length: records }, (_none, place) => place);

describe('the end of a list is proven', () => {
	const options: fc.Arbitrary<CursorOptions> = fc.record({
		pageSize: fc.option(fc.constantFrom(1, 7, 20, 50, 100, 250, 1_000, 3_000), { nil: undefined }),
		maximum: fc.option(fc.integer({ min: 1, max: 4_000 }), { nil: undefined, freq: 2 }),
		boundary: fc.option(fc.integer({ min: 30, max: 700 }), { nil: undefined, freq: 2 }),
		ignoreTotal: fc.boolean(),
		readsAhead: fc.boolean(),
	});

	/**
	 * False where rows are capped after an empty page whose cursor is good for its own limit alone: there is no way to
	 * a smaller page, and only the total shows that records are missing.
	 */
	const leavesAWay = ({ cursors = 'key', emptyPages, rowCap, nothingAbove }: ListModel): boolean =>
		['key', 'pageCount'].includes(cursors) ||
		emptyPages === undefined ||
		(rowCap === undefined && nothingAbove === undefined);

	/** Every record once and in order, or an error; where it is about the total, with both numbers. */
	const expectWholeOrError = async (model: ListModel, paging: CursorOptions): Promise<void> => {
		const { places, failure } = await read(model, paging);
		const wanted = Math.min(model.records, paging.maximum ?? Infinity);
		expect(places).toEqual(upTo(places.length));
		const total = totalOf(model);
		if (failure === undefined) {
			// An estimate that happens to be met is outside of what is assumed of a service.
			const isMet =
				typeof model.total === 'object' && !paging.ignoreTotal && places.length === total;
			if (!isMet) expect(places).toHaveLength(wanted);
			return;
		}
		expect(failure.facts.recordsRead).toBe(places.length);
		if (failure.kind === 'incompleteList') {
			expect(failure.facts.total).toBe(total);
			expect(places.length).toBeLessThan(total ?? 0);
		}
	};

	it('by any service with caps of more than the smallest page, whatever its total', async () => {
		const found = listModel(21).filter(leavesAWay);
		await fc.assert(fc.asyncProperty(found, options, expectWholeOrError), { numRuns: 300 });
	});

	it('by any service with caps of any size and a right total', async () => {
		const honest = listModel(1).map((model) => ({ ...model, total: undefined }));
		await fc.assert(
			fc.asyncProperty(honest, options, async (model, paging) => {
				await expectWholeOrError(model, { ...paging, ignoreTotal: false });
			}),
			{ numRuns: 300 },
		);
	});

	it('without an error, where caps and refusals leave room for the smallest page', async () => {
		const found = listModel(21).filter(
			(model) => leavesAWay(model) && model.cursors !== 'forOneUse',
		);
		await fc.assert(
			fc.asyncProperty(found, options, async (model, paging) => {
				const isEstimate = typeof model.total === 'object';
				const automatic = { ...paging, pageSize: undefined, ignoreTotal: isEstimate };
				const { places, failure } = await read(model, automatic);
				expect(failure).toBeUndefined();
				expect(places).toEqual(upTo(Math.min(model.records, paging.maximum ?? Infinity)));
			}),
			{ numRuns: 300 },
		);
	});

	it('and what continues from the cursor of any page reads the rest', async () => {
		await fc.assert(
			fc.asyncProperty(fc.nat(500), options, fc.nat(80), async (records, paging, stop) => {
				const model = { ...KIND, records };
				const { nextCursors } = await read(model, paging);
				const [readBefore, startCursor] = nextCursors[stop % nextCursors.length];
				if (startCursor === undefined) return;
				const { places } = await read(model, { startCursor, pageSize: 30 });
				expect(places).toEqual(upTo(records).slice(readBefore));
			}),
			{ numRuns: 100 },
		);
	});

	it.each([50, 250, 500, 1_000])('where the database gives %i rows, silently', async (rowCap) => {
		for (const total of [undefined, 'absent'] as const) {
			const { places, failure } = await read({ ...KIND, rowCap, total });
			expect(failure).toBeUndefined();
			expect(places).toEqual(upTo(5_000));
		}
	});

	it('with an error that has both numbers, where even the smallest page is too large', async () => {
		const { places, asked, failure } = await read({ ...KIND, rowCap: 10 });
		expect(failure).toMatchObject({
			kind: 'incompleteList',
			facts: { recordsRead: 10, total: 5_000, page: 1 },
		});
		expect(failure?.facts.nextCursor).toBeUndefined();
		expect(places).toEqual(upTo(10));
		expect(asked).toEqual([100, 20]);
	});

	it('costs a list that says how long it is no request', async () => {
		expect((await read({ ...KIND, records: 60 })).asked).toEqual([100]);
		expect((await read({ ...KIND, records: 130 })).asked).toEqual([100, 100]);
	});

	it('costs a list that does not say so one, and none more where a page like it came before', async () => {
		const unknown = { ...KIND, total: 'absent' as const };
		const sizes = new PageSize();
		for (let lists = 0; lists < 2; lists++)
			expect((await read({ ...unknown, records: 15 }, { sizes })).asked).toEqual([100, 20]);
		expect((await read({ ...unknown, records: 130 })).asked).toEqual([100, 100]);
		expect((await read({ ...unknown, records: 2_800 })).asked.slice(-1)).toEqual([2_000]);
	});

	it('costs what is read on from a cursor none, up to the first size', async () => {
		const { nextCursors } = await read(KIND, { maximum: 4_930 });
		const startCursor = nextCursors.at(-1)?.[1];
		expect((await read(KIND, { startCursor })).asked).toEqual([100]);
		expect((await read(KIND, { startCursor, pageSize: 1_000 })).asked).toEqual([1_000, 100]);
	});

	it('takes an estimate for what it is, where the user says so', async () => {
		const estimated = { ...KIND, total: { factor: 1.1 } };
		expect((await read(estimated)).failure?.kind).toBe('incompleteList');
		const { places, failure } = await read(estimated, { ignoreTotal: true });
		expect([places.length, failure]).toEqual([5_000, undefined]);
	});
});

describe('the size of pages', () => {
	it('grows from 100 to 500 and 2,000, and the first step is compared once', async () => {
		const { places, asked } = await read(KIND);
		expect(places).toEqual(upTo(5_000));
		expect(asked).toEqual([100, 100, 500, 2_000, 2_000, 2_000]);
		const capped = await read({ ...KIND, silentPageCap: 50 });
		expect(Math.max(...capped.asked)).toBe(100);
		const empty = { ...KIND, emptyPages: { at: 100, count: 1 } };
		expect((await read(empty)).asked).toEqual([100, 100, 100, 500, 2_000, 2_000, 2_000]);
	});

	it.each<[string, Partial<ListModel>, number]>([
		['caps silently at 50', { silentPageCap: 50 }, 100],
		['caps silently at 250', { silentPageCap: 250 }, 500],
		['caps silently at 500', { silentPageCap: 500 }, 500],
		['caps silently at 1,000', { silentPageCap: 1_000 }, 2_000],
		['refuses above 20', { refusePageSizeAbove: { size: 20, status: 400 } }, 20],
		['refuses above 50', { refusePageSizeAbove: { size: 50, status: 422 } }, 50],
		['refuses above 100', { refusePageSizeAbove: { size: 100, status: 413 } }, 100],
		['gives nothing above 1,000', { nothingAbove: 1_000 }, 500],
		['hangs above 500', { hangPageSizeAbove: 500 }, 500],
		['has cursors that count pages', { cursors: 'pageCount' }, 100],
		['has cursors that are bound to their limit', { cursors: 'boundToLimit' }, 100],
		['has cursors that keep their limit', { cursors: 'keepsItsLimit' }, 100],
		['has cursors for one use', { cursors: 'forOneUse' }, 100],
		['has numbers for ids', { numericIds: 'small' }, 2_000],
		['signs an address anew in each answer', { changingField: true }, 2_000],
	])('of a service that %s', async (_name, model, last) => {
		const { places, asked, failure } = await read({ ...KIND, ...model });
		expect(failure).toBeUndefined();
		expect(places).toEqual(upTo(5_000));
		expect(asked.at(-1)).toBe(last);
		// What was disproved, or failed, is not tried again.
		expect(asked.filter((limit) => limit > last && limit > 100).length).toBeLessThan(4);
	});

	it('is known to the next list of the run, which begins with the first size again', async () => {
		const sizes = new PageSize();
		const model: ListModel = { ...KIND, refusePageSizeAbove: { size: 500, status: 422 } };
		await read(model, { sizes });
		expect((await read(model, { sizes })).asked.slice(0, 3)).toEqual([100, 500, 500]);
	});

	it('fails as the first size does where every size is refused', async () => {
		const refusePageSizeAbove = { size: 5, status: 422 } as const;
		const sizes = new PageSize();
		for (let lists = 0; lists < 2; lists++) {
			const { asked, failure } = await read({ ...KIND, refusePageSizeAbove }, { sizes });
			expect(asked).toEqual([100, 50, 20]);
			expect(failure).toMatchObject({ facts: { statusCode: 422 } });
		}
	});

	it('stays as the user chose it', async () => {
		const { asked, failure } = await read({ ...KIND, records: 700 }, { pageSize: 300 });
		expect([asked, failure]).toEqual([[300, 300, 300], undefined]);
		const refusePageSizeAbove = { size: 50, status: 422 } as const;
		const refused = await read({ ...KIND, refusePageSizeAbove }, { pageSize: 60 });
		expect(refused.asked).toEqual([60]);
	});

	it('never asks for more than there is room for', async () => {
		const { asked } = await read({ ...KIND, records: 9_000 }, { boundary: 1_234, maximum: 3_000 });
		expect(asked).toEqual([100, 100, 500, 634, 1_234, 532]);
	});
});
