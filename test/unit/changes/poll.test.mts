import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Bookmark } from '../../../nodes/changes/bookmark.ts';
import { Overlap } from '../../../nodes/changes/overlap.ts';
import { readChanges, type Portion } from '../../../nodes/changes/poll.ts';
import type { VersionedPage } from '../../../nodes/changes/reader.ts';
import { NEXT_DATE, type State, type ChangesSettings } from '../../../nodes/changes/state.ts';
import { OLDER, type Note } from '../../../nodes/changes/notes.ts';
import { digestOf } from '../../../nodes/client/exact-json.ts';
import type { Version } from '../../../nodes/lists/version.ts';
import { Follower, stateAt } from './follower.mts';
import { formats } from './record-text.mts';
import { undatedFirst, undatedLast, type ServiceTraits } from './service-traits.mts';

const AT_1970: ChangesSettings = { overlapMs: 30_000, now: () => 0, room: () => 1 };

describe('a poll that finds nothing new', () => {
	it.each<[number, Partial<ServiceTraits>]>([
		...[40, 100, 1_005, 10_000].map((count): [number, object] => [count, {}]),
		[1_005, { silentPageCap: 60 }],
		[1_005, { extraRecords: 5, pageSize: 20 }],
		[1_005, { trailingCursor: 'toItself' }],
	])('is one request (%i records, %j)', async (count, traits) => {
		for (const startFrom of ['now', 'beginning'] as const) {
			const follower = await new Follower(traits, startFrom).fill(count).settle();
			// Within the overlap, something late may still come before the last few.
			follower.service.tick(40);
			await follower.poll();
			for (let polls = 0; polls < 3; polls++) {
				expect(await follower.poll()).toMatchObject({ requests: 1, reachedEnd: true, records: [] });
			}
		}
	});

	it.each([5, 100, 250])(
		'is one request once the overlap has passed, where a page ends just before the last %i changes',
		async (count) => {
			const follower = await new Follower({ pageSize: 100 }).fill(1_000).settle();
			follower.service.tick(100);
			follower.service.create(count);
			expect((await follower.poll()).records).toHaveLength(count);
			// Until then, something late may come before them.
			expect((await follower.poll()).requests, 'requests').toBeGreaterThan(1);
			// The first time that n8n's clock, which is 5 s behind, has come to it.
			follower.service.tick(5);
			await follower.poll();
			follower.service.tick(32);
			await follower.poll();
			const { state } = follower;
			expect(await follower.poll()).toMatchObject({ requests: 1, records: [], state });
		},
	);
});

it('a quiet poll is one request also where polls come more often than the overlap is long', async () => {
	const follower = await new Follower({ pageSize: 100 }).fill(1_000).settle();
	follower.service.tick(100);
	follower.service.create(250);
	await follower.poll();
	const requests: number[] = [];
	for (let polls = 0; polls < 8; polls++) {
		follower.service.tick(10);
		requests.push((await follower.poll()).requests);
	}
	// The bookmark moves once the overlap, and a second, has passed since n8n's clock had come to them.
	expect(requests.slice(5)).toEqual([1, 1, 1]);
});

it('begins a page earlier, and no more, where something late may come, also where pages are shorter than asked for', async () => {
	const traits = { silentPageCap: 10, pageSize: 500 };
	const follower = await new Follower(traits, 'beginning').fill(1_000).settle();
	follower.service.tick(60);
	await follower.poll();
	follower.service.create(20);
	await follower.poll();
	expect((await follower.poll()).requests, 'requests').toBeLessThanOrEqual(4);
});

describe('where the same records change ever again, as a workflow does that writes back what it has got', () => {
	it.each([
		// Of 200 pages, fewer than one and as many as 5 and 20.
		[15, 'key', 7],
		[125, 'key', 16],
		[125, 'position', 16],
		[500, 'key', 60],
	] as const)(
		'%i of them, and cursors are as "%s", polls need few requests (%i), and nothing is lost',
		async (count, cursors, most) => {
			const follower = await new Follower({ cursors, pageSize: 25 }).fill(5_000, 1).settle();
			for (let polls = 0; polls < 2; polls++) {
				follower.service.tick(40);
				await follower.poll();
			}
			for (let round = 0; round < 8; round++) {
				follower.service.update(1_700, count);
				follower.service.tick(10);
				const found = await follower.poll();
				expect(new Set(found.names).size).toBe(count);
				expect(found.requests, 'requests').toBeLessThanOrEqual(most);
				for (let polls = 0; polls < 3; polls++) {
					follower.service.tick(40);
					const { names, requests } = await follower.poll();
					expect(names).toEqual([]);
					expect(requests, 'requests of a quiet poll').toBeLessThanOrEqual(polls < 2 ? most : 1);
				}
			}
		},
	);
});

it('gives 20,000 records once each over many polls, each of which reads one page again', async () => {
	const limits = { maxRecordsPerPoll: 2_500 };
	const follower = new Follower({ pageSize: 1_000 }, 'beginning', limits).fill(20_000, 1);
	const { names, requests, polls } = await follower.pollAll();
	expect(names).toHaveLength(20_000);
	expect(new Set(names).size).toBe(20_000);
	// Its first record shows that the saved cursor leads there; a poll that is full may leave half of its last page.
	expect(requests, 'requests').toBeLessThanOrEqual(polls * (2.5 + 0.5 + 1));
});

it.each([
	['key', 0],
	['key', 3],
	['position', 0],
	['limit', 2],
] as const)(
	'says once that older records were added, which do not come (cursors: %s; %i newer ones come)',
	async (cursors, newer) => {
		const follower = new Follower({ cursors, pageSize: 20 }, 'beginning');
		const { service } = follower;
		service.create(30);
		service.hideLast(20);
		service.tick(100);
		follower.fill(500);
		const said: Note[] = [];
		const poll = async () => {
			const { names, notes } = await follower.poll();
			said.push(...notes);
			return names;
		};
		for (let polls = 0; polls < 4; polls++) await poll();
		// Neither what is gone nor what is newer hides it, nor is either of them taken for it.
		service.remove(100, 5);
		expect(await poll()).toEqual([]);
		service.create(4);
		expect(await poll()).toHaveLength(4);
		expect(said).toEqual([]);
		service.hideLast(0);
		service.create(newer);
		expect(await poll()).toHaveLength(newer);
		expect(said).toEqual([OLDER]);
		for (let polls = 0; polls < 4; polls++) expect(await poll()).toEqual([]);
		expect(said).toEqual([OLDER]);
	},
);

it('does not give again what a copy that lags behind did not show for a while', async () => {
	const follower = await new Follower().fill(1_000).settle();
	follower.service.tick(60);
	follower.service.create(5);
	expect((await follower.poll()).records).toHaveLength(5);
	follower.service.hideLast(3);
	expect(await follower.poll()).toMatchObject({ records: [], notes: [] });
	follower.service.hideLast(0);
	expect(await follower.poll()).toMatchObject({ records: [], notes: [] });
	expect((await follower.pollAll()).names).toEqual([]);
});

it.each(['toEmpty', 'toItself'] as const)(
	'takes what leads nowhere for the end, also from a saved cursor on (%s)',
	async (trailingCursor) => {
		const follower = await new Follower({ trailingCursor, pageSize: 50 }).fill(431).settle();
		const names: string[] = [];
		for (let polls = 0; polls < 7; polls++) {
			follower.service.tick(60);
			follower.service.create(20);
			const { records, ...more } = await follower.poll();
			names.push(...more.names);
			expect(records).toHaveLength(20);
			expect(more.requests, 'requests').toBeLessThan(5);
		}
		expect(new Set(names).size).toBe(140);
	},
);

it.each(Object.keys(formats).filter((form) => form !== 'day'))(
	'gives nothing again where the service writes the same dates in another form (%s)',
	async (form) => {
		for (const ids of ['text', 'big'] as const) {
			const resolutionMs = form === 'http' ? 1_000 : 1;
			const follower = new Follower({ ids, resolutionMs }, 'beginning').fill(450, 1.457);
			await follower.settle();
			follower.service.traits.dateFormat = form as keyof typeof formats;
			expect((await follower.pollAll()).names).toEqual([]);
			follower.service.create(5);
			expect((await follower.pollAll()).names).toHaveLength(5);
		}
	},
);

describe('where records are dated ahead of the clock', () => {
	const HOUR_MS = 3_600_000;
	const DAY_MS = 24 * HOUR_MS;
	const aheads = [60_000, 9 * HOUR_MS, 30 * HOUR_MS, 36 * 365 * DAY_MS];
	it.each(aheads.flatMap((ms) => [20, 250].map((count) => [count, ms])))(
		'nothing that changes after %i that are %i ms ahead is lost, and nothing comes twice',
		async (count, aheadMs) => {
			const follower = await new Follower({ pageSize: 100 }, 'beginning').fill(1_000).settle();
			const { service } = follower;
			for (let made = 0; made < count; made++) service.create(1, aheadMs + made * 60_000);
			expect((await follower.pollAll()).names).toHaveLength(count);
			for (let hours = 0; hours < 60; hours++) {
				service.tick(hours % 2 === 0 ? 30 : 7_170);
				const made = service.create(5);
				service.beginLate(1);
				expect((await follower.pollAll()).names).toHaveLength(made.length);
				service.tick(20);
				service.commitLate();
				expect((await follower.pollAll()).names).toHaveLength(1);
			}
		},
	);

	it('what is dated ahead is given once, and its change to an older date as well', async () => {
		const follower = await new Follower({}, 'beginning').fill(100).settle();
		const { service } = follower;
		const ahead = service.create(3, 3 * DAY_MS);
		expect((await follower.pollAll()).names).toHaveLength(3);
		// As by a copy of n8n whose clock is behind, or ahead.
		for (const clockAheadMs of [-2 * DAY_MS, 2.5 * DAY_MS, 0]) {
			service.traits.clockAheadMs = clockAheadMs;
			expect((await follower.pollAll()).names).toEqual([]);
		}
		service.tick(60);
		service.update(ahead[0], 1);
		expect((await follower.pollAll()).names).toHaveLength(1);
	});

	it.each([
		[1_500, 501, true],
		[501, 1_500, false],
	])(
		'more than 2,000 are an error, which names the clock of n8n where most are ahead (%i, and %i without a date)',
		async (ahead, undated, isAhead) => {
			const limits = { maxRecordsPerPoll: 3_000 };
			const traits = { undated: { every: 1, place: 'first' } } as const;
			const follower = new Follower(traits, 'beginning', limits);
			follower.service.create(undated + ahead);
			follower.service.update(0, ahead, 2 * DAY_MS);
			const facts = { dateField: 'updated_at', isAhead };
			await expect(follower.poll()).rejects.toMatchObject({ kind: 'tooManyUndated', facts });
		},
	);
});

it('is an error where a poll is too short for the list and its cursors do not live until the next', async () => {
	const follower = new Follower({ cursors: 'poll' }).fill(5_000);
	// Some may be of a bad day.
	for (let polls = 0; polls < 3; polls++) await follower.poll(3);
	for (let polls = 0; polls < 2; polls++)
		await expect(follower.poll(3)).rejects.toMatchObject({ kind: 'endlessSearch' });
	// Once a poll is long enough, nothing is missing.
	expect((await follower.poll()).reachedEnd).toBe(true);
	follower.service.tick(60);
	follower.service.create(5);
	expect((await follower.poll()).records).toHaveLength(5);
});

it('always comes to the end where cursors live, however short the polls and however many records share a date', async () => {
	const list = fc.record({
		cursors: fc.constantFrom('key' as const, 'position' as const, 'pages' as const),
		pageSize: fc.constantFrom<ServiceTraits['pageSize']>(20, 50, [20, 100], undefined),
		count: fc.integer({ min: 1, max: 2_500 }),
		seconds: fc.constantFrom(0, 0.001, 1, 40),
		startFrom: fc.constantFrom('now' as const, 'beginning' as const),
		requests: fc.integer({ min: 1, max: 4 }),
	});
	const comesToTheEnd = fc.asyncProperty(
		list,
		async ({ count, seconds, startFrom, requests, ...traits }) => {
			const follower = new Follower(traits, startFrom).fill(count, seconds);
			let quiet = 0;
			for (let polls = 0; quiet < 3; polls++) {
				expect(polls, 'polls').toBeLessThan(500);
				const { reachedEnd } = await follower.poll(requests);
				quiet = reachedEnd ? quiet + 1 : 0;
			}
		},
	);
	await fc.assert(comesToTheEnd, { numRuns: Number(process.env.HISTORIES ?? 25) });
});

it('gives what comes before records without a date, where a saved cursor leads to those', async () => {
	const traits = { cursors: 'position', total: 'absent', undated: undatedLast } as const;
	const follower = await new Follower({ ...traits, pageSize: 5 }).fill(60).settle();
	follower.service.remove(0, 30);
	follower.service.create(6);
	expect((await follower.pollAll()).names).toHaveLength(6);
});

it('gives nothing twice where a saved cursor shows the list as it was, and more has come since', async () => {
	const follower = new Follower({ cursors: 'frozen', pageSize: 10 }, 'beginning').fill(100);
	const { names } = await follower.poll(4);
	const { service, state } = follower;
	service.create(5);
	const settings = { overlapMs: 30_000, now: service.localTime, room: () => 20 };
	const portions = readChanges(state, service.reader(), settings);
	for await (const { records } of portions)
		names.push(...records.map(({ version }) => String(version)));
	expect(names).toHaveLength(100);
	expect(new Set(names).size).toBe(names.length);
});

it('forgets the records without a date that are gone, once the list was read from its beginning', async () => {
	const follower = await new Follower({ undated: undatedFirst }, 'beginning').fill(330).settle();
	const { length } = follower.state.undated;
	follower.service.remove(0, 3);
	follower.service.refuseCursors();
	await follower.poll();
	expect(length - follower.state.undated.length).toBe(11);
});

it('more than 2,000 records without a date are an error that names the date field', async () => {
	const limits = { maxRecordsPerPoll: 3_000 };
	const follower = new Follower({ undated: { every: 1, place: 'first' } }, 'beginning', limits);
	follower.service.create(2_001);
	for (let polls = 0; polls < 2; polls++) {
		const facts = { dateField: 'updated_at', isAhead: false };
		await expect(follower.poll()).rejects.toMatchObject({ kind: 'tooManyUndated', facts });
	}
});

it.each([
	// The nearest ones, of 6,000 characters together.
	[[6_000], ['p0']],
	[[6_001], []],
	[
		[2_000, 2_000, 2_001, 2_000],
		['p2', 'p3'],
	],
	[
		[3_000, 9, 10, 2_990],
		['p0', 'p2', 'p3'],
	],
])('saves cursors only as far as they are short enough: of %j characters %j', (lengths, saved) => {
	const state = stateAt('beginning');
	const bookmark = new Bookmark(state, undefined, { ...AT_1970, overlapMs: 0 });
	for (const [place, length] of lengths.entries()) {
		const version = { digest: digestOf(String(place)), time: 10 ** place };
		// Ever twice as many records before it.
		const versions = place === 0 ? [version] : Array<Version>(2 ** (place - 1)).fill(version);
		const cursor = `p${place}`.padEnd(length);
		bookmark.open({ cursor, limit: 1, versions, total: 99 } as VersionedPage);
		for (const one of versions) bookmark.pass(one, 'updated_at');
	}
	bookmark.close(true);
	const { savedCursors } = bookmark.toState(true, false);
	expect(savedCursors.map(({ cursor }) => cursor.trim())).toEqual(saved);
});

it('what was settled stays so when something newer comes, and of no date nothing is known', () => {
	const overlap = new Overlap({ newest: 0, newestAt: 0 } as State, {
		...AT_1970,
		now: () => 100_000,
	});
	overlap.meet(500);
	expect(overlap.settled).toBe(NEXT_DATE);
	const none = new Overlap({ newest: null, newestAt: 0 } as State, AT_1970);
	expect(none.toState()).toEqual({ newest: null, newestAt: 0 });
});

it('stays under 64 KB where a service ignores the limit and gives 20,000 records', async () => {
	const limits = { maxRecordsPerPoll: 3_000 };
	for (const [undated, count] of [
		// Every third.
		[undatedLast, 5_999],
		[undefined, 10_000],
	] as const) {
		const follower = new Follower({ fixedPageSize: 100_000, undated }, 'beginning', limits);
		follower.service.create(count);
		const { names, requests, polls } = await follower.pollAll();
		expect(new Set(names).size).toBe(count);
		expect(names).toHaveLength(count);
		expect(requests).toBe(polls);
		expect(JSON.stringify(follower.state).length, 'characters of the state').toBeLessThan(
			64 * 1_024,
		);
	}
});

it.each([
	['in portions, and asks for no page twice', Infinity, [...Array(12).fill(700), 600], 15],
	['no further, and reads none of it, once there is no room', 2, [700, 700], 6],
])('gives a stream %s', async (_how, most, expected, requests) => {
	const { service, state } = new Follower({}, 'beginning').fill(9_000);
	const portions: Portion[] = [];
	const room = () => (portions.length < most ? 700 : 0);
	const settings = { overlapMs: 30_000, now: service.localTime, room };
	for await (const one of readChanges(state, service.reader(), settings)) portions.push(one);
	expect(portions.map(({ records }) => records.length)).toEqual(expected);
	expect(portions.at(-1)?.reachedEnd).toBe(most === Infinity);
	expect(service.requests, 'requests').toBeLessThan(requests);
});

/** More records of one date than any list of the state holds; random histories are too small for that. */
describe('thousands of records with one date', () => {
	const following = (pageSize: number, count: number, maxRemembered?: number): Follower => {
		const follower = new Follower({ pageSize }, 'beginning', { maxRemembered });
		follower.service.create(count);
		return follower;
	};

	it('are not given again by a poll that is too short to read them all again', async () => {
		const follower = following(100, 900);
		const names: string[] = [];
		for (const pages of [Infinity, 2, 3, Infinity])
			names.push(...(await follower.poll(pages)).names);
		expect(names).toHaveLength(900);
	});

	it.each([40, 500, 1_000])(
		'are found again, at the right one, after a refused cursor (pages of %i)',
		async (pageSize) => {
			const follower = following(pageSize, 5, 600);
			follower.service.tick(1_000);
			follower.service.create(5_000);
			const names: string[] = [];
			for (let polls = 0; polls < 4; polls++) {
				names.push(...(await follower.poll()).names);
				follower.service.refuseCursors();
			}
			names.push(...(await follower.pollAll()).names);
			expect(names).toHaveLength(5_005);
			expect(new Set(names).size).toBe(5_005);
			expect(JSON.stringify(follower.state).length, 'characters of the state').toBeLessThan(
				64 * 1_024,
			);
		},
	);

	it('are read again only as far as the state can hold them', async () => {
		const follower = following(100, 5_000);
		expect((await follower.pollAll()).names).toHaveLength(5_000);
		expect((await follower.poll()).requests, 'requests').toBeLessThanOrEqual(20);
		expect(JSON.stringify(follower.state).length, 'characters of the state').toBeLessThan(
			40 * 1_024,
		);
	});
});
