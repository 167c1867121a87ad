import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { poll, readChanges } from '../../../nodes/changes/poll.ts';
import type { PollResult, PollSettings } from '../../../nodes/changes/poll-types.ts';
import type { State } from '../../../nodes/changes/state.ts';
import { ModelService, type ServiceTraits } from './service.mts';

const KIND: ServiceTraits = {
	ids: 'text',
	dateFormat: 'iso',
	resolutionMs: 1,
	undated: 'none',
	cursors: 'key',
	refusal: 400,
	mostOnPage: Infinity,
	largestLimit: Infinity,
	extraOnPage: 0,
	emptyFirst: false,
	trailingCursor: false,
	pageSize: [100, 500, 1_000],
	overlapMs: 30_000,
	clockAheadMs: -5_000,
};

const SETTINGS: Omit<PollSettings, 'now'> = {
	fingerprint: 'f',
	owner: { workspace: null, credential: null },
	startFrom: 'now',
	maxRecordsPerPoll: 1_000,
	overlapMs: 30_000,
	mayContinue: () => true,
};

/** A service and what follows its changes. */
class Follower {
	readonly service: ModelService;
	state: State | undefined;
	private readonly settings: PollSettings;

	constructor(traits: Partial<ServiceTraits> = {}, settings: Partial<PollSettings> = {}) {
		this.service = new ModelService({ ...KIND, ...traits }, 'updated_at');
		this.settings = { ...SETTINGS, now: this.service.localTime, ...settings };
	}

	/** So many records, ten of each date. */
	fill(count: number, seconds = 40): this {
		for (let made = 0; made < count; made += 10) {
			this.service.create(Math.min(10, count - made));
			this.service.tick(seconds);
		}
		return this;
	}

	async poll(settings: Partial<PollSettings> = {}): Promise<PollResult & { requests: number }> {
		const { requests } = this.service;
		this.service.cursors.poll++;
		const reader = this.service.reader(this.state?.limit);
		const result = await poll(this.state, reader, { ...this.settings, ...settings });
		this.state = JSON.parse(JSON.stringify(result.state)) as State;
		return { ...result, requests: this.service.requests - requests };
	}

	/** Polls until nothing comes any more. */
	async pollAll(): Promise<{ names: string[]; requests: number; polls: number }> {
		const all = { names: [] as string[], requests: 0, polls: 0 };
		for (;;) {
			const { records, requests, reachedEnd } = await this.poll();
			all.names.push(...records.map(({ version }) => String(version)));
			all.requests += requests;
			all.polls++;
			if (records.length === 0 && reachedEnd) return all;
		}
	}

	/** Comes to rest, so that nothing is left to be read again. */
	async settle(): Promise<this> {
		for (let polls = 0; polls < 3; polls++) await this.pollAll();
		return this;
	}
}

describe('a poll that finds nothing new', () => {
	it.each([40, 100, 250, 1_005, 2_503, 10_000])('is one request (%i records)', async (count) => {
		for (const startFrom of ['now', 'beginning'] as const) {
			const follower = await new Follower({}, { startFrom }).fill(count).settle();
			for (let polls = 0; polls < 3; polls++) {
				expect(await follower.poll()).toMatchObject({ requests: 1, reachedEnd: true, records: [] });
			}
		}
	});

	it.each([250, 1_005, 2_503])(
		'is one request from the third poll on (%i records)',
		async (count) => {
			const follower = new Follower().fill(count);
			const requests: number[] = [];
			for (let polls = 0; polls < 5; polls++) requests.push((await follower.poll()).requests);
			expect(requests.slice(2)).toEqual([1, 1, 1]);
		},
	);

	it.each([5, 100, 250])(
		'is one request once the overlap has passed, where a page ends just before the last %i changes',
		async (count) => {
			const follower = await new Follower({ pageSize: 100 }).fill(1_000).settle();
			follower.service.tick(100);
			follower.service.create(count);
			expect((await follower.poll()).records).toHaveLength(count);
			// Until then, something late may come before them.
			expect((await follower.poll()).requests).toBeGreaterThan(1);
			follower.service.tick(32);
			await follower.poll();
			const { state } = follower;
			expect(await follower.poll()).toMatchObject({ requests: 1, records: [], state });
		},
	);
});

describe('from now', () => {
	it('gives nothing of what exists and all that comes, also where the first page is empty', async () => {
		for (const emptyFirst of [false, true]) {
			for (const count of [0, 5, 100, 101, 2_503]) {
				const follower = new Follower({ emptyFirst }).fill(count);
				expect((await follower.pollAll()).names).toEqual([]);
				follower.service.create(7);
				expect((await follower.pollAll()).names).toHaveLength(7);
			}
		}
	});

	it('reads a long list over several polls, and says when it has come to the end', async () => {
		const follower = new Follower().fill(9_000);
		const kinds: string[] = [];
		for (let polls = 0; polls < 20; polls++) {
			let pages = 0;
			const { notes, records } = await follower.poll({ mayContinue: () => ++pages < 3 });
			kinds.push(...notes.map(({ kind }) => kind));
			expect(records).toEqual([]);
		}
		expect(kinds.filter((kind) => kind === 'started')).toHaveLength(1);
		follower.service.create(3);
		expect((await follower.pollAll()).names).toHaveLength(3);
	});

	it('asks for pages of their own size, however few records a poll may give', async () => {
		const follower = new Follower({}, { maxRecordsPerPoll: 10 }).fill(3_000);
		const { requests } = await follower.pollAll();
		expect(requests).toBeLessThan(12);
	});
});

it('gives what changed later than a date', async () => {
	const follower = new Follower({}, { startFrom: 'date' }).fill(1_000);
	const dates = follower.service.versionsNow().visible.map((name) => Number(name.split('@')[1]));
	const startDate = dates.toSorted()[500];
	const names: string[] = [];
	for (let polls = 0; polls < 5; polls++) {
		const { records } = await follower.poll({ startDate });
		names.push(...records.map(({ version }) => String(version)));
	}
	const later = follower.service
		.versionsNow()
		.visible.filter((name) => Number(name.split('@')[1]) > startDate);
	expect(names.toSorted()).toEqual(later.toSorted());
});

describe('a cursor that is a position', () => {
	it.each([300, 2_500])('loses nothing of a bulk update of %i old records', async (count) => {
		const follower = await new Follower({ cursors: 'position' }).fill(6_000).settle();
		follower.service.tick(60);
		follower.service.update(0, count);
		expect(new Set((await follower.pollAll()).names).size).toBe(count);
	});

	it('loses nothing where as many are created as were deleted', async () => {
		const follower = await new Follower({ cursors: 'position' }).fill(1_000).settle();
		follower.service.tick(60);
		follower.service.remove(0, 100);
		follower.service.create(50);
		expect((await follower.pollAll()).names).toHaveLength(50);
	});
});

describe('a page that holds nothing but what is younger than the overlap, where cursors are positions', () => {
	/** The last page has five records, and before them in the list, one more is still to come. */
	async function beforeLate(quiet = 4): Promise<Follower> {
		const follower = await new Follower({ cursors: 'position', pageSize: 20 }).fill(1_000).settle();
		follower.service.tick(60);
		follower.service.beginLate(1);
		follower.service.tick(1);
		follower.service.create(5);
		for (let polls = 0; polls < quiet; polls++) await follower.poll();
		return follower;
	}

	it.each([3, 4])('does not hide what comes late before it (after %i polls)', async (quiet) => {
		const follower = await beforeLate(quiet);
		follower.service.remove(0, 1);
		follower.service.commitLate();
		const records: unknown[] = [];
		for (let polls = 0; polls < 2; polls++) records.push(...(await follower.poll()).records);
		expect(records).toHaveLength(1);
	});

	it('proves nothing by any other than its first record', async () => {
		const follower = await beforeLate();
		follower.service.remove(0, 2);
		follower.service.commitLate();
		expect((await follower.pollAll()).names).toHaveLength(1);
	});
});

it('gives what is left of one date although all that is remembered of it was deleted', async () => {
	const follower = new Follower(
		{ cursors: 'poll', pageSize: 3 },
		{ startFrom: 'beginning', maxRecordsPerPoll: 1, mostRemembered: 4 },
	);
	const { service } = follower;
	service.create(20);
	const given: string[] = [];
	for (let polls = 0; polls < 14; polls++) {
		given.push(...(await follower.poll()).records.map(({ version }) => String(version)));
	}
	const rest = service.versionsNow().visible.filter((name) => !given.includes(name));
	expect(rest).toHaveLength(6);
	for (const name of given.slice(2)) service.remove(service.versionsNow().visible.indexOf(name), 1);
	expect((await follower.pollAll()).names).toEqual(expect.arrayContaining(rest));
});

it('does not give again what a copy that lags behind did not show for a while', async () => {
	const follower = await new Follower().fill(1_000).settle();
	follower.service.tick(60);
	follower.service.create(5);
	expect((await follower.poll()).records).toHaveLength(5);
	follower.service.hideLast(3);
	expect((await follower.poll()).records).toEqual([]);
	follower.service.hideLast(0);
	expect((await follower.pollAll()).names).toEqual([]);
});

it('misses nothing where cursors count pages and Page Size is another one', async () => {
	const follower = await new Follower({ cursors: 'pages', pageSize: 100 }).fill(1_000).settle();
	const other = new Follower({ cursors: 'pages', pageSize: 50 });
	Object.assign(other, { state: follower.state });
	other.fill(1_000);
	other.service.tick(60);
	other.service.update(0, 600);
	expect((await other.pollAll()).names).toHaveLength(600);
});

describe('a remembered cursor that is refused', () => {
	it.each([400, 401, 403, 404, 410, 500, 'unsuccessful'] as const)(
		'by %s leads to the beginning of the list',
		async (refusal) => {
			const follower = await new Follower({ cursors: 'credential', refusal }).fill(1_000).settle();
			follower.service.cursors.key++;
			follower.service.tick(60);
			follower.service.update(0, 20);
			const { records, notes } = await follower.poll();
			expect(records).toHaveLength(20);
			expect(notes).toMatchObject([{ kind: 'cursorRefused' }]);
		},
	);

	it('is the failure of the list where that fails as well', async () => {
		const follower = await new Follower({ cursors: 'credential', refusal: 401 })
			.fill(1_000)
			.settle();
		const before = JSON.stringify(follower.state);
		follower.service.faults = [true, true];
		await expect(follower.poll()).rejects.toMatchObject({ facts: { statusCode: 503 } });
		expect(JSON.stringify(follower.state)).toBe(before);
	});
});

it('is an error where a poll is too short for the list and its cursors do not live until the next', async () => {
	const follower = new Follower({ cursors: 'poll' }).fill(5_000);
	const short = async (): Promise<unknown> => {
		let pages = 0;
		return await follower.poll({ mayContinue: () => ++pages < 3 });
	};
	const failing = async (): Promise<void> => {
		for (let polls = 0; polls < 12; polls++) await short();
	};
	await expect(failing()).rejects.toMatchObject({ kind: 'endlessSearch' });
	await expect(short()).rejects.toMatchObject({ kind: 'endlessSearch' });
	// Once a poll is long enough, nothing is missing.
	expect((await follower.poll()).reachedEnd).toBe(true);
	follower.service.tick(60);
	follower.service.create(5);
	expect((await follower.poll()).records).toHaveLength(5);
});

it('always comes to the end where cursors live, however short the polls and however many records share a date', async () => {
	const list = fc.record({
		cursors: fc.constantFrom('key' as const, 'position' as const, 'pages' as const),
		pageSize: fc.constantFrom<ServiceTraits['pageSize']>(20, 50, [20, 100], [100, 500, 1_000]),
		count: fc.integer({ min: 1, max: 2_500 }),
		seconds: fc.constantFrom(0, 0.001, 1, 40),
		startFrom: fc.constantFrom('now' as const, 'beginning' as const),
		requests: fc.integer({ min: 1, max: 4 }),
	});
	const comesToTheEnd = fc.asyncProperty(
		list,
		async ({ count, seconds, startFrom, requests, ...traits }) => {
			const follower = new Follower(traits, { startFrom }).fill(count, seconds);
			let quiet = 0;
			for (let polls = 0; quiet < 3; polls++) {
				expect(polls).toBeLessThan(500);
				let asked = 0;
				follower.service.afterPage = () => void asked++;
				const { reachedEnd } = await follower.poll({ mayContinue: () => asked < requests });
				quiet = reachedEnd ? quiet + 1 : 0;
			}
		},
	);
	await fc.assert(comesToTheEnd, { numRuns: 200 });
});

it('comes to the end where what is remembered cannot be read again within one poll', async () => {
	const follower = await new Follower({ pageSize: 50 }).fill(3_000, 0.01).settle();
	for (let polls = 0; polls < 40; polls++) {
		let pages = 0;
		await follower.poll({ mayContinue: () => ++pages < 5 });
	}
	follower.service.tick(1);
	follower.service.create(3);
	let given = 0;
	for (let polls = 0; polls < 3; polls++) {
		let pages = 0;
		given += (await follower.poll({ mayContinue: () => ++pages < 5 })).records.length;
	}
	expect(given).toBe(3);
});

describe('records without a date', () => {
	it.each(['first', 'last'] as const)('are given, up to 2,000 of them (%s)', async (undated) => {
		// Every third.
		const follower = new Follower({ undated }, { startFrom: 'beginning' }).fill(6_000);
		const { names } = await follower.pollAll();
		expect(new Set(names).size).toBe(6_000);
		expect(names).toHaveLength(6_000);
		expect(JSON.stringify(follower.state).length).toBeLessThan(64 * 1_024);
	});

	it.each(['first', 'last'] as const)('are an error where there are more (%s)', async (undated) => {
		for (const startFrom of ['beginning', 'now'] as const) {
			const follower = new Follower({ undated }, { startFrom }).fill(6_003);
			await expect(follower.pollAll()).rejects.toMatchObject({
				kind: 'tooManyUndated',
				facts: { dateField: 'updated_at' },
			});
		}
	});
});

it('stays under 64 KB where a service ignores the limit and gives 20,000 records', async () => {
	const follower = new Follower(
		{ alwaysOnPage: 100_000, undated: 'last' },
		{ startFrom: 'beginning', maxRecordsPerPoll: 3_000 },
	);
	follower.service.create(5_999);
	const rest = new Follower(
		{ alwaysOnPage: 100_000 },
		{ startFrom: 'beginning', maxRecordsPerPoll: 3_000 },
	);
	rest.service.create(10_000);
	for (const one of [follower, rest]) {
		const { names, requests, polls } = await one.pollAll();
		expect(new Set(names).size).toBe(names.length);
		expect(names).toHaveLength(one.service.versionsNow().visible.length);
		expect(requests).toBe(polls);
		expect(JSON.stringify(one.state).length).toBeLessThan(64 * 1_024);
	}
});

it.each(['seconds', 'milliseconds', 'microseconds', 'nanoseconds', 'iso'] as const)(
	'gives what comes late within the overlap, with dates in %s',
	async (dateFormat) => {
		const follower = await new Follower({ dateFormat, pageSize: 20 }).fill(1_000).settle();
		const { service } = follower;
		service.tick(60);
		service.beginLate(1);
		service.tick(20);
		service.create(50);
		expect((await follower.pollAll()).names).toHaveLength(50);
		service.tick(9);
		service.create(50);
		expect((await follower.pollAll()).names).toHaveLength(50);
		service.commitLate();
		expect((await follower.pollAll()).names).toHaveLength(1);
	},
);

describe('a stream of stretches', () => {
	it('asks for no page twice', async () => {
		const follower = new Follower({}, { startFrom: 'beginning' }).fill(9_000);
		const { service } = follower;
		const counts: number[] = [];
		const { maxRecordsPerPoll, mayContinue, ...settings } = { ...SETTINGS };
		const stream = readChanges(undefined, service.reader(), {
			...settings,
			now: service.localTime,
			startFrom: 'beginning',
			room: () => maxRecordsPerPoll - 300,
		});
		let last: PollResult | undefined;
		for await (const stretch of stream) {
			counts.push(stretch.records.length);
			last = stretch;
		}
		expect(mayContinue(0)).toBe(true);
		expect(counts.slice(0, -1).every((count) => count === 700)).toBe(true);
		expect(counts.reduce((sum, count) => sum + count)).toBe(9_000);
		expect(last?.reachedEnd).toBe(true);
		expect(service.requests).toBeLessThan(15);
	});
});
