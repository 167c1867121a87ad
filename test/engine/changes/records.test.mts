/** Whatever the service's records and pages look like. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Unkindness } from '../../sandbox/server.mts';
import { useSandbox } from '../harness/support.mts';
import { drain, expectExactly, followers, someIds } from './followers.mts';

const bench = useSandbox({ companies: 2_600, orders: 300, items: 2_200, deals: 5 });

afterEach(() => bench.sandbox.setUnkind({}));

const writings: Unkindness[] = [
	{},
	// Text that names no zone is UTC.
	...(['s', 'ms', 'us', 'ns', 'secondsText', 'withoutZone'] as const).map((dates) => ({ dates })),
];

describe.each(followers)('%s', (_name, follow) => {
	describe.each(writings)('dates written as with %j', (unkind) => {
		it('reach back over the overlap, so that a late change comes', async () => {
			const options = { pageSize: 5, overlapSeconds: 25 };
			bench.sandbox.setUnkind(unkind);
			const follower = await follow(bench, { objectType: 'order', options });
			expect(await drain(follower)).toEqual([]);
			// One each second: so the overlap holds 25 of them, and five pages.
			const changed = someIds(bench, 'order', 60);
			for (const id of changed) bench.sandbox.update('order', [id]);
			expectExactly(bench, 'order', await drain(follower), changed);
			expect(await drain(follower)).toEqual([]);
			const late = someIds(bench, 'order', 3, 200);
			for (const [place, seconds] of [2, 12, 23].entries()) {
				bench.sandbox.update('order', [late[place] ?? ''], seconds * 1_000);
			}
			expectExactly(bench, 'order', await drain(follower), late);
			// Others of the newest date, after which the clock stands still.
			const same = someIds(bench, 'order', 2, 220);
			bench.sandbox.update('order', same, 0);
			expectExactly(bench, 'order', await drain(follower), same);
			expect(await drain(follower)).toEqual([]);
		});

		it('are compared with a Start Date', async () => {
			const dated = [...bench.sandbox.records('order')].map(({ id, updated_at: date }) => ({
				id: String(id),
				date: String(date),
			}));
			const startDate = dated.map(({ date }) => date).toSorted()[180] ?? '';
			const later = dated.filter(({ date }) => date > startDate).map(({ id }) => id);
			bench.sandbox.setUnkind(unkind);
			const follower = await follow(bench, { objectType: 'order', startFrom: 'date', startDate });
			expectExactly(bench, 'order', await drain(follower), later);
		});
	});

	describe.each(['first', 'last'] as const)('records without a date, which come %s', (place) => {
		it('are followed up to 2,000', async () => {
			bench.sandbox.setUnkind({ undated: { every: 2, place } });
			const settings = { startFrom: 'beginning', most: 700 } as const;
			const follower = await follow(bench, settings);
			expectExactly(bench, 'company', await drain(follower), someIds(bench, 'company', 2_600));
			for (let round = 0; round < 2; round++) {
				const changed = someIds(bench, 'company', 40, round * 1_200);
				bench.sandbox.update('company', changed);
				expectExactly(bench, 'company', await drain(follower), changed);
			}
			expect(await drain(follower)).toEqual([]);
		});

		it.each(['now', 'beginning'] as const)(
			'and are more: an error that names the date field, in each poll (from %s on)',
			async (startFrom) => {
				const fresh = { undated: { every: 1, place } };
				bench.sandbox.setUnkind(fresh);
				const follower = await follow(bench, { objectType: 'item', startFrom });
				for (let polls = 0; polls < 2; polls++) {
					const error: unknown = await drain(follower).catch((thrown: unknown) => thrown);
					expect(error).toBeInstanceOf(Error);
					const { message, description = '' } = error as Error & { description?: string };
					expect(`${message} ${description}`).toContain('updated_at');
					expect(message).toMatch(/date/i);
					expect(description).not.toBe('');
				}
			},
		);
	});
});
