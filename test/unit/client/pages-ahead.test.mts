import { describe, expect, it } from 'vitest';

import type { ListEnvelope } from '../../../nodes/client/api.ts';
import { ServiceFailure } from '../../../nodes/client/failures.ts';
import type { PageRequest } from '../../../nodes/client/pages.ts';
import { readPages, type ServePage } from './read-pages.mts';

const OPTIONS = { mode: 'cursor', sort: 'updated_at', pageSize: 2, readsAhead: true } as const;

/** A list of `total` records, two per page at most; keeps what it was asked and who still wants it. */
function service(total: number): {
	asked: PageRequest[];
	wanted: Array<() => boolean>;
	fetchPage: ServePage;
} {
	const asked: PageRequest[] = [];
	const wanted: Array<() => boolean> = [];
	const fetchPage: ServePage = async (request, { isWanted }) => {
		asked.push(request);
		wanted.push(isWanted);
		const from = 'cursor' in request ? Number(request.cursor) : 0;
		const to = Math.min(total, from + request.limit);
		const items = Array.from({ length: to - from }, (_none, index) => ({
			id: from + index,
			updated_at: from + index,
		}));
		const more = to < total ? { next_cursor: String(to) } : {};
		return { success: true, data: { items }, meta: { pagination: more } } as ListEnvelope;
	};
	return { asked, wanted, fetchPage };
}

describe('reading one page ahead', () => {
	it('asks for the next page before it hands one over, and never for more', async () => {
		const { asked, fetchPage } = service(6);
		const seen: number[] = [];
		for await (const page of readPages(fetchPage, OPTIONS)) {
			seen.push(page.recordsRead, asked.length);
		}
		expect(seen).toEqual([2, 2, 4, 3, 6, 3]);
	});

	it('asks for nothing after the maximum, nor for what a file no longer takes', async () => {
		const { asked, fetchPage } = service(20);
		const options = { ...OPTIONS, maximum: 7, boundary: 3 };
		for await (const page of readPages(fetchPage, options)) void page;
		expect(asked.map(({ limit }) => limit)).toEqual([2, 1, 1, 2, 1, 1]);
	});

	it('is given up when nobody reads on: what is under way is not wanted any more', async () => {
		const { wanted, fetchPage } = service(6);
		const pages = readPages(fetchPage, OPTIONS);
		await pages.next();
		expect([wanted.length, wanted[1]()]).toEqual([2, true]);
		await pages.return();
		expect(wanted[1]()).toBe(false);
	});

	it('hands a page over before the failure of the next one, and names the place of that', async () => {
		const { fetchPage } = service(6);
		let requests = 0;
		const failing: ServePage = async (request, hooks) => {
			if (++requests === 2) throw new ServiceFailure('timeout');
			return await fetchPage(request, hooks);
		};
		const pages = readPages(failing, OPTIONS);
		expect((await pages.next()).value).toMatchObject({ recordsRead: 2 });
		await expect(pages.next()).rejects.toMatchObject({
			kind: 'timeout',
			facts: { page: 2, recordsRead: 2, nextCursor: '2' },
		});
	});
});
