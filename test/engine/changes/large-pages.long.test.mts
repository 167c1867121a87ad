/** A service that ignores `limit`: pages too large for all of their records to be remembered. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Unkindness } from '../../sandbox/server.mts';
import { useSandbox } from '../harness/support.mts';
import { drain, expectExactly, followers, someIds, type Json } from './followers.mts';

const MOST_STATE = 64 * 1024;
const bench = useSandbox({ companies: 5, orders: 5, items: 20_000, deals: 5 });

afterEach(() => bench.sandbox.setUnkind({}));

describe.each(followers)('%s', (_name, follow) => {
	describe('a service that ignores the limit, with 20,000 records', () => {
		const unkind: Unkindness = { pageSizeAlways: 20_000 };

		it('is followed from now on with little to remember', async () => {
			bench.sandbox.setUnkind(unkind);
			const follower = await follow(bench, { objectType: 'item' });
			expect(await drain(follower)).toEqual([]);
			expect(follower.remembered().length).toBeGreaterThan(100);
			expect(follower.remembered().length).toBeLessThan(MOST_STATE);
			const changed = someIds(bench, 'item', 30, 7_000);
			bench.sandbox.update('item', changed);
			expectExactly(bench, 'item', await drain(follower), changed);
			expect(follower.remembered().length).toBeLessThan(MOST_STATE);
		});

		it('gives each record once from the beginning, in portions', async () => {
			bench.sandbox.setUnkind(unkind);
			const settings = { objectType: 'item', startFrom: 'beginning', most: 7_000 } as const;
			const follower = await follow(bench, settings);
			const came: Json[] = [];
			for (
				let portion = await follower.next();
				portion.length > 0;
				portion = await follower.next()
			) {
				for (const record of portion) came.push(record);
				expect(follower.remembered().length).toBeLessThan(MOST_STATE);
			}
			expectExactly(bench, 'item', came, someIds(bench, 'item', 20_000));
		});
	});
});
