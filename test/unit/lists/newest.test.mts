import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readNewest } from '../../../nodes/lists/newest.ts';
import { listOf } from './read-pages.mts';
import { newestOf, SandboxList, type Change, type Item, type Unkind } from './sandbox-list.mts';

async function readPages(list: SandboxList, maximum: number, pageSize = 10, range = {}) {
	const paging = { mode: 'cursor', maximum, pageSize, range, sort: 'updated_at' } as const;
	return await readNewest(listOf(list.servePage), paging);
}

async function read(...given: Parameters<typeof readPages>): Promise<unknown[]> {
	return (await readPages(...given)).flatMap(({ envelope }) => envelope.data.items);
}

describe('a list that stands still', () => {
	const sizes = {
		total: fc.integer({ min: 0, max: 60 }),
		pageSize: fc.integer({ min: 1, max: 25 }),
	};

	it('looks at the date of each record at most twice, however long it is', async () => {
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

	it('is numbered from its newest page on, and counts what is given', async () => {
		const pages = await readPages(new SandboxList(25), 12);
		expect(pages).toMatchObject([
			{ number: 1, recordsRead: 5, isLast: false },
			{ number: 2, recordsRead: 12, isLast: true },
		]);
	});

	it.each([
		['the first page, the last and the one after it', 60, 10, undefined, 3],
		['and those before the last, and the last again', 60, 11, undefined, 5],
		['and none that is older than Changed After', 60, 60, 45, 5],
		['and none where the oldest of a page is as old as that', 60, 60, 50, 3],
		['only the first where that is all', 9, 60, undefined, 1],
	])('is asked for %s', async (_which, records, maximum, after, requests) => {
		const list = new SandboxList(records);
		const dateOf = ({ updated_at: date }: Item): number => Date.parse(date ?? '');
		const range = after === undefined ? {} : { after: dateOf(list.items[after]) };
		const wanted = list.items.filter((item) => dateOf(item) > (range.after ?? 0));
		expect(await read(list, maximum, 10, range)).toEqual(newestOf(wanted, maximum));
		expect(list.moments).toHaveLength(requests);
	});

	it('may have no total where it has no records', async () => {
		expect(await read(new SandboxList(0, { total: 'absent' }), 5)).toEqual([]);
		const list = new SandboxList(3, { total: 'absent' });
		await expect(read(list, 5)).rejects.toMatchObject({ kind: 'unnumbered' });
	});

	it('gives exactly the newest, each once, in exactly the reverse order', async () => {
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
					maximum: fc.integer({ min: 1, max: 70 }),
				}),
				async ({ total, pageSize, caps: unkind, isRefused, maximum }) => {
					const pages = isRefused ? ('refusedAtEnd' as const) : undefined;
					const list = new SandboxList(total, { ...unkind, pages });
					expect(await read(list, maximum, pageSize)).toEqual(newestOf(list.items, maximum));
				},
			),
			{ numRuns: 300 },
		);
	});
});

describe('a list that changes while it is read', () => {
	const change: fc.Arbitrary<Change> = fc.oneof(
		fc.record({ kind: fc.constant('create' as const), howMany: fc.integer({ min: 1, max: 4 }) }),
		fc.record({
			kind: fc.constant('update' as const),
			place: fc.nat(100),
			howMany: fc.integer({ min: 1, max: 3 }),
		}),
		fc.record({ kind: fc.constantFrom('insert' as const, 'remove' as const), place: fc.nat(100) }),
	);
	const histories = fc.record({
		total: fc.integer({ min: 1, max: 60 }),
		pageSize: fc.integer({ min: 2, max: 15 }),
		maximum: fc.integer({ min: 1, max: 70 }),
		// Where as many come as go, the total does not show it.
		changes: fc
			.array(fc.tuple(fc.nat(12), change), { maxLength: 5 })
			.filter((list) => !list.some(([, { kind }]) => kind === 'remove') || list.length === 1)
			.map((list) => new Map(list)),
	});

	const insert = { kind: 'insert', place: 0 } as Change;
	const update = { kind: 'update', place: 88, howMany: 1 } as Change;
	// Told as a service without numbered pages once, and a record that was left out.
	const examples = [
		{ total: 4, pageSize: 3, maximum: 1, changes: new Map([[1, insert]]) },
		{ total: 45, pageSize: 2, maximum: 2, changes: new Map([[2, update]]).set(3, insert) },
	];

	it('gives the newest as they were at one moment, or says that it keeps changing', async () => {
		await fc.assert(
			fc.asyncProperty(histories, async ({ total, pageSize, maximum, changes }) => {
				const list = new SandboxList(total, {}, changes);
				const found = await read(list, maximum, pageSize).catch((error: unknown) => {
					expect(error).toMatchObject({ kind: 'changedList' });
				});
				const possible = list.moments.map((items) => newestOf(items, maximum));
				if (found !== undefined) expect(possible).toContainEqual(found);
			}),
			{ numRuns: 300, examples: examples.map((one): [typeof one] => [one]) },
		);
	});
});

describe('a service that does not lead to its newest records', () => {
	it.each<Unkind>([
		{ pages: 'refused' },
		{ pages: 'ignored' },
		{ pages: 'ignoredSilently' },
		{ descending: true },
		{ extraRecords: 2 },
	])('is told apart: %j', async (unkind) => {
		for (const [total, maximum] of [
			[30, 5],
			[33, 25],
			// Its last page alone shows no order.
			[31, 1],
			[200, 150],
		]) {
			const list = new SandboxList(total, unkind);
			await expect(read(list, maximum)).rejects.toMatchObject({ kind: 'unnumbered' });
		}
	});

	it('that gives its newest first on its only page', async () => {
		const list = new SandboxList(9, { descending: true });
		await expect(read(list, 5)).rejects.toMatchObject({ kind: 'notAscending' });
	});

	it('that gives records without a date last', async () => {
		const list = new SandboxList(40, { undated: { every: 20, place: 'last' } });
		await expect(read(list, 3)).rejects.toMatchObject({ kind: 'unnumbered' });
	});

	it('may give them first', async () => {
		const list = new SandboxList(40, { undated: { every: 20, place: 'first' } });
		expect(await read(list, 50)).toEqual(newestOf(list.items, 50));
	});
});
