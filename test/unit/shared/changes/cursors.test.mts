/**
 * Tests how polls use and save cursors, including cursors that point back to their own page, expire, or show an old
 * copy of the list.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';

import { Progress } from '../../../../nodes/shared/changes/progress.ts';
import { readChanges } from '../../../../nodes/shared/changes/poll.ts';
import type { VersionedPage } from '../../../../nodes/shared/changes/reader.ts';
import { type ChangesSettings } from '../../../../nodes/shared/changes/checkpoint.ts';
import { digestOf } from '../../../../nodes/shared/client/exact-json.ts';
import type { Version } from '../../../../nodes/shared/lists/record-identity.ts';
import { Follower, checkpointAt } from './follower.mts';
import { type ServiceTraits } from './service-traits.mts';

const AT_1970: ChangesSettings = { lookbackMs: 30_000, now: () => 0, maxRecords: 1 };

it.each(['toEmpty', 'toItself'] as const)(
	'ends a poll at the last page, even if this page has a next cursor (quirk trailingCursor: %s)',
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

it('throws if each poll is too short to read the list, and the cursors expire between the polls', async () => {
	const follower = new Follower({ cursors: 'poll' }).fill(5_000);
	// The first polls do not throw, because the node allows a few polls without progress.
	for (let polls = 0; polls < 3; polls++) await follower.poll(3);
	for (let polls = 0; polls < 2; polls++)
		await expect(follower.poll(3)).rejects.toMatchObject({ kind: 'endlessSearch' });
	// A longer poll reaches the end of the list, and later polls miss no record.
	expect((await follower.poll()).reachedEnd).toBe(true);
	follower.service.tick(60);
	follower.service.create(5);
	expect((await follower.poll()).records).toHaveLength(5);
});

it('reaches the end of a list within 500 polls if cursors do not expire, however short the polls are', async () => {
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

it('returns no record twice if a saved cursor leads to an old snapshot of a list that has grown since', async () => {
	const follower = new Follower({ cursors: 'frozen', pageSize: 10 }, 'beginning').fill(100);
	const { names } = await follower.poll(4);
	const { service, checkpoint } = follower;
	service.create(5);
	const limits = { maxRecords: Infinity, maxPerBatch: 20 };
	const settings = { lookbackMs: 30_000, now: service.localTime, ...limits };
	const batches = readChanges(checkpoint, service.reader(), settings);
	for await (const { records } of batches)
		names.push(...records.map(({ version }) => String(version)));
	expect(names).toHaveLength(100);
	expect(new Set(names).size).toBe(names.length);
});

it.each([
	// Only the last cursors of the list that fit into 6,000 characters are saved.
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
])(
	'saves at most 6,000 characters of cursors (cursor lengths %j, saved cursors %j)',
	(lengths, saved) => {
		const checkpoint = checkpointAt('beginning');
		const progress = new Progress(checkpoint, undefined, { ...AT_1970, lookbackMs: 0 });
		for (const [place, length] of lengths.entries()) {
			const version = { digest: digestOf(String(place)), time: 10 ** place };
			// Give each page as many records as all earlier pages together, because the node saves only cursors whose
			// distances double.
			const versions = place === 0 ? [version] : Array<Version>(2 ** (place - 1)).fill(version);
			const cursor = `p${place}`.padEnd(length);
			progress.beginPage({ cursor, pageSize: 1, versions, total: 99 } as VersionedPage);
			for (const one of versions) progress.process(one, 'updated_at');
		}
		progress.moveToLastPage();
		const { savedCursors } = progress.toCheckpoint(true, false);
		expect(savedCursors.map(({ cursor }) => cursor.trim())).toEqual(saved);
	},
);
