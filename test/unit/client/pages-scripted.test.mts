import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { envelope, readAll, type ReadOptions } from './read-pages.mts';

type CursorOptions = Partial<Extract<ReadOptions, { mode: 'cursor' }>>;

/** A list whose pages have so many records; after those with a plus, a cursor leads on. */
const readScript = async (script: string, options: CursorOptions & { total?: number } = {}) => {
	const asked: number[] = [];
	const { total, ...paging } = options;
	const all = { mode: 'cursor', sort: 'created_at', ...paging } as const;
	const { failure, ids } = await readAll([], all, async ({ limit }) => {
		const page = script.split(' ')[asked.push(limit) - 1];
		if (page === undefined) throw new ServiceFailure('cancelled');
		const next = page.endsWith('+') && { next_cursor: `c${asked.length}` };
		return envelope(0, parseInt(page), { total, ...next });
	});
	return { asked, failure, records: ids.length };
};

describe('the end of a list is proven', () => {
	it('by a smaller page where the total says that more follow, whatever came before', async () => {
		const script = '100+ 40 50';
		const options = { pageSize: 100, total: 1_000 };
		const { asked, failure, records } = await readScript(script, options);
		expect([asked, records, failure?.kind]).toEqual([[100, 100, 20], 150, 'incompleteList']);
		expect(await readScript('100', { ...options, maximum: 100 })).toEqual({
			...{ asked: [100], records: 100, failure: undefined },
		});
	});

	it('by a smaller page where a list seems to have nothing more, but only where a reading begins', async () => {
		const began = await readScript('0 5', { startCursor: 'c', pageSize: 1_000 });
		expect(began).toEqual({ asked: [1_000, 100], records: 5, failure: undefined });
		expect((await readScript('0+ 0 5', { pageSize: 1_000 })).asked).toEqual([1_000, 1_000, 20]);
		const { asked, failure, records } = await readScript('100+ 0 5', { total: 1_000 });
		expect([asked, records, failure?.kind]).toEqual([[100, 100, 20], 100, 'incompleteList']);
	});

	it('where there is no total, by a smaller page if none of so many records had a cursor', async () => {
		const after = async (records: number) => (await readScript(`50+ ${records} 20`)).asked;
		expect([await after(50), await after(51)]).toEqual([
			[100, 100],
			[100, 100, 20],
		]);
	});

	it('by none that leads elsewhere', async () => {
		const script = '50 0+';
		const { asked, records } = await readScript(script, { startCursor: 'c', pageSize: 1_000 });
		expect([asked, records]).toEqual([[1_000, 100], 50]);
	});

	it.each([
		[400, undefined],
		[401, undefined],
		[403, undefined],
		[500, 500],
	])('unless a smaller page is refused by %i', async (statusCode, expected) => {
		let answered = 0;
		const { ids, failure } = await readAll([], { mode: 'cursor', sort: 'created_at' }, async () => {
			if (answered++ === 0) return envelope(0, 5, {});
			throw new ServiceFailure('status', { statusCode });
		});
		expect([ids.length, failure?.facts.statusCode]).toEqual([expected ? 0 : 5, expected]);
	});

	it('ends with what ends the run, also where a larger page is only tried', async () => {
		const { asked, failure } = await readScript('100+ 100+');
		expect([asked, failure?.kind]).toEqual([[100, 100, 500], 'cancelled']);
	});
});

it.each([
	['the first size, where the list cannot be begun', 0, 100],
	['the last size, after that', 3, 100],
])('fails as %s', async (_name, pages, expected) => {
	let answered = 0;
	const { failure } = await readAll([], { mode: 'cursor', sort: 'created_at' }, async (asked) => {
		if (answered++ < pages) return envelope(0, asked.limit, { next_cursor: `c${answered}` });
		throw new ServiceFailure('status', { statusCode: 400, words: String(asked.limit) });
	});
	expect(failure?.facts.words).toBe(String(expected));
});

/** The records of pages that are counted by their size: the same cursor leads elsewhere by another one. */
const readCounted = async (mostPerPage: number, nameOf: (n: number) => unknown) => {
	const options = { mode: 'cursor', sort: 'created_at', maximum: 2_030 } as const;
	const { pages, failure } = await readAll([], options, async (request) => {
		const size = Math.min(request.limit, mostPerPage);
		const page = 'cursor' in request ? Number(request.cursor) : 0;
		const answer = envelope(page * size, (page + 1) * size, { next_cursor: String(page + 1) });
		answer.data.items = answer.data.items.map(({ id }) => ({ id: nameOf(Number(id)), n: id }));
		return answer;
	});
	expect(failure).toBeUndefined();
	return pages.flatMap(({ envelope: { data } }) => data.items.map(({ n }) => n));
};

it.each([
	['whose larger pages are no larger', 100, (n: number) => n],
	['whose records have no id', 9_000, () => undefined],
	['whose records have null for an id', 9_000, () => null],
])('the cursors of a service %s prove nothing', async (_name, mostPerPage, nameOf) => {
	const expected = Array.from({ length: 2_030 }, (_none, n) => n);
	expect(await readCounted(mostPerPage, nameOf)).toEqual(expected);
});
