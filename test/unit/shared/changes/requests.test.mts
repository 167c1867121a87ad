/** Tests how many requests each poll sends. */
import { describe, expect, it } from 'vitest';

import { Follower } from './follower.mts';
import { type ServiceTraits } from './service-traits.mts';

describe('a poll that finds nothing new', () => {
	it.each<[number, Partial<ServiceTraits>]>([
		...[40, 100, 1_005, 10_000].map((count): [number, object] => [count, {}]),
		[1_005, { silentPageCap: 60 }],
		[1_005, { extraRecords: 5, pageSize: 20 }],
		[1_005, { trailingCursor: 'toItself' }],
	])('sends one request if nothing has changed (%i records, quirks %j)', async (count, traits) => {
		for (const startFrom of ['now', 'beginning'] as const) {
			const follower = await new Follower(traits, startFrom).fill(count).settle();
			// Let the lookback window pass, because polls read one more page while a change can still appear late.
			follower.service.tick(40);
			await follower.poll();
			for (let polls = 0; polls < 3; polls++) {
				expect(await follower.poll()).toMatchObject({ requests: 1, reachedEnd: true, records: [] });
			}
		}
	});

	it.each([5, 100, 250])(
		'sends one request once the last %i changes are older than the lookback window, even if they begin a new page',
		async (count) => {
			const follower = await new Follower({ pageSize: 100 }).fill(1_000).settle();
			follower.service.tick(100);
			follower.service.create(count);
			expect((await follower.poll()).records).toHaveLength(count);
			// The poll reads one more page, because a late change can still appear before these records.
			expect((await follower.poll()).requests, 'requests').toBeGreaterThan(1);
			// n8n's clock is 5 s behind the service's clock, so it reaches the date of the new records only now.
			follower.service.tick(5);
			await follower.poll();
			follower.service.tick(32);
			await follower.poll();
			const { checkpoint } = follower;
			expect(await follower.poll()).toMatchObject({ requests: 1, records: [], checkpoint });
		},
	);
});

it('sends one request in each poll after the lookback window has passed, even if polls are only 10 seconds apart', async () => {
	const follower = await new Follower({ pageSize: 100 }).fill(1_000).settle();
	follower.service.tick(100);
	follower.service.create(250);
	await follower.poll();
	const requests: number[] = [];
	for (let polls = 0; polls < 8; polls++) {
		follower.service.tick(10);
		requests.push((await follower.poll()).requests);
	}
	// One request per poll is enough once the changes are older than the lookback window plus one second, by n8n's
	// clock.
	expect(requests.slice(5)).toEqual([1, 1, 1]);
});

it('reads only one extra page while changes can still appear late, even if pages are shorter than requested', async () => {
	const traits = { silentPageCap: 10, pageSize: 500 };
	const follower = await new Follower(traits, 'beginning').fill(1_000).settle();
	follower.service.tick(60);
	await follower.poll();
	follower.service.create(20);
	await follower.poll();
	expect((await follower.poll()).requests, 'requests').toBeLessThanOrEqual(4);
});

describe('records that the workflow changes after every poll', () => {
	it.each([
		// The list has 200 pages. The changes fill less than one page, 5 pages or 20 pages.
		[15, 'key', 7],
		[125, 'key', 16],
		[125, 'position', 16],
		[500, 'key', 60],
	] as const)(
		'returns all %i changed records (cursors of kind "%s") with at most %i requests per poll',
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

it('returns each of 20,000 records once over many polls, and reads at most one page per poll a second time', async () => {
	const limits = { maxRecordsPerPoll: 2_500 };
	const follower = new Follower({ pageSize: 1_000 }, 'beginning', limits).fill(20_000, 1);
	const { names, requests, polls } = await follower.pollAll();
	expect(names).toHaveLength(20_000);
	expect(new Set(names).size).toBe(20_000);
	// A poll returns 2.5 pages. It reads one more page to check the saved cursor, and may use only half of its last
	// page.
	expect(requests, 'requests').toBeLessThanOrEqual(polls * (2.5 + 0.5 + 1));
});
