import { describe, expect, it } from 'vitest';

import type { ListEnvelope } from '../../nodes/shared/api.ts';
import { ServiceFailure } from '../../nodes/shared/failures.ts';
import { readNewest } from '../../nodes/WorkspaceDataTrigger/begin.ts';
import type { Reader } from '../../nodes/WorkspaceDataTrigger/settings.ts';

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
	const answer = (page: number, limit: number): ListEnvelope => {
		const size = Math.min(limit, most);
		const ranks = Array.from({ length: size }, (_, place) => (page - 1) * size + place + 1);
		const items = ranks
			.filter((rank) => rank <= total)
			.map((rank) => ({ id: rank, updated_at: 1_700_000_000_000 + dateOf(rank) }));
		const pagination = { page, page_size: isHonest ? size : limit, total };
		return { data: { items }, meta: { pagination } };
	};
	const reader: Reader = {
		pages: () => {
			throw new Error('not asked for here');
		},
		first: async (limit) => answer(1, limit),
		numbered: async (page, limit) => {
			requests.push([page, limit]);
			if (service.refuses) throw new ServiceFailure('status', { statusCode: service.refuses });
			total -= vanish;
			return answer(page, limit);
		},
	};
	return { reader, requests };
}

async function newestOf(service: Service): Promise<{ ids: unknown[]; requests: number }> {
	const { reader, requests } = readerOf(service);
	const newest = await readNewest(reader, 'updated_at', await reader.first(1), 100);
	return { ids: newest.map(({ id }) => id), requests: requests.length };
}

describe('readNewest', () => {
	it.each([1, 2, 99, 100, 101, 102, 1_000, 1_001, 2_503, 100_000])(
		'gives the end of a list of %i by one request, at least half a page of it',
		async (total) => {
			const { ids, requests } = await newestOf({ total });
			expect(ids.at(-1)).toBe(total);
			expect(ids.length).toBeGreaterThanOrEqual(Math.min(total, 50));
			expect(requests).toBe(1);
		},
	);

	it.each([7, 20, 50])('asks again where the service gives at most %i on a page', async (most) => {
		const { ids, requests } = await newestOf({ total: 2_503, most });
		expect(ids.at(-1)).toBe(2_503);
		expect(requests).toBe(2);
	});

	it('does not take a page for the last one when the service hides that its pages are smaller', async () => {
		expect((await newestOf({ total: 2_503, most: 50, isHonest: false })).ids).toEqual([]);
	});

	it('follows a list that gets shorter meanwhile', async () => {
		for (const [total, vanish] of [
			[501, 60],
			[1_001, 3],
		]) {
			const { ids, requests } = await newestOf({ total, vanish });
			expect(ids.at(-1)).toBe(total - vanish * requests);
		}
		expect(await newestOf({ total: 90, vanish: 90 })).toEqual({ ids: [], requests: 1 });
	});

	it.each(['descending', 'none'] as const)('gives up where the order is %s', async (order) => {
		expect((await newestOf({ total: 500, order })).ids).toEqual([]);
	});

	it.each([400, 404, 405, 422])(
		'gives up where such pages are refused with %i',
		async (refuses) => {
			expect(await newestOf({ total: 500, refuses })).toEqual({ ids: [], requests: 1 });
		},
	);

	it.each([401, 403, 429, 500])('passes a failure with %i on', async (refuses) => {
		await expect(newestOf({ total: 500, refuses })).rejects.toMatchObject({
			facts: { statusCode: refuses },
		});
	});
});
