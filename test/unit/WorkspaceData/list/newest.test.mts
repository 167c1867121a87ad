import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readNewest } from '../../../../nodes/WorkspaceData/list/newest.ts';
import type { Task } from '../../../../nodes/WorkspaceData/task.ts';
import {
	ChangingList,
	listOf,
	newestOf,
	type Change,
	type Item,
	type Unkind,
} from './changing-list.mts';

async function read(list: ChangingList, maximum: number, pageSize = 10): Promise<unknown[]> {
	const session = {
		client: async (request: object) => await list.answer(request),
		throwIfCancelled: () => undefined,
	};
	const parameters = {
		source: { endpoint: { method: 'GET', path: '/' } },
		limits: { maxRetries: 0, maxWaitMs: 0, timeoutMs: 1 },
		changedAfter: undefined,
	} as const;
	const newest = { mode: 'cursor', maximum, pageSize, sort: 'updated_at' } as const;
	return await readNewest({ session } as unknown as Task, parameters, newest);
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
				fc.record({ ...sizes, cap, maximum: fc.integer({ min: 1, max: 70 }) }),
				async ({ total, pageSize, cap: size, maximum }) => {
					const list = new ChangingList(listOf(total), new Map(), { cap: size });
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
		fc.record({ kind: fc.constant('remove' as const), place: fc.nat(100) }),
	);
	const changes = (kinds: fc.Arbitrary<Change>) =>
		fc.array(fc.tuple(fc.nat(12), kinds), { maxLength: 5 }).map((list) => new Map(list));
	const histories = (kinds: fc.Arbitrary<Change>) =>
		fc.record({
			total: fc.integer({ min: 1, max: 60 }),
			pageSize: fc.integer({ min: 2, max: 15 }),
			maximum: fc.integer({ min: 1, max: 70 }),
			changes: changes(kinds),
		});

	it('gives the newest as they were at one moment, as long as nothing is deleted', async () => {
		await fc.assert(
			fc.asyncProperty(
				histories(change.filter(({ kind }) => kind !== 'remove')),
				async ({ total, pageSize, maximum, changes: history }) => {
					const list = new ChangingList(listOf(total), history);
					const found = await read(list, maximum, pageSize);
					const possible = list.moments.map((items) => newestOf(items, maximum));
					expect(possible).toContainEqual(found);
				},
			),
			{ numRuns: 300 },
		);
	});

	it('gives each record once and leaves out none that was there all the time', async () => {
		await fc.assert(
			fc.asyncProperty(
				histories(change),
				async ({ total, pageSize, maximum, changes: history }) => {
					const list = new ChangingList(listOf(total), history);
					const found = (await read(list, maximum, pageSize).catch((error: unknown) => {
						expect(error).toMatchObject({ kind: 'changedList' });
						return undefined;
					})) as Item[] | undefined;
					if (found === undefined) return;
					const ids = new Set(found.map(({ id }) => id));
					expect(ids.size).toBe(found.length);
					const wasThere = ({ id }: Item): boolean =>
						list.moments.every((items) => items.some((item) => item.id === id));
					const wanted = newestOf(list.items, maximum).filter(wasThere);
					const removals = [...history.values()].filter(({ kind }) => kind === 'remove').length;
					const updated = wanted.filter((item) => (item.updated_at ?? 0) > 1_000_000).length;
					const missing = wanted.filter(({ id }) => !ids.has(id)).length;
					expect(missing).toBeLessThanOrEqual(removals + updated);
				},
			),
			{ numRuns: 300 },
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
