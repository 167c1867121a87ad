/** Lists that seem to end early (docs/assumptions.md, A3): every record comes once, or an error counts. */
import { afterEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../harness/support.mts';
import {
	distinctOf,
	endedEarly,
	expectEachOnce,
	overestimated,
	provenShort,
	readWhole,
	RECORDS,
	titled,
	type EarlyEnd,
} from '../unkind/ends.mts';
import { expectExactly, followers, someIds, type Follower, type Json } from './followers.mts';

const { followedCompany, order } = RECORDS;
const bench = useSandbox({ companies: followedCompany, orders: order, items: 30 });

afterEach(() => bench.sandbox.setUnkind({}));

/** What comes until nothing does or a poll or run fails, and its error. */
async function drained(
	follower: Follower,
): Promise<{ records: Json[]; error?: Error & { description?: string } }> {
	const records: Json[] = [];
	for (let rounds = 0; rounds < 50; rounds++) {
		try {
			const more = await follower.next();
			if (more.length === 0) return { records };
			records.push(...more);
		} catch (error) {
			return { records, error: error as Error };
		}
	}
	throw new Error('It does not come to rest.');
}

describe.each(followers)('%s', (_name, follow) => {
	/** From the beginning, in several portions, each with room for a larger page. */
	const start = async (
		{ objectType, options }: Omit<EarlyEnd, 'unkind'>,
		most = objectType === 'order' ? 600 : 1_000,
	): Promise<Follower> =>
		await follow(bench, { objectType, options, startFrom: 'beginning', most });

	it.each(titled(readWhole))('$title: all comes, and then what changes', async (end) => {
		bench.sandbox.setUnkind(end.unkind);
		const follower = await start(end);
		const { records, error } = await drained(follower);
		expect(error?.message).toBeUndefined();
		expectEachOnce(bench.sandbox, end.objectType, records);
		const changed = someIds(bench, end.objectType, 10, 40);
		bench.sandbox.update(end.objectType, changed);
		const later = await drained(follower);
		expect(later.error?.message).toBeUndefined();
		expectExactly(bench, end.objectType, later.records, changed);
	});

	it.each(titled(provenShort))('$title: only $came, which is an error', async (end) => {
		const { unkind, came, objectType, total = bench.sandbox.count(objectType) } = end;
		bench.sandbox.setUnkind(unkind);
		const follower = await start(end);
		const { records, error } = await drained(follower);
		expect(error?.message).toBe(endedEarly(came, total));
		expect(error?.description).toContain('Ignore Total');
		expect(distinctOf(objectType, records).size).toBe(records.length);
		expect(records.length).toBeLessThanOrEqual(came);
		// It stays an error while the service is like that, and nothing comes twice afterwards.
		const again = await drained(follower);
		expect(again.error?.message).toContain('The list ended early');
		bench.sandbox.setUnkind({});
		const rest = await drained(follower);
		expect(rest.error?.message).toBeUndefined();
		expectEachOnce(bench.sandbox, objectType, [...records, ...again.records, ...rest.records]);
	});

	it.each(titled(overestimated))('$title: an error with both numbers', async (end) => {
		const { unkind, came, objectType, total = bench.sandbox.count(objectType) } = end;
		bench.sandbox.setUnkind(unkind);
		// In portions, each continues from a cursor, where the total cannot tell: all records come.
		const inPortions = await drained(await start(end));
		expect(inPortions.error?.message).toBeUndefined();
		expectEachOnce(bench.sandbox, objectType, inPortions.records);
		const { records, error } = await drained(await start(end, 1_000));
		expect(error?.message).toBe(endedEarly(came, total));
		// Until it is read with Ignore Total, nothing of it is given.
		expect(records).toEqual([]);
	});

	it('is an error each time where nothing shows the end, and nothing is lost by it', async () => {
		bench.sandbox.setUnkind({ refusePageSizeBelow: 100, total: 'absent' });
		const follower = await follow(bench, { objectType: 'item', startFrom: 'beginning', most: 20 });
		const came: Json[] = [];
		for (let rounds = 0; rounds < 3; rounds++) {
			const { records, error } = await drained(follower);
			expect(error?.message).toBe('The service does not show whether the list has ended');
			came.push(...records);
			bench.sandbox.create('item', 2);
		}
		bench.sandbox.setUnkind({});
		came.push(...(await drained(follower)).records);
		expectExactly(bench, 'item', came, someIds(bench, 'item', bench.sandbox.count('item')));
	});

	const late = { startFrom: 'date', startDate: '2090-01-01', options: { pageSize: 1 } } as const;
	it.each([{ startFrom: 'beginning' } as const, late])(
		'ends in an error where the list comes newest first: %j',
		async (settings) => {
			bench.sandbox.setUnkind({ descending: true });
			const { error } = await drained(await follow(bench, { objectType: 'order', ...settings }));
			expect(error?.message).toMatch(/order|newest/i);
		},
	);
});
