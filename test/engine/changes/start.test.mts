/** Where following begins: now, at the beginning, at a date. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Unkindness } from '../../sandbox/server.mts';
import { useSandbox } from '../harness/support.mts';
import { drain, expectExactly, followers, requestsOf, someIds, type Json } from './followers.mts';

const bench = useSandbox({ companies: 3_000, orders: 300, items: 5, deals: 5 });

afterEach(() => bench.sandbox.setUnkind({}));

/** The records by one of their dates, as the kind sandbox gives it. */
function byDate(field: 'created_at' | 'updated_at'): Json[] {
	const records: Json[] = [...bench.sandbox.records('order')];
	return records.toSorted((one, other) => String(one[field]).localeCompare(String(other[field])));
}

describe.each(followers)('%s', (_name, follow) => {
	const firstAnswers: Unkindness[] = [
		{ emptyPages: { count: 1, at: 0 } },
		{ emptyPages: { count: 3, at: 0 } },
		{ total: { factor: 0.5 } },
		{ total: { factor: 0.001 } },
		{ total: 'absent' },
		{ emptyPages: { count: 1, at: 0 }, total: { factor: 0.5 } },
		{ emptyPages: { count: 2, at: 100 }, cursorsArePositions: true },
		{ rowCap: 250 },
		{ nothingAbove: 100 },
	];

	it.each(firstAnswers)(
		'gives nothing old from now on, where the service has %j',
		async (unkind) => {
			bench.sandbox.setUnkind(unkind);
			const follower = await follow(bench, { objectType: 'order' });
			expect(await drain(follower)).toEqual([]);
			const changed = [...someIds(bench, 'order', 12, 130), ...bench.sandbox.create('order', 3)];
			bench.sandbox.update('order', changed.slice(0, 12));
			expectExactly(bench, 'order', await drain(follower), changed);
			expect(await drain(follower)).toEqual([]);
		},
	);

	it('reads 3,000 records from now on in a few requests, however few a poll may give', async () => {
		const follower = await follow(bench, { most: 10 });
		const requests = await requestsOf(bench, async () => expect(await drain(follower)).toEqual([]));
		expect(requests).toBeLessThanOrEqual(8);
		const changed = someIds(bench, 'company', 35, 1_000);
		bench.sandbox.update('company', changed);
		const came: Json[] = [];
		const more = await requestsOf(bench, async () => {
			for (let portion: Json[] = []; ; came.push(...portion)) {
				portion = await follower.next();
				expect(portion.length, 'portion').toBeLessThanOrEqual(10);
				if (portion.length === 0) break;
			}
		});
		expectExactly(bench, 'company', came, changed);
		// What a new place reads again once, and two for each portion.
		expect(more).toBeLessThanOrEqual(18);
	});

	describe('from a date on', () => {
		it.each(['recordUpdated', 'recordCreated'] as const)(
			'%s: gives exactly what changed later, and then what changes',
			async (event) => {
				const field = event === 'recordCreated' ? 'created_at' : 'updated_at';
				const records = byDate(field);
				const startDate = String(records[Math.floor(records.length * 0.6)]?.[field]);
				const later = records.filter((record) => String(record[field]) > startDate);
				// Some have exactly that date, and are not later.
				expect(later.length, 'later').toBeGreaterThan(40);
				expect(later.length, 'later').toBeLessThan(records.length * 0.4);
				const follower = await follow(bench, {
					objectType: 'order',
					event,
					startFrom: 'date',
					startDate,
				});
				const ids = later.map(({ id }) => String(id));
				expectExactly(bench, 'order', await drain(follower), ids);
				const created = bench.sandbox.create('order', 4);
				expectExactly(bench, 'order', await drain(follower), created);
				expect(await drain(follower)).toEqual([]);
			},
		);

		it('does not begin again at another date', async () => {
			const [early, late] = [byDate('updated_at')[40], byDate('updated_at')[250]];
			const settings = { objectType: 'order', startFrom: 'date' } as const;
			const follower = await follow(bench, { ...settings, startDate: String(late?.updated_at) });
			expect((await drain(follower)).length).toBeGreaterThan(0);
			await follower.change({ startDate: String(early?.updated_at) });
			expect(await drain(follower)).toEqual([]);
		});
	});

	it('begins again once for each new text in Start Over, as Start From says', async () => {
		const count = bench.sandbox.count('order');
		const follower = await follow(bench, { objectType: 'order', startFrom: 'beginning' });
		expect(await drain(follower)).toHaveLength(count);
		await follower.change({ options: { startOver: 'again' } });
		expect(await drain(follower)).toHaveLength(count);
		await follower.change({ options: { startOver: ' again ' } });
		expect(await drain(follower)).toEqual([]);
		bench.sandbox.update('order', someIds(bench, 'order', 3));
		expect(await drain(follower)).toHaveLength(3);
	});

	it('asks once where nothing has changed, after many changes too', async () => {
		const follower = await follow(bench);
		expect(await drain(follower)).toEqual([]);
		const quiet = async (): Promise<number> =>
			await requestsOf(bench, async () => expect(await follower.next()).toEqual([]));
		await quiet();
		for (let polls = 0; polls < 3; polls++) expect(await quiet()).toBe(1);
		// Each is dated a second later, so that the overlap holds 30 of them.
		for (const id of someIds(bench, 'company', 60, 2_000)) bench.sandbox.update('company', [id]);
		expect(await drain(follower)).toHaveLength(60);
		await quiet();
		for (let polls = 0; polls < 3; polls++) expect(await quiet()).toBe(1);
	});
});
