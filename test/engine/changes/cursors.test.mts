/** Whatever the service's cursors are: a change comes, once, or a poll ends in an error. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sandboxCredentials, type Unkindness } from '../../sandbox/server.mts';
import { setClockForward } from '../harness/clock.mts';
import { useSandbox } from '../harness/support.mts';
import {
	drain,
	expectExactly,
	followers,
	requestsOf,
	someIds,
	type Follower,
	type Json,
} from './followers.mts';

const bench = useSandbox({ companies: 5, orders: 280, items: 5, deals: 5 });

// Full jitter makes waits after a 500 up to seconds long.
beforeEach(() => {
	vi.spyOn(Math, 'random').mockReturnValue(0.01);
});
afterEach(() => {
	vi.restoreAllMocks();
	bench.sandbox.setUnkind({});
	bench.sandbox.setLatency(0);
});

/** A kind of cursor, and what happens to those that are remembered before the next poll. */
interface Kind {
	name: string;
	unkind: Unkindness;
	between?: (follower: Follower) => Promise<void> | void;
}

const kinds: Kind[] = [
	{ name: 'keys', unkind: {} },
	{ name: 'positions', unkind: { cursorsArePositions: true } },
	{ name: 'page counts', unkind: { cursorsCountPages: true } },
	{ name: 'bound to a limit', unkind: { cursorsBoundToLimit: true } },
	{
		name: 'positions that are bound to a limit',
		unkind: { cursorsArePositions: true, cursorsBoundToLimit: true },
	},
	{ name: 'dead at the next poll', unkind: {}, between: () => bench.sandbox.expireCursors() },
	{
		name: 'bound to a key, which is another one at the next poll',
		unkind: { cursorsBoundToKey: true },
		between: async (follower) => await follower.change({ apiKey: sandboxCredentials.v2Regular }),
	},
];

/**
 * Reads until a cursor is remembered: only the second time it is known which records are old. All but the newest one are
 * older than the overlap, so that no page begins within it.
 */
async function settle(follower: Follower): Promise<void> {
	// The sandbox's clock goes on by a second with each change.
	for (let seconds = 0; seconds <= 30; seconds++)
		bench.sandbox.update('item', someIds(bench, 'item', 1));
	bench.sandbox.update('order', someIds(bench, 'order', 1));
	for (let times = 0; times < 3; times++) expect(await follower.next()).toEqual([]);
	expect(follower.remembered()).toContain('"cursor":');
}

/** Only the total shows that something is hidden. */
const frozen: Unkindness = { cursorsFreeze: true };

/** Lists that fit into one page have no cursor. */
const pageSize = 40;

/** Once more something changes, as a proof that the place is still right. */
async function expectStillFollowing(follower: Follower): Promise<void> {
	const ids = someIds(bench, 'order', 7, 133);
	bench.sandbox.update('order', ids);
	expectExactly(bench, 'order', await drain(follower), ids);
}

describe.each(followers)('%s', (_name, follow) => {
	describe.each(kinds)('where cursors are $name', ({ unkind, between }) => {
		it('gives each of 120 old records that are changed at once', async () => {
			bench.sandbox.setUnkind(unkind);
			const follower = await follow(bench, { objectType: 'order', options: { pageSize } });
			await settle(follower);
			const changed = someIds(bench, 'order', 120, 20);
			bench.sandbox.update('order', changed);
			await between?.(follower);
			expectExactly(bench, 'order', await drain(follower), changed);
			await expectStillFollowing(follower);
		});

		it('gives everything from the beginning once, in portions between which records change', async () => {
			bench.sandbox.setUnkind(unkind);
			const options = { pageSize };
			const settings = { objectType: 'order', startFrom: 'beginning', most: 50, options } as const;
			const follower = await follow(bench, settings);
			const came: Json[] = [];
			const changed = new Set<string>();
			for (let round = 0; round < 4; round++) {
				came.push(...(await follower.next()));
				const ids = someIds(bench, 'order', 7, round * 64);
				bench.sandbox.update('order', ids);
				for (const id of ids) changed.add(id);
				await between?.(follower);
			}
			came.push(...(await drain(follower)));
			// A record that changed after it was given comes again, by its new version.
			const all = [...bench.sandbox.records('order')].map(({ id }) => String(id));
			const newest = new Map(came.map((record) => [String(record.id), record]));
			expectExactly(bench, 'order', [...newest.values()], all);
			expect(came.length - newest.size).toBeLessThanOrEqual(changed.size);
			const versions = came.map(({ id, revision }) => `${String(id)} ${String(revision)}`);
			expect(new Set(versions).size).toBe(versions.length);
		});
	});

	it('gives what is new, each once, where a cursor shows the list as it was when it was begun', async () => {
		bench.sandbox.setUnkind(frozen);
		const follower = await follow(bench, { objectType: 'order', options: { pageSize: 100 } });
		await settle(follower);
		for (const count of [1, 130, 7]) {
			const created = bench.sandbox.create('order', count);
			expectExactly(bench, 'order', await drain(follower), created);
		}
		// What was found by the total does not have the list read again and again.
		const quiet = async () => expect(await follower.next()).toEqual([]);
		await quiet();
		expect(await requestsOf(bench, quiet), 'requests of a quiet poll').toBeLessThanOrEqual(3);
	});

	it('continues where Additional Parameters change, and gives nothing twice', async () => {
		bench.sandbox.setUnkind({ furtherParameters: ['status'] });
		const parameters = { values: [{ name: 'status', value: 'open' }] };
		const follower = await follow(bench, { objectType: 'order', startFrom: 'beginning' });
		await drain(follower);
		for (const additionalParameters of [parameters, undefined]) {
			const changed = someIds(bench, 'order', 20, 40);
			bench.sandbox.update('order', changed);
			await follower.change({ options: { ...(additionalParameters && { additionalParameters }) } });
			expectExactly(bench, 'order', await drain(follower), changed);
			expect(await drain(follower)).toEqual([]);
		}
	});

	it.each([400, 401, 403, 410, 500] as const)(
		'continues where a remembered cursor is refused to a new key by %i, while the list is answered',
		async (deadCursorStatus) => {
			bench.sandbox.setUnkind({ cursorsBoundToKey: true, deadCursorStatus });
			const follower = await follow(bench, { objectType: 'order', options: { pageSize } });
			await settle(follower);
			const changed = someIds(bench, 'order', 20, 180);
			bench.sandbox.update('order', changed);
			await follower.change({ apiKey: sandboxCredentials.v2Regular });
			expectExactly(bench, 'order', await drain(follower), changed);
			await expectStillFollowing(follower);
		},
	);

	it.each([401, 403, 500])(
		'fails where a key is refused by %i for the list as well, and loses nothing',
		async (status) => {
			const follower = await follow(bench, {
				objectType: 'order',
				options: { maxRetries: 1, pageSize },
			});
			await settle(follower);
			const changed = someIds(bench, 'order', 20, 100);
			bench.sandbox.update('order', changed);
			const path = '/v2/public/records/query';
			bench.sandbox.addFault({ path, status, times: Infinity });
			for (let polls = 0; polls < 2; polls++) {
				await expect(follower.next()).rejects.toMatchObject({ httpCode: String(status) });
			}
			bench.sandbox.clearFaults();
			expectExactly(bench, 'order', await drain(follower), changed);
		},
	);
});

const [[, followTrigger]] = followers;

describe('the trigger, where cursors die before the next poll and a poll cannot read the whole list', () => {
	it('continues from poll to poll where they live long enough', async () => {
		// One each second: so the overlap holds 30 of them, and all others are older.
		for (const id of someIds(bench, 'order', 40)) bench.sandbox.update('order', [id]);
		// A poll reads for 18 of its 30 s, and each request takes one: so a list of 70 pages takes several.
		bench.sandbox.setLatency(0, () => {
			setClockForward(1_000);
			return 0;
		});
		const short = { objectType: 'order', options: { pageSize: 4 }, budgetMs: 30_000 } as const;
		const follower = await followTrigger(bench, short);
		let polls = 0;
		for (let requests = 3; requests > 2 && polls < 60; polls++) {
			requests = await requestsOf(bench, async () => expect(await follower.next()).toEqual([]));
		}
		expect(polls, 'polls until one finds nothing left to read').toBeGreaterThan(3);
		expect(polls, 'polls until one finds nothing left to read').toBeLessThan(60);
		const changed = someIds(bench, 'order', 5, 200);
		bench.sandbox.update('order', changed);
		bench.sandbox.setLatency(0);
		expectExactly(bench, 'order', await drain(follower), changed);
	});
});
