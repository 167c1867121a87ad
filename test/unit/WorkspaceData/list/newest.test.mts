import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readNewest } from '../../../../nodes/WorkspaceData/list/newest.ts';
import { ChangingList, listOf, newestOf, type Change, type Unkind } from './changing-list.mts';

async function read(list: ChangingList, maximum: number, pageSize = 10): Promise<unknown[]> {
	const pages = await readNewest(
		{
			client: async (request: object) => await list.answer(request),
			source: { endpoint: { method: 'GET', path: '/' } },
			limits: () => ({ maxRetries: 0, maxWaitMs: 0, timeoutMs: 1 }),
		},
		{ mode: 'cursor', maximum, pageSize, sort: 'updated_at' },
	);
	return pages.flatMap(({ envelope }) => envelope.data.items);
}

describe('a list that stands still', () => {
	const sizes = {
		total: fc.integer({ min: 0, max: 60 }),
		pageSize: fc.integer({ min: 1, max: 25 }),
	};

	it('gives exactly the newest, each once, in exactly the reverse order', async () => {
		const caps = fc.record({ size: fc.integer({ min: 1, max: 12 }), isHonest: fc.boolean() });
		const cap = fc.option(caps, { nil: undefined });
		await fc.assert(
			fc.asyncProperty(
				fc.record({
					...sizes,
					cap,
					isRefused: fc.boolean(),
					maximum: fc.integer({ min: 1, max: 70 }),
				}),
				async ({ total, pageSize, cap: size, isRefused, maximum }) => {
					const pages = isRefused ? 'refusedAtEnd' : undefined;
					const list = new ChangingList(listOf(total), new Map(), { cap: size, pages });
					expect(await read(list, maximum, pageSize)).toEqual(newestOf(listOf(total), maximum));
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
		changes: fc.array(fc.tuple(fc.nat(12), change), { maxLength: 5 }).map((list) => new Map(list)),
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
				const list = new ChangingList(listOf(total), changes);
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
		{ pages: 'descending' },
		{ extra: 2 },
	])('is told apart: %j', async (unkind) => {
		for (const [total, maximum] of [
			[30, 5],
			[33, 25],
			[200, 150],
		]) {
			const list = new ChangingList(listOf(total), new Map(), unkind);
			await expect(read(list, maximum)).rejects.toMatchObject({ kind: 'unnumbered' });
		}
	});

	it('that gives records without a date last', async () => {
		const undated = [40, 41].map((id) => ({ id, updated_at: null }));
		const items = [...listOf(40), ...undated];
		await expect(read(new ChangingList(items), 3)).rejects.toMatchObject({ kind: 'unnumbered' });
	});

	it('may give them first', async () => {
		const items = [{ id: 40, updated_at: null }, ...listOf(40)];
		expect(await read(new ChangingList(items), 50)).toEqual(newestOf(items, 50));
	});
});
