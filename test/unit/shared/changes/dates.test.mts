/**
 * Tests polls of records with unusual dates: in another format, in the future, missing, or shared by thousands of
 * records.
 */
import { describe, expect, it } from 'vitest';

import { Follower } from './follower.mts';
import { formats } from './record-text.mts';
import { undatedFirst, undatedLast } from './service-traits.mts';

it.each(Object.keys(formats).filter((form) => form !== 'day'))(
	'returns no record again if the service changes its date format to "%s"',
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

describe('records dated in the future', () => {
	const HOUR_MS = 3_600_000;
	const DAY_MS = 24 * HOUR_MS;
	const aheads = [60_000, 9 * HOUR_MS, 30 * HOUR_MS, 36 * 365 * DAY_MS];
	it.each(aheads.flatMap((ms) => [20, 250].map((count) => [count, ms])))(
		'returns each new change once, even after %i records with dates at least %i ms in the future',
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

	it('returns a record dated 3 days in the future once, and again after its date changes to now', async () => {
		const follower = await new Follower({}, 'beginning').fill(100).settle();
		const { service } = follower;
		const ahead = service.create(3, 3 * DAY_MS);
		expect((await follower.pollAll()).names).toHaveLength(3);
		// The next poll may run on a different n8n instance, whose clock is slow or fast.
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
		[0, 2_001, false],
	])(
		'throws for more than 2,000 unusable dates: %i in the future, %i missing (future dates named as cause: %s)',
		async (ahead, undated, isAhead) => {
			const limits = { maxRecordsPerPoll: 3_000 };
			const traits = { undated: { every: 1, place: 'first' } } as const;
			const follower = new Follower(traits, 'beginning', limits);
			follower.service.create(undated + ahead);
			follower.service.update(0, ahead, 2 * DAY_MS);
			const facts = { dateField: 'updated_at', isAhead };
			for (let polls = 0; polls < 2; polls++)
				await expect(follower.poll()).rejects.toMatchObject({ kind: 'tooManyUndated', facts });
		},
	);
});

it('finds new records listed before records without a date, even if the saved cursor leads to such a record', async () => {
	const traits = { cursors: 'position', total: 'absent', undated: undatedLast } as const;
	const follower = await new Follower({ ...traits, pageSize: 5 }).fill(60).settle();
	follower.service.remove(0, 30);
	follower.service.create(6);
	expect((await follower.pollAll()).names).toHaveLength(6);
});

it('drops deleted records without a date from the checkpoint after a poll has read the whole list', async () => {
	const follower = await new Follower({ undated: undatedFirst }, 'beginning').fill(330).settle();
	const { length } = follower.checkpoint.undated;
	follower.service.remove(0, 3);
	follower.service.refuseCursors();
	await follower.poll();
	expect(length - follower.checkpoint.undated.length).toBe(11);
});

/**
 * Tests lists in which more records have the same date than a checkpoint can remember. The random tests have too few
 * records for this.
 */
describe('thousands of records with the same date', () => {
	const following = (pageSize: number, count: number, maxRemembered?: number): Follower => {
		const follower = new Follower({ pageSize }, 'beginning', { maxRemembered });
		follower.service.create(count);
		return follower;
	};

	it('returns each of 900 records with the same date once, even if some polls are too short to read all of them', async () => {
		const follower = following(100, 900);
		const names: string[] = [];
		for (const pages of [Infinity, 2, 3, Infinity])
			names.push(...(await follower.poll(pages)).names);
		expect(names).toHaveLength(900);
	});

	it.each([40, 500, 1_000])(
		'returns each of 5,000 records with the same date once if all saved cursors are rejected (page size %i)',
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
			expect(JSON.stringify(follower.checkpoint).length, 'characters of the state').toBeLessThan(
				64 * 1_024,
			);
		},
	);

	it('returns each of 5,000 records with the same date once, and keeps the checkpoint under 40 KB', async () => {
		const follower = following(100, 5_000);
		expect((await follower.pollAll()).names).toHaveLength(5_000);
		expect((await follower.poll()).requests, 'requests').toBeLessThanOrEqual(20);
		expect(JSON.stringify(follower.checkpoint).length, 'characters of the state').toBeLessThan(
			40 * 1_024,
		);
	});
});
