/** Lists that end early, or come in another order (docs/assumptions.md, A1 and A3), while changes are followed. */
import { afterEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../harness/support.mts';
import { expectExactly, followers, someIds, type Follower, type Json } from './followers.mts';

const bench = useSandbox({ orders: 400 });

afterEach(() => bench.sandbox.setUnkind({}));

/** What comes until nothing does or a poll or run fails, and its error. */
async function drained(follower: Follower): Promise<{ records: Json[]; message?: string }> {
	const records: Json[] = [];
	for (let rounds = 0; rounds < 50; rounds++) {
		try {
			const more = await follower.next();
			if (more.length === 0) return { records };
			records.push(...more);
		} catch (error) {
			return { records, message: (error as Error).message };
		}
	}
	throw new Error('It does not come to rest.');
}

describe.each(followers)('%s', (_name, follow) => {
	it('a list that ends early is an error each time, and nothing is lost or comes twice by it', async () => {
		bench.sandbox.setUnkind({ rowCap: 50 });
		const orders = { objectType: 'order', startFrom: 'beginning', most: 1_000 } as const;
		const follower = await follow(bench, orders);
		const came: Json[] = [];
		for (let rounds = 0; rounds < 2; rounds++) {
			const { records, message } = await drained(follower);
			expect(message).toContain('The list ended early');
			came.push(...records);
		}
		bench.sandbox.setUnkind({});
		came.push(...(await drained(follower)).records);
		expectExactly(bench, 'order', came, someIds(bench, 'order', bench.sandbox.count('order')));
	});

	const late = { startFrom: 'date', startDate: '2090-01-01', options: { pageSize: 1 } } as const;
	it.each([{ startFrom: 'beginning' } as const, late])(
		'ends in an error where the list comes newest first: %j',
		async (settings) => {
			bench.sandbox.setUnkind({ descending: true });
			const { message } = await drained(await follow(bench, { objectType: 'order', ...settings }));
			expect(message).toMatch(/order|newest/i);
		},
	);
});
