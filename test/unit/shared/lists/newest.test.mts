import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readNewest } from '../../../../nodes/shared/lists/newest.ts';
import type { PageRequest } from '../../../../nodes/shared/lists/page.ts';
import { listOf } from './read-pages.mts';
import { newestOf, SandboxList, type Change, type Item, type ListQuirks } from './sandbox-list.mts';

async function readPages(list: SandboxList, limit: number, pageSize = 10, range = {}) {
	const paging = { mode: 'cursor', limit, pageSize, range, sort: 'updated_at' } as const;
	return await readNewest(listOf(list.servePage), paging);
}

async function read(...options: Parameters<typeof readPages>): Promise<unknown[]> {
	return (await readPages(...options)).flatMap(({ envelope }) => envelope.data.items);
}

describe('a list that does not change', () => {
	const sizes = {
		total: fc.integer({ min: 0, max: 60 }),
		pageSize: fc.integer({ min: 1, max: 25 }),
	};

	it('reads the date of each record at most twice', async () => {
		let looks = 0;
		const range = {
			get after() {
				looks++;
				return 0;
			},
		};
		await read(new SandboxList(300), 300, 10, range);
		expect(looks, 'of 300 records and their 30 pages').toBeLessThan(2 * 300 + 30);
	});

	it('numbers the returned pages from 1, beginning with the newest page, and counts the returned records', async () => {
		const pages = await readPages(new SandboxList(25), 12);
		expect(pages).toMatchObject([
			{ number: 1, recordsRead: 5, isLast: false },
			{ number: 2, recordsRead: 12, isLast: true },
		]);
	});

	it.each([
		['the first page and the last one', 60, 10, undefined, 2],
		['earlier pages too if the last page has too few records', 60, 11, undefined, 3],
		['no page whose records are all older than Changed After', 60, 60, 45, 3],
		['no further page if the oldest record of a page has the date of Changed After', 60, 60, 50, 2],
		['only the first page if this page holds the whole list', 9, 60, undefined, 1],
	])(
		'requests only pages that Limit and Changed After require: %s',
		async (_which, records, limit, after, requests) => {
			const list = new SandboxList(records);
			const dateOf = ({ updated_at: date }: Item): number => Date.parse(date ?? '');
			const range = after === undefined ? {} : { after: dateOf(list.items[after]) };
			const wanted = list.items.filter((item) => dateOf(item) > (range.after ?? 0));
			expect(await read(list, limit, 10, range)).toEqual(newestOf(wanted, limit));
			expect(list.moments).toHaveLength(requests);
		},
	);

	it('fails if the list has no total, unless the list is empty', async () => {
		expect(await read(new SandboxList(0, { total: 'absent' }), 5)).toEqual([]);
		const list = new SandboxList(3, { total: 'absent' });
		await expect(read(list, 5)).rejects.toMatchObject({ kind: 'unnumbered' });
	});

	it('returns each of the newest records once, newest first, and no others', async () => {
		const cap = fc.integer({ min: 1, max: 12 });
		const caps = fc.oneof(
			fc.constant({}),
			fc.record({ largestPage: cap }),
			fc.record({ silentPageCap: cap }),
		);
		await fc.assert(
			fc.asyncProperty(
				fc.record({
					...sizes,
					caps,
					isRefused: fc.boolean(),
					limit: fc.integer({ min: 1, max: 70 }),
				}),
				async ({ total, pageSize, caps: quirks, isRefused, limit }) => {
					const pages = isRefused ? ('refusedAtEnd' as const) : undefined;
					const list = new SandboxList(total, { ...quirks, pages });
					expect(await read(list, limit, pageSize)).toEqual(newestOf(list.items, limit));
				},
			),
			{ numRuns: 300 },
		);
	});
});

describe('a list that changes while it is read', () => {
	const create = fc.record({
		kind: fc.constant('create' as const),
		howMany: fc.integer({ min: 1, max: 4 }),
	});
	const change: fc.Arbitrary<Change> = fc.oneof(
		create,
		fc.record({
			kind: fc.constant('update' as const),
			place: fc.nat(100),
			howMany: fc.integer({ min: 1, max: 3 }),
		}),
		fc.record({ kind: fc.constant('remove' as const), place: fc.nat(100) }),
	);
	const histories = (changes: fc.Arbitrary<Change>) =>
		fc.record({
			total: fc.integer({ min: 1, max: 60 }),
			pageSize: fc.integer({ min: 2, max: 15 }),
			limit: fc.integer({ min: 1, max: 70 }),
			changes: fc
				.array(fc.tuple(fc.nat(12), changes), { maxLength: 8 })
				.map((list) => new Map(list)),
		});
	const nameOf = ({ id, updated_at: date }: Item): string => `${date} ${id}`;

	it('returns the newest records, newest first, while a record is added before every request', async () => {
		await fc.assert(
			fc.asyncProperty(histories(create), async ({ total, pageSize, limit }) => {
				const one = { kind: 'create', howMany: 1 } as const;
				const every = new Map(Array.from({ length: 100 }, (_none, at) => [at, one]));
				const list = new SandboxList(total, {}, every);
				const found = await read(list, limit, pageSize);
				const [first, second = first] = list.moments;
				expect([newestOf(first, limit), newestOf(second, limit)]).toContainEqual(found);
			}),
			{ numRuns: 200 },
		);
	});

	it('returns each record that stays in the list once, or fails because the list changes', async () => {
		let completed = 0;
		await fc.assert(
			fc.asyncProperty(histories(change), async ({ total, pageSize, limit, changes }) => {
				const list = new SandboxList(total, {}, changes);
				const found = (await read(list, limit, pageSize).catch((error: unknown) => {
					expect(error).toMatchObject({ kind: 'changedList' });
				})) as Item[] | undefined;
				if (found === undefined) return;
				completed++;
				const names = found.map(nameOf);
				expect(names).toEqual([...new Set(names)].sort().reverse());
				const stayed = list.moments[0]
					.map(nameOf)
					.filter((name) =>
						list.moments.every((items) => items.some((one) => nameOf(one) === name)),
					);
				const oldest = names.length < limit ? '' : (names.at(-1) ?? '');
				expect(names).toEqual(expect.arrayContaining(stayed.filter((name) => name >= oldest)));
			}),
			{ numRuns: 300 },
		);
		expect(completed, 'lists read to the end').toBeGreaterThan(280);
	});

	it('skips records that changed after the last page of the list was read', async () => {
		const many = { kind: 'update', place: 0, howMany: 12 } as const;
		// After this change, the second-to-last page holds eight records that were returned already, and two changed
		// records.
		const list = new SandboxList(30, {}, new Map([[2, many]]));
		expect(await read(list, 15)).toEqual(newestOf(list.moments[0], 15));
	});

	it('fails after three attempts if a page in the middle has too few records every time', async () => {
		const gone = new Map(
			Array.from({ length: 100 }, (_none, at) => [at, { kind: 'remove', place: 1 } as const]),
		);
		const list = new SandboxList(60, {}, gone);
		const short = async (request: PageRequest) => {
			const page = await list.servePage(request);
			if ('page' in request && request.page === 5) page.data.items.pop();
			return page;
		};
		const paging = { mode: 'cursor', limit: 30, pageSize: 10, sort: 'updated_at' } as const;
		await expect(readNewest(listOf(short), paging)).rejects.toMatchObject({ kind: 'changedList' });
		expect(list.moments).toHaveLength(3 * 3);
	});
});

describe('a service with unusual page numbering', () => {
	it.each<ListQuirks>([
		{ pages: 'refused' },
		{ pages: 'ignored' },
		{ pages: 'ignoredSilently' },
		{ descending: true },
	])('fails with "unnumbered" if numbered pages are unusable: %j', async (quirks) => {
		for (const [total, limit] of [
			[30, 5],
			[33, 25],
			// The last page of these 31 records has only one record, which cannot show the order of the list.
			[31, 1],
			[200, 150],
		]) {
			const list = new SandboxList(total, quirks);
			await expect(read(list, limit)).rejects.toMatchObject({ kind: 'unnumbered' });
		}
	});

	it('fails if the service returns more records per page than requested', async () => {
		const list = new SandboxList(30, { extraRecords: 2 });
		await expect(read(list, 5)).rejects.toMatchObject({ kind: 'changedList' });
	});

	it('fails if a list in descending order has only one page', async () => {
		const list = new SandboxList(9, { descending: true });
		await expect(read(list, 5)).rejects.toMatchObject({ kind: 'notAscending' });
	});

	it('fails if the list ends with records without a date', async () => {
		const list = new SandboxList(40, { undated: { every: 20, place: 'last' } });
		await expect(read(list, 3)).rejects.toMatchObject({ kind: 'unnumbered' });
	});

	it('accepts records without a date at the beginning of the list', async () => {
		const list = new SandboxList(40, { undated: { every: 20, place: 'first' } });
		expect(await read(list, 50)).toEqual(newestOf(list.items, 50));
	});
});
