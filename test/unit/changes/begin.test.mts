import { describe, expect, it } from 'vitest';

import type { ListEnvelope } from '../../../nodes/client/api.ts';
import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { readNewest } from '../../../nodes/changes/begin.ts';
import type { Reader } from '../../../nodes/changes/settings.ts';
import { versionOf } from '../../../nodes/changes/version.ts';

interface Service {
	total: number;
	/** The largest page it gives. */
	most?: number;
	/** Whether it says so in `page_size`. */
	isHonest?: boolean;
	order?: 'ascending' | 'descending' | 'none';
	/** Records that vanish before each numbered page. */
	vanish?: number;
	refuses?: number;
	/** The first page comes whatever number is asked for; it says 1, or the number asked for. */
	ignoresPage?: 'says 1' | 'says the number';
	/** Higher numbers give this page, which says its own number. */
	highestPage?: number;
	/** Says so many records although there are more. */
	claims?: number;
	/** Beyond the end comes the last page again, an empty one, or a refusal. */
	beyond?: 'last' | 'empty' | 'refused';
}

/** A reader of records numbered from 1, the number being their date as well. */
function readerOf(service: Service): { reader: Reader; requests: Array<[number, number]> } {
	const { most = Infinity, isHonest = true, order = 'ascending', vanish = 0 } = service;
	let { total } = service;
	const requests: Array<[number, number]> = [];
	const dateOf = (rank: number): number => {
		if (order === 'descending') return total - rank + 1;
		return order === 'none' ? ((rank * 7_919) % total) + 1 : rank;
	};
	const answer = (asked: number, limit: number): ListEnvelope => {
		const page = service.ignoresPage ? 1 : Math.min(asked, service.highestPage ?? asked);
		const size = Math.min(limit, most);
		const ranks = Array.from({ length: size }, (_, place) => (page - 1) * size + place + 1);
		const items = ranks
			.filter((rank) => rank <= total)
			.map((rank) => ({ id: rank, updated_at: 1_700_000_000_000 + dateOf(rank) }));
		const pagination = {
			page: service.ignoresPage === 'says the number' ? asked : page,
			page_size: isHonest ? size : limit,
			total: service.claims ?? total,
		};
		return { data: { items }, meta: { pagination } };
	};
	const reader: Reader = {
		firstSize: () => 100,
		pages: () => {
			throw new Error('not asked for here');
		},
		first: async (limit) => answer(1, limit),
		numbered: async (page, limit) => {
			requests.push([page, limit]);
			if (service.refuses) throw new ServiceFailure('status', { statusCode: service.refuses });
			total -= vanish;
			const isBeyond = (page - 1) * Math.min(limit, most) >= total;
			if (isBeyond && service.beyond === 'refused') {
				throw new ServiceFailure('status', { statusCode: 404 });
			}
			return answer(isBeyond && service.beyond === 'last' ? page - 1 : page, limit);
		},
		versionOf: (record) => versionOf(record, 'updated_at'),
	};
	return { reader, requests };
}

async function newestOf(
	service: Service,
): Promise<{ ids: unknown[]; isAll: boolean; requests: number }> {
	const { reader, requests } = readerOf(service);
	const { records, isAll } = await readNewest(reader, await reader.first(100), 100);
	return { ids: records.map(({ id }) => id), isAll, requests: requests.length };
}

describe('readNewest', () => {
	it.each([1, 2, 99, 100, 101, 102, 1_000, 1_001, 2_503, 100_000])(
		'gives the end of a list of %i, at least half a page of it, and makes sure that nothing follows',
		async (total) => {
			const { ids, isAll, requests } = await newestOf({ total });
			expect(ids.at(-1)).toBe(total);
			expect(ids.length).toBeGreaterThanOrEqual(Math.min(total, 50));
			expect(isAll).toBe(total <= 100);
			expect(requests).toBe(isAll ? 1 : 2);
		},
	);

	it.each([7, 20, 50])('asks for smaller pages where at most %i come', async (most) => {
		for (const isHonest of [true, false]) {
			const { ids } = await newestOf({ total: 2_503, most, isHonest });
			expect(ids.at(-1)).toBe(2_503);
		}
	});

	it('does not take a page from the middle for the last one where pages are smaller than they say', async () => {
		// The second of two pages of 51, if they were not of 50.
		expect((await newestOf({ total: 101, most: 50, isHonest: false })).ids.at(-1)).toBe(101);
	});

	it.each(['says 1', 'says the number'] as const)(
		'gives up where the number of the page is ignored and the page %s',
		async (ignoresPage) => {
			for (const total of [200, 1_000, 1_001, 2_503]) {
				for (const beyond of ['last', 'refused'] as const) {
					expect((await newestOf({ total, ignoresPage, beyond })).ids).toEqual([]);
				}
			}
			// All records lie on the first page, so it is the last one.
			expect(await newestOf({ total: 60, ignoresPage })).toMatchObject({ isAll: true });
		},
	);

	it('gives up where another page is given than was asked for', async () => {
		expect((await newestOf({ total: 1_000, highestPage: 5, beyond: 'refused' })).ids).toEqual([]);
	});

	it('gives up where more records follow than the service says there are', async () => {
		expect((await newestOf({ total: 2_503, claims: 1_000 })).ids).toEqual([]);
	});

	it('takes a refusal of the page behind the last one for its end, and the last one again for none', async () => {
		expect((await newestOf({ total: 2_503, beyond: 'refused' })).ids.at(-1)).toBe(2_503);
		expect((await newestOf({ total: 2_503, beyond: 'last' })).ids).toEqual([]);
	});

	it('gives up where there are records and the service counts none', async () => {
		expect(await newestOf({ total: 60, claims: 0 })).toMatchObject({ ids: [], requests: 0 });
	});

	it('follows a list that gets shorter meanwhile', async () => {
		// One more time they vanish before the page after the last one is asked for.
		expect((await newestOf({ total: 501, vanish: 60 })).ids.at(-1)).toBe(441);
		expect((await newestOf({ total: 180, vanish: 60 })).ids.at(-1)).toBe(120);
		expect(await newestOf({ total: 90, vanish: 90 })).toMatchObject({ ids: [], requests: 1 });
	});

	it.each(['descending', 'none'] as const)('gives up where the order is %s', async (order) => {
		expect((await newestOf({ total: 500, order })).ids).toEqual([]);
	});

	it.each([400, 404, 405, 422])(
		'gives up where such pages are refused with %i',
		async (refuses) => {
			expect(await newestOf({ total: 500, refuses })).toMatchObject({ ids: [], requests: 1 });
		},
	);

	it.each([401, 403, 429, 500])('passes a failure with %i on', async (refuses) => {
		await expect(newestOf({ total: 500, refuses })).rejects.toMatchObject({
			facts: { statusCode: refuses },
		});
	});
});
