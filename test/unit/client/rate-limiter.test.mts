import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { RateLimiter } from '../../../nodes/client/rate-limiter.ts';

/** How often a request may look at its place before the test calls it stuck. */
const MAX_LOOKS = 20_000;

/** Waits for a turn on a clock of its own, and gives the time at which the request may start. */
function startTime(rateLimiter: RateLimiter, fromMs: number): number {
	const one = {};
	const place = rateLimiter.join(one);
	let nowMs = fromMs;
	for (let looks = 0; looks < MAX_LOOKS; looks++) {
		const ms = rateLimiter.waitMs(place, nowMs, one);
		if (!Number.isFinite(ms) || ms < 0) throw new RangeError(`a wait of ${ms} ms`);
		if (ms === 0) {
			rateLimiter.unqueue(one);
			return nowMs;
		}
		nowMs += ms;
	}
	throw new RangeError('waits without end');
}

/** A request that is started and answered at once. */
function ask(rateLimiter: RateLimiter, atMs: number) {
	const start = rateLimiter.start(atMs, {});
	rateLimiter.ended();
	return start;
}

describe('RateLimiter', () => {
	it('never waits less than the pause (or until one asks, in a long one), for ever, or for a time that is no number', () => {
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
				let askAtMs = Infinity;
				for (const { afterMs, end, pauseMs } of given) {
					nowMs = startTime(rateLimiter, nowMs + afterMs);
					expect(nowMs).toBeGreaterThanOrEqual(Math.min(pausedUntilMs, askAtMs));
					const start = ask(rateLimiter, nowMs);
					if (end === 'refused later') nowMs += 50;
					if (end === 'accepted') {
						rateLimiter.accepted(start);
						// That ends what was told to everybody.
						pausedUntilMs = 0;
						askAtMs = Infinity;
					}
					if (end === 'paused') rateLimiter.pauseUntil(nowMs + pauseMs);
					// A shorter pause ends no longer one.
					if (end === 'paused') rateLimiter.pauseUntil(nowMs);
					if (end.startsWith('refused')) {
						rateLimiter.refused(start, nowMs, pauseMs);
						askAtMs = Math.min(askAtMs, nowMs + 10_000);
						rateLimiter.pauseUntil(nowMs + pauseMs);
					}
					if (end === 'paused' || end.startsWith('refused')) pausedUntilMs = nowMs + pauseMs;
					expect(rateLimiter.concurrency).toBeGreaterThanOrEqual(1);
					expect(rateLimiter.concurrency).toBeLessThanOrEqual(maxConcurrent);
				}
			}),
			{ numRuns: 300 },
		);
	});
});
