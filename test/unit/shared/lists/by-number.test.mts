import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ListEnvelope } from '../../../../nodes/shared/client/api.ts';
import { envelope, readAll, readAnswers } from './read-pages.mts';

const PAGE_MODE = { mode: 'page', sort: 'updated_at', firstPage: 1, pageSize: 4 } as const;

it('reads each record once, in order, and stops exactly at Limit', async () => {
	const lists = fc.record({
		total: fc.nat(60),
		maxPerPage: fc.integer({ min: 1, max: 25 }),
		pageSize: fc.integer({ min: 1, max: 30 }),
		limit: fc.option(fc.integer({ min: 1, max: 80 }), { nil: undefined }),
		firstPage: fc.integer({ min: 1, max: 9 }),
		sortKey: fc.constantFrom(undefined, 'name'),
	});
	await fc.assert(
		fc.asyncProperty(lists, async ({ total, maxPerPage, ...paging }) => {
			const { ids, pages, failure, asked } = await readAll(
				{ mode: 'page', sort: 'created_at', ...paging },
				async (request) => {
					const { page = NaN } = request as { page?: number };
					const page_size = Math.min(request.limit, maxPerPage);
					const from = Math.min(total, (page - 1) * page_size);
					const to = Math.min(total, from + page_size);
					return envelope(from, to, { page, page_size, total });
				},
			);
			const { pageSize, firstPage, limit = Infinity, sortKey } = paging;
			const start = Math.min(total, (firstPage - 1) * Math.min(pageSize, maxPerPage));
			const end = Math.min(total, start + limit);
			expect(failure).toBeUndefined();
			expect(ids).toEqual(Array.from({ length: end - start }, (_none, index) => start + index));
			// All requests must have the same page size, because the page size decides where a page begins.
			const size = firstPage === 1 ? Math.min(pageSize, limit) : pageSize;
			const sort = sortKey ?? 'created_at';
			expect(asked).toStrictEqual(
				pages.map(({ number }) => ({ page: number + firstPage - 1, limit: size, sort })),
			);
			const perPage = Math.min(size, maxPerPage);
			expect(asked).toHaveLength(Math.max(1, Math.ceil((end - start) / perPage)));
		}),
		{ numRuns: 300 },
	);
});

describe('a list read by page number', () => {
	const page = (number: number, more: Record<string, unknown> = {}) => ({
		page: number,
		page_size: 4,
		total: 10,
		...more,
	});
	const first = () => envelope(0, 4, page(1));

	it('accepts a page whose first record equals a record of the previous page if records have no ids', async () => {
		const answers = [first(), envelope(4, 8, page(2)), envelope(8, 10, page(3))];
		for (const { data } of answers)
			data.items = data.items.map(({ id }) => ({ name: Number(id) % 3 }));
		const { failure } = await readAnswers(PAGE_MODE, answers);
		expect(failure).toBeUndefined();
	});

	it('fails if a list returns more than twice its first total plus 1,000 records', async () => {
		const paging = { ...PAGE_MODE, pageSize: 100 };
		const { failure } = await readAll(paging, async (request) => {
			const { page: number } = request as { page: number };
			const numbers = { page: number, page_size: 100, total: number * 100 + 50 };
			return envelope((number - 1) * 100, number * 100, numbers);
		});
		expect(failure).toMatchObject({
			kind: 'endlessList',
			facts: { total: 150, recordsRead: 1_400 },
		});
	});

	it.each<[string, string | undefined, ListEnvelope[]]>([
		['no records in an empty list', undefined, [envelope(0, 0, page(1, { total: 0 }))]],
		[
			'fewer records than page_size at the end of the list',
			undefined,
			[envelope(0, 3, page(1, { page_size: 10, total: 3 }))],
		],
		['more records than page_size before the last page', 'wrongPage', [envelope(0, 6, page(1))]],
		['more records than the total', 'wrongPage', [envelope(0, 6, page(1, { total: 4 }))]],
		['no records before the total is reached', 'wrongPage', [envelope(0, 0, page(1))]],
		['a wrong page number', 'wrongPage', [first(), envelope(4, 8, page(1))]],
		['the same records as the previous page', 'wrongPage', [first(), envelope(0, 4, page(2))]],
		['a lower total than before', 'changedList', [first(), envelope(4, 8, page(2, { total: 9 }))]],
		// Records that were inserted at the beginning of the list have moved a record from page 1 to page 2.
		['a record of the previous page', 'changedList', [first(), envelope(3, 7, page(2))]],
		['a different page size', 'changedList', [first(), envelope(4, 6, page(2, { page_size: 2 }))]],
		[
			'fewer records than page_size before the last page',
			'wrongPage',
			[first(), envelope(4, 7, page(2))],
		],
		['one record fewer than the total', 'wrongPage', [envelope(0, 3, page(1, { total: 4 }))]],
	])('checks a page with %s (expected failure: %s)', async (_name, kind, answers) => {
		const { pages, failure, asked } = await readAnswers(PAGE_MODE, answers);
		expect(failure?.kind).toBe(kind);
		expect(asked).toHaveLength(answers.length);
		if (kind === undefined) return;
		expect(pages).toHaveLength(answers.length - 1);
		const { items } = answers[answers.length - 1].data;
		expect(failure?.facts).toMatchObject({ page: answers.length, received: items.length });
	});

	it('truncates a page with more records than requested if Limit needs no further page', async () => {
		const answers = [envelope(0, 6, page(1, { next_cursor: 'c1' }))];
		const { ids, failure, pages } = await readAnswers({ ...PAGE_MODE, limit: 5 }, answers);
		expect([ids, failure]).toEqual([[0, 1, 2, 3, 4], undefined]);
		expect(pages[0].envelope.meta.pagination).toEqual(page(1, { recordsLeftOut: 1 }));
	});

	it('reads until an empty page if the total is ignored, and fails if records follow a page that is not full', async () => {
		const estimate = { ...PAGE_MODE, ignoreTotal: true };
		const pages = () => [
			envelope(0, 4, page(1, { total: 2 })),
			envelope(4, 7, page(2, { total: 90 })),
		];
		const whole = await readAnswers(estimate, [...pages(), envelope(7, 7, page(3, { total: 0 }))]);
		expect([whole.ids, whole.failure]).toEqual([[0, 1, 2, 3, 4, 5, 6], undefined]);
		const cut = await readAnswers(estimate, [...pages(), envelope(8, 9, page(3))]);
		expect([cut.ids.length, cut.failure?.kind]).toEqual([7, 'wrongPage']);
	});

	it.each([
		{},
		{ page: 1, page_size: 2 },
		{ page: '1', page_size: '2', total: '9' },
		...[0, -2, 1.5].map((page_size) => ({ page: 1, page_size, total: 9 })),
		...[1e300, null, -1].map((total) => ({ page: 1, page_size: 2, total })),
	])('rejects missing or invalid page numbers: %j', async (pagination) => {
		const { failure } = await readAnswers(PAGE_MODE, [envelope(0, 2, pagination)]);
		expect(failure).toMatchObject({
			kind: 'missingPagination',
			facts: { page: 1, recordsRead: 0 },
		});
	});
});
