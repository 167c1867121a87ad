import { expect, it } from 'vitest';

import { PAGE_SIZES } from '../../../../nodes/shared/lists/page-size.ts';
import { createReader } from '../../../../nodes/shared/changes/reader.ts';
import { Lookback } from '../../../../nodes/shared/changes/lookback.ts';
import { poll, readChanges, type Batch } from '../../../../nodes/shared/changes/poll.ts';
import {
	MIN_DATE_STEP_MS,
	resumeFrom,
	type Checkpoint,
	type ChangesSettings,
} from '../../../../nodes/shared/changes/checkpoint.ts';
import { OLDER, type Notice } from '../../../../nodes/shared/changes/notices.ts';
import { Follower, checkpointOf } from './follower.mts';
import { undatedLast } from './service-traits.mts';

const AT_1970: ChangesSettings = { lookbackMs: 30_000, now: () => 0, maxRecords: 1 };

it.each([
	['key', 0],
	['key', 3],
	['position', 0],
	['limit', 2],
] as const)(
	'warns once if records older than the last returned record appear (cursors of kind "%s", newer records: %i)',
	async (cursors, newer) => {
		const follower = new Follower({ cursors, pageSize: 20 }, 'beginning');
		const { service } = follower;
		service.create(30);
		service.hideLast(20);
		service.tick(100);
		follower.fill(500);
		const said: Notice[] = [];
		const poll = async () => {
			const { names, notices } = await follower.poll();
			said.push(...notices);
			return names;
		};
		for (let polls = 0; polls < 4; polls++) await poll();
		// Deleted and newer records must neither cause nor prevent the warning about older records.
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

it('does not return changes again after a lagging replica of the service has hidden them during one poll', async () => {
	const follower = await new Follower().fill(1_000).settle();
	follower.service.tick(60);
	follower.service.create(5);
	expect((await follower.poll()).records).toHaveLength(5);
	follower.service.hideLast(3);
	expect(await follower.poll()).toMatchObject({ records: [], notices: [] });
	follower.service.hideLast(0);
	expect(await follower.poll()).toMatchObject({ records: [], notices: [] });
	expect((await follower.pollAll()).names).toEqual([]);
});

it('does not return 1,000 changes again if a lagging replica of the service hides them in every second poll', async () => {
	const follower = await new Follower().fill(1_000).settle();
	const { service } = follower;
	service.tick(60);
	for (let made = 0; made < 1_000; made += 125) {
		service.create(125);
		service.tick(1);
	}
	expect((await follower.poll()).names).toHaveLength(1_000);
	for (let polls = 0; polls < 4; polls++) {
		service.hideLast(polls % 2 === 0 ? 1_000 : 0);
		service.tick(1);
		expect((await follower.poll()).names.length).toBe(0);
	}
});

it.each([50, 100, 400, 1_000])(
	'returns each of 1,480 changes once if 4 of them appear up to 14 seconds late (at most %i records per poll)',
	async (maxRecordsPerPoll) => {
		const limits = { maxRecordsPerPoll };
		const follower = await new Follower({ pageSize: 50 }, 'now', limits).fill(1_000).settle();
		const { service } = follower;
		service.tick(60);
		service.create(1_000);
		await follower.pollAll();
		service.tick(1);
		const came: string[] = [];
		for (let seconds = 0; seconds < 14; seconds++) {
			if (seconds < 4) service.beginLate(1);
			// An updated record moves to the end of the list, so the list no longer shows its earlier version.
			if (seconds < 10) service.update(1_000 + seconds * 100, 100);
			else service.create(119);
			service.tick(1);
			came.push(...(await follower.poll()).names);
		}
		service.commitLate();
		came.push(...(await follower.pollAll()).names);
		expect(new Set(came).size, 'changes').toBe(1_480);
		expect(came.length, 'changes, with repeats').toBe(1_480);
	},
);

it('returns a change that appears late on an already read page, even if the user then edits Filters', async () => {
	const follower = new Follower({ pageSize: 100, total: 'absent' }, 'beginning');
	const { service } = follower;
	service.create(99);
	service.tick(1);
	service.beginLate(1);
	service.tick(1);
	service.create(1);
	service.tick(1);
	service.create(100);
	let pages = 0;
	service.afterPage = () => {
		if (++pages > 1) return;
		service.commitLate();
		service.tick(60);
		service.create(5);
		service.tick(10);
	};
	expect((await follower.poll()).names).toHaveLength(205);
	const now = service.localTime();
	const additional = { status: 'open' };
	const list = {
		objectType: 'company',
		field: 'updated_at',
		additional,
		lookbackMs: 30_000,
	} as const;
	const opened = resumeFrom(follower.checkpoint, {
		...{ ...list, owner: 'w', access: 'a', startFrom: 'beginning', now },
	});
	expect(opened).toMatchObject({ reason: 'otherFilter' });
	follower.checkpoint = checkpointOf(opened);
	expect((await follower.pollAll()).names).toHaveLength(1);
});

it('never moves the late-change cutoff backwards, and stores null if no record has a date', () => {
	const lookback = new Lookback({ newest: 0, newestAt: 0 } as Checkpoint, {
		...AT_1970,
		now: () => 100_000,
	});
	lookback.record(500);
	expect(lookback.settled).toBe(MIN_DATE_STEP_MS);
	const none = new Lookback({ newest: null, newestAt: 0 } as Checkpoint, AT_1970);
	expect(none.toCheckpoint(0)).toEqual({ newest: null, newestAt: 0, settled: null });
});

it('keeps the checkpoint under 64 KB if a service ignores the page size and returns 10,000 records at once', async () => {
	const limits = { maxRecordsPerPoll: 3_000 };
	for (const [undated, count] of [
		// Every third record has no date. The node accepts these 1,999 records, because it accepts up to 2,000 records
		// without a date.
		[undatedLast, 5_999],
		[undefined, 10_000],
	] as const) {
		const follower = new Follower({ fixedPageSize: 100_000, undated }, 'beginning', limits);
		follower.service.create(count);
		const { names, requests, polls } = await follower.pollAll();
		expect(new Set(names).size).toBe(count);
		expect(names).toHaveLength(count);
		expect(requests).toBe(polls);
		expect(JSON.stringify(follower.checkpoint).length, 'characters of the state').toBeLessThan(
			64 * 1_024,
		);
	}
});

const [LARGEST] = PAGE_SIZES;
const PORTION = 0.7 * LARGEST;

it.each([
	[
		'none',
		Infinity,
		Array(9)
			.fill([PORTION, LARGEST - PORTION])
			.flat(),
		15,
	],
	['1,400', 2 * PORTION, [PORTION, LARGEST - PORTION, 2 * PORTION - LARGEST], 6],
])(
	'splits each page into batches of at most 700 records, and sends no needless request (record limit: %s)',
	async (_how, most, expected, requests) => {
		const { service, checkpoint } = new Follower({}, 'beginning').fill(9 * LARGEST);
		const batches: Batch[] = [];
		const settings = {
			lookbackMs: 30_000,
			now: service.localTime,
			maxRecords: most,
			maxPerBatch: PORTION,
		};
		for await (const one of readChanges(checkpoint, service.reader(), settings)) batches.push(one);
		expect(batches.map(({ records }) => records.length)).toEqual(expected);
		expect(batches.at(-1)?.reachedEnd).toBe(most === Infinity);
		expect(service.requests, 'requests').toBeLessThan(requests);
	},
);

it.each([
	["n8n's clock if the service sends no Date header", undefined, []],
	["the Date header if n8n's clock is ahead", -2_000, ['a', 'b']],
	["n8n's clock if the Date header is ahead", 2_000, []],
	["n8n's clock if the Date header is more than a day behind", -2 * 86_400_000, []],
])('determines the start time of Start From: Now by %s', async (_case, differenceMs, expected) => {
	const startMs = Date.UTC(2026, 0, 1);
	const dateMs = differenceMs && startMs + differenceMs;
	// By n8n's clock, both records changed less than 1.5 seconds before the poll.
	const items = ['a', 'b'].map((id, index) => ({
		id,
		updated_at: new Date(startMs - 1_500 + index * 1_000 + 1).toISOString(),
	}));
	const body = { data: { items }, meta: { pagination: { total: items.length } } };
	const client = async () => await Promise.resolve({ body, text: JSON.stringify(body), dateMs });
	const field = 'updated_at' as const;
	const start = { objectType: 'company', field, owner: '', access: '', lookbackMs: 0 };
	const checkpoint = checkpointOf(
		resumeFrom(undefined, { ...start, startFrom: 'now', now: startMs }),
	);
	const reader = createReader(client, {
		objectType: 'company',
		field,
		endpoint: { method: 'GET', path: '/companies' },
		limits: () => ({ maxRetries: 0, maxWaitMs: 0, timeoutMs: 1 }),
	});
	const settings = { ...AT_1970, now: () => startMs, maxRecords: 10 };
	const { records } = await poll(checkpoint, reader, settings);
	expect(records.map(({ id }) => id)).toEqual(expected);
});
