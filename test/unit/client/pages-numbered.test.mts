import fc from 'fast-check';
import { expect, it } from 'vitest';

import type { PageRequest } from '../../../nodes/client/pages.ts';
import { envelope, readAll } from './read-pages.mts';

it('a list by page numbers gives each record once, in order, up to the exact maximum', async () => {
	const lists = fc.record({
		total: fc.nat(60),
		mostPerPage: fc.integer({ min: 1, max: 25 }),
		pageSize: fc.integer({ min: 1, max: 30 }),
		maximum: fc.option(fc.integer({ min: 1, max: 80 }), { nil: undefined }),
		firstPage: fc.integer({ min: 1, max: 9 }),
		sortKey: fc.constantFrom(undefined, 'name'),
	});
	await fc.assert(
		fc.asyncProperty(lists, async ({ total, mostPerPage, ...paging }) => {
			const asked: Array<PageRequest & { page?: number }> = [];
			const { ids, pages, failure } = await readAll(
				asked,
				{ mode: 'page', ...paging },
				async (request) => {
					asked.push(request);
					const { page = NaN } = request as { page?: number };
					const page_size = Math.min(request.limit, mostPerPage);
					const from = Math.min(total, (page - 1) * page_size);
					const to = Math.min(total, from + page_size);
					return envelope(from, to, { page, page_size, total });
				},
			);
			const { pageSize, firstPage, maximum = Infinity, sortKey } = paging;
			const start = Math.min(total, (firstPage - 1) * Math.min(pageSize, mostPerPage));
			const end = Math.min(total, start + maximum);
			expect(failure).toBeUndefined();
			expect(ids).toEqual(Array.from({ length: end - start }, (_none, index) => start + index));
			expect(pages.map(({ number }) => number + firstPage - 1)).toEqual(
				asked.map(({ page }) => page),
			);
			// The place of a page depends on its size, so one size holds for the whole run.
			const limit = firstPage === 1 ? Math.min(pageSize, maximum) : pageSize;
			for (const request of asked) {
				const sort = sortKey === undefined ? {} : { sort: sortKey };
				expect(request).toStrictEqual({ page: request.page, limit, ...sort });
			}
			const perPage = Math.min(limit, mostPerPage);
			expect(asked).toHaveLength(Math.max(1, Math.ceil((end - start) / perPage)));
		}),
		{ numRuns: 300 },
	);
});
