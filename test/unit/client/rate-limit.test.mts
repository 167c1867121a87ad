import { describe, expect, it } from 'vitest';

import { AnnouncedLimit } from '../../../nodes/client/rate-limit.ts';

const MINUTE = { limit: 100, windowMs: 60_000 };

/** Starts a request at a time and hears at once what its answer says. */
function ask(limit: AnnouncedLimit, atMs: number, remaining: number, resetMs: number): void {
	const number = limit.start(atMs);
	limit.hear({ remaining, resetMs, ...MINUTE }, { number, atMs }, true);
}

describe('AnnouncedLimit', () => {
	it('waits for the next window once nothing is left, counting what is under way', () => {
		const limit = new AnnouncedLimit();
		ask(limit, 0, 2, 20_000);
		expect(limit.waitMs(1)).toBe(0);
		limit.start(1);
		limit.start(1);
		// A little later than it says, since not all requests take equally long to arrive.
		expect(limit.waitMs(1)).toBe(20_029);
		expect(limit.waitMs(21_000)).toBe(0);
	});

	it('counts by the least of what is said of a window, in whatever order answers come', () => {
		const limit = new AnnouncedLimit();
		const [first, second] = [limit.start(0), limit.start(0)];
		limit.hear({ remaining: 0, resetMs: 20_000, ...MINUTE }, { number: second, atMs: 0 }, true);
		limit.hear({ remaining: 1, resetMs: 19_000, ...MINUTE }, { number: first, atMs: 0 }, true);
		expect(limit.waitMs(1)).toBe(20_029);
		ask(limit, 21_000, 5, 20_000);
		expect(limit.waitMs(21_000)).toBe(0);
	});

	it('lets one request ask about the next window, and another one where that has no answer', () => {
		const limit = new AnnouncedLimit();
		ask(limit, 0, 0, 20_000);
		limit.start(21_000);
		expect(limit.waitMs(21_001)).toBe(999);
		expect(limit.waitMs(22_000)).toBe(0);
		ask(limit, 22_000, 99, 60_000);
		expect(limit.waitMs(22_001)).toBe(0);
	});

	it('never waits longer than a minute', () => {
		const limit = new AnnouncedLimit();
		ask(limit, 0, 0, 86_400_000);
		expect(limit.waitMs(0)).toBe(60_030);
	});

	it('is no bound any more once an answer announces nothing, as where only refusals do', () => {
		const limit = new AnnouncedLimit();
		const refused = limit.start(0);
		limit.hear({ remaining: 0, resetMs: 20_000, ...MINUTE }, { number: refused, atMs: 0 }, false);
		limit.end(refused, false);
		expect(limit.waitMs(0)).toBeGreaterThan(19_000);
		limit.end(limit.start(21_000), true);
		for (let request = 0; request < 50; request++) {
			expect(limit.waitMs(21_000)).toBe(0);
			limit.start(21_000);
		}
	});

	it('keeps short windows evenly, a little below what they allow', () => {
		const limit = new AnnouncedLimit();
		const number = limit.start(0);
		const said = { remaining: 29, resetMs: 1_000, limit: 30, windowMs: 1_000 };
		limit.hear(said, { number, atMs: 0 }, true);
		expect(limit.rate).toBeGreaterThan(0.028);
		expect(limit.rate).toBeLessThan(0.03);
	});

	it('believes 0 left once: what is accepted all the same is no longer waited for', () => {
		const limit = new AnnouncedLimit();
		ask(limit, 0, 0, 60_000);
		expect(limit.waitMs(0)).toBeGreaterThan(59_000);
		ask(limit, 60_100, 0, 60_000);
		expect(limit.waitMs(60_200)).toBe(0);
		ask(limit, 60_200, 0, 60_000);
		expect(limit.waitMs(60_300)).toBe(0);
	});
});
