import fc from 'fast-check';
import { expect, it } from 'vitest';

import { listSizes } from '../../../nodes/lists/page-size.ts';
import { changes, listModel, serve, totalOf, type ListModel } from './list-model.mts';
import { readAll, type ReadOptions } from './read-pages.mts';

export type CursorOptions = Partial<Extract<ReadOptions, { mode: 'cursor' }>>;

/** Reads a list; gives the numbers of its records, the limits it was asked with, what it ended in, and each page's end. */
export async function readList(model: ListModel, options: CursorOptions = {}) {
	const { asked, removed, servePage } = serve(model);
	const all = { mode: 'cursor', sort: 'created_at', ...options } as const;
	const { pages, failure } = await readAll([], all, servePage);
	const numbers = pages.flatMap(({ envelope }) => envelope.data.items.map(({ n }) => Number(n)));
	const places = numbers.map((n) => (model.descending ? model.records - 1 - n : n));
	return { places, asked, removed, failure, pages };
}

export const upTo = (records: number): number[] =>
	Array.from({ length: records }, (_none, place) => place);

const options: fc.Arbitrary<CursorOptions> = fc.record({
	pageSize: fc.option(fc.constantFrom(1, 7, 20, 50, 100, 250, 1_000, 3_000), { nil: undefined }),
	maximum: fc.option(fc.integer({ min: 1, max: 4_000 }), { nil: undefined, freq: 2 }),
	mostPerPage: fc.option(fc.integer({ min: 21, max: 700 }), { nil: undefined, freq: 2 }),
	ignoreTotal: fc.boolean(),
	readsAhead: fc.boolean(),
});

/** Every record once and in order, or an error; where it is about the total, with both numbers. */
async function expectWholeOrError(model: ListModel, paging: CursorOptions) {
	const { places, failure } = await readList(model, paging);
	const wanted = Math.min(model.records, paging.maximum ?? Infinity);
	expect(places).toEqual(upTo(places.length));
	const total = totalOf(model);
	if (failure === undefined) {
		// An estimate that happens to be met is outside of what is assumed of a service.
		const isMet = typeof model.total === 'object' && !paging.ignoreTotal && places.length === total;
		if (!isMet) expect(places).toHaveLength(wanted);
	} else {
		expect(failure.facts.recordsRead).toBe(places.length);
		if (failure.kind === 'incompleteList') {
			expect(failure.facts.total).toBe(total);
			expect(places.length).toBeLessThan(total ?? 0);
		}
	}
	return failure;
}

/** Each record comes once, or there is an error, by so many random services. */
export function itReadsEachRecordOnce(runs: number): void {
	it('by any service with caps of more than the smallest page, several lists in one run', async () => {
		const lists = fc.array(fc.tuple(listModel(21), options), { minLength: 1, maxLength: 3 });
		await fc.assert(
			fc.asyncProperty(lists, async (run) => {
				const sizes = listSizes();
				for (const [model, paging] of run) await expectWholeOrError(model, { ...paging, sizes });
			}),
			{ numRuns: runs },
		);
	});

	it('by any service with caps of any size and a right total', async () => {
		const honest = listModel(1).map((model) => ({ ...model, total: undefined }));
		await fc.assert(
			fc.asyncProperty(honest, options, async (model, paging) => {
				await expectWholeOrError(model, { ...paging, ignoreTotal: false });
			}),
			{ numRuns: runs },
		);
	});

	it('without an error, where caps and refusals leave room for the smallest page', async () => {
		const roomy = listModel(21).filter(
			({ cursors, refusePageSizeBelow, fixedPageSize, extraRecords }) =>
				cursors !== 'forOneUse' &&
				[refusePageSizeBelow, fixedPageSize, extraRecords].every((one) => one === undefined),
		);
		await fc.assert(
			fc.asyncProperty(roomy, options, async (model, paging) => {
				const ignoreTotal = typeof model.total === 'object';
				const automatic = { ...paging, pageSize: undefined, ignoreTotal };
				const failure = await expectWholeOrError(model, automatic);
				// After an empty page, a cursor that is good for one limit leads to no smaller page.
				const isBound = ['boundToLimit', 'keepsItsLimit', 'pageCount'].includes(
					model.cursors ?? '',
				);
				if (!isBound || model.emptyPages === undefined) expect(failure).toBeUndefined();
			}),
			{ numRuns: runs },
		);
	});

	it('while records come and go, where cursors are keys', async () => {
		const byKey = fc
			.record({ model: listModel(21), changes })
			.filter(({ model }) => !['position', 'pageCount'].includes(model.cursors ?? ''))
			.map(({ model, changes: more }) => ({ ...model, changes: more, descending: false }));
		let whole = 0;
		await fc.assert(
			fc.asyncProperty(byKey, options, async (model, paging) => {
				const { places, removed, failure } = await readList(model, {
					...paging,
					maximum: undefined,
				});
				expect(new Set(places).size).toBe(places.length);
				const isEstimate = typeof model.total === 'object' && !paging.ignoreTotal;
				if (failure !== undefined || isEstimate) return;
				const stayed = upTo(model.records).filter((position) => !removed.has(position));
				const came = new Set(places);
				expect(stayed.filter((position) => !came.has(position))).toEqual([]);
				whole++;
			}),
			{ numRuns: runs },
		);
		// Failing always would have the property, too.
		expect(whole).toBeGreaterThan(runs * 0.2);
	});

	it('also where a list is continued from any of its pages, with the limit of that page', async () => {
		await fc.assert(
			fc.asyncProperty(listModel(21), options, fc.nat(80), async (found, paging, stop) => {
				const model = { ...found, cursors: found.cursors === 'forOneUse' ? 'key' : found.cursors };
				const { pages, failure } = await readList({ ...model, total: undefined }, paging);
				const page = pages[stop % Math.max(1, pages.length)];
				if (failure !== undefined || page?.nextCursor === undefined) return;
				const { nextCursor: startCursor, limit: pageSize, recordsRead } = page;
				const rest = await readList(model, { startCursor, pageSize });
				expect(rest.failure).toBeUndefined();
				expect(rest.places).toEqual(upTo(model.records).slice(recordsRead));
			}),
			{ numRuns: runs },
		);
	});
}
