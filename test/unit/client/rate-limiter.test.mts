import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { RateLimiter } from '../../../nodes/client/rate-limiter.ts';

/** How often a request may look at its place before the test calls it stuck. */
const MOST_LOOKS = 20_000;

/** Waits for a turn on a clock of its own, and gives the time at which the request may start. */
function startTime(rateLimiter: RateLimiter, fromMs: number): number {
	const place = rateLimiter.join();
	let nowMs = fromMs;
	for (let looks = 0; looks < MOST_LOOKS; looks++) {
		const ms = rateLimiter.waitMs(place, nowMs);
		if (!Number.isFinite(ms) || ms < 0) throw new RangeError(`a wait of ${ms} ms`);
		if (ms === 0) return nowMs;
		nowMs += ms;
	}
	throw new RangeError('waits without end');
}

describe('RateLimiter', () => {
	it('makes every request wait for the rest of a pause', () => {
		const rateLimiter = new RateLimiter();
		rateLimiter.pauseUntil(5_000);
		rateLimiter.pauseUntil(3_000);
		expect(startTime(rateLimiter, 1_000)).toBe(5_000);
		expect(startTime(rateLimiter, 4_999)).toBe(5_000);
		expect(startTime(rateLimiter, 9_000)).toBe(9_000);
	});

	it('allows more requests at once as they succeed, up to the maximum', () => {
		const rateLimiter = new RateLimiter(8);
		expect(rateLimiter.concurrency).toBeLessThan(8);
		for (let request = 0; request < 20; request++) rateLimiter.accepted(rateLimiter.start(request));
		expect(rateLimiter.concurrency).toBe(8);
	});

	it('allows no more at once while requests wait for the rate, which would only wait as well', () => {
		const rateLimiter = new RateLimiter(50);
		for (let request = 0; request < 20; request++) rateLimiter.accepted(rateLimiter.start(request));
		rateLimiter.refused(rateLimiter.start(20), 1_000, true);
		const before = rateLimiter.concurrency;
		for (let request = 0; request < 20; request++) rateLimiter.join();
		for (let request = 0; request < 20; request++) rateLimiter.accepted(rateLimiter.start(1_000));
		expect(rateLimiter.concurrency).toBe(before);
	});

	it('counts the refusals of requests that were under way together as one', () => {
		const refuse = (times: number): number[] => {
			const rateLimiter = new RateLimiter(8);
			let nowMs = 0;
			for (let round = 0; round < 3; round++) {
				for (let request = 0; request < 30; request++) {
					nowMs = startTime(rateLimiter, nowMs);
					rateLimiter.accepted(rateLimiter.start(nowMs));
				}
				const together = Array.from({ length: times }, () => rateLimiter.start(nowMs));
				for (const start of together) rateLimiter.refused(start, nowMs + 1_000, true);
			}
			return Array.from({ length: 10 }, () => startTime(rateLimiter, nowMs) - nowMs);
		};
		expect(refuse(5)).toEqual(refuse(1));
	});

	it('never waits less than the pause, for ever, or for a time that is no number', () => {
		const step = fc.record({
			afterMs: fc.constantFrom(0, 1, 20, 300, 600, 5_000, 60_000),
			end: fc.constantFrom('accepted', 'refused', 'refused later', 'paused', 'lost'),
			pauseMs: fc.constantFrom(0, 1, 100, 1_000, 60_000),
		});
		const steps = fc.array(step, { minLength: 1, maxLength: 25 });
		fc.assert(
			fc.property(steps, fc.integer({ min: 1, max: 100 }), (given, maxConcurrent) => {
				const rateLimiter = new RateLimiter(maxConcurrent);
				let nowMs = 0;
				let pausedUntilMs = 0;
				for (const { afterMs, end, pauseMs } of given) {
					nowMs = startTime(rateLimiter, nowMs + afterMs);
					expect(nowMs).toBeGreaterThanOrEqual(pausedUntilMs);
					const start = rateLimiter.start(nowMs);
					if (end === 'refused later') nowMs += 50;
					if (end === 'accepted') rateLimiter.accepted(start);
					if (end === 'paused') rateLimiter.pauseUntil(nowMs + pauseMs);
					if (end.startsWith('refused')) rateLimiter.refused(start, nowMs + pauseMs, true);
					if (end === 'paused' || end.startsWith('refused')) pausedUntilMs = nowMs + pauseMs;
					expect(rateLimiter.concurrency).toBeGreaterThanOrEqual(1);
					expect(rateLimiter.concurrency).toBeLessThanOrEqual(maxConcurrent);
				}
			}),
			{ numRuns: 300 },
		);
	});
});

describe('RateLimiter, one request at a time, after a service refused everything for a while', () => {
	/** Reads 100 pages of 100 ms from a service without a limit that is down for a time, and gives how long that took, in s. */
	function timeWith({ downFromMs, downMs }: { downFromMs: number; downMs: number }): number {
		const rateLimiter = new RateLimiter(1);
		let nowMs = 0;
		for (let accepted = 0; accepted < 100; ) {
			const place = rateLimiter.join();
			for (let ms = rateLimiter.waitMs(place, nowMs); ms > 0; ms = rateLimiter.waitMs(place, nowMs))
				nowMs += ms;
			const start = rateLimiter.start(nowMs);
			nowMs += 100;
			if (nowMs > downFromMs && nowMs < downFromMs + downMs)
				rateLimiter.refused(start, nowMs + 1_000, true);
			else {
				rateLimiter.accepted(start);
				accepted += 1;
			}
		}
		return nowMs / 1_000;
	}

	it.each([
		[0, 5],
		[0, 30],
		[0, 90],
		[500, 30],
		[500, 90],
		[5_000, 90],
	])('is soon as fast as before: down after %i ms for %i s', (downFromMs, seconds) => {
		// What was taken before says little about the limit, so the time it was down must not be taken for a quota.
		expect(timeWith({ downFromMs, downMs: seconds * 1_000 })).toBeLessThan(100 + 5 * seconds);
	});
});
