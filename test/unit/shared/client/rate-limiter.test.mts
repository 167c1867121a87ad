import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../../nodes/shared/client/failures.ts';
import { RateLimiter } from '../../../../nodes/shared/client/rate-limiter.ts';

/** Maximum number of checks whether a request may start. More checks mean that the request never starts. */
const MAX_LOOKS = 20_000;

/**
 * Returns the first time, from `fromMs` on, at which a request may start, in ms. Throws a RangeError if the request can
 * never start.
 */
function startTime(rateLimiter: RateLimiter, fromMs: number): number {
	let nowMs = fromMs;
	for (let looks = 0; looks < MAX_LOOKS; looks++) {
		const ms = rateLimiter.waitMs(nowMs);
		if (!Number.isFinite(ms) || ms < 0) throw new RangeError(`a wait of ${ms} ms`);
		if (ms === 0) return nowMs;
		nowMs += ms;
	}
	throw new RangeError('waits without end');
}

describe('RateLimiter', () => {
	it('starts a request after a pause has ended, but at most a minute later, whatever the responses were', () => {
		const step = fc.record({
			afterMs: fc.constantFrom(0, 1, 20, 300, 600, 5_000, 60_000),
			statusCode: fc.constantFrom(200, 400, 401, 429, 502, 503),
			tookMs: fc.constantFrom(0, 50),
			retryAfterMs: fc.constantFrom(0, 1, 100, 1_000, 60_000),
			isRetried: fc.boolean(),
		});
		const steps = fc.array(step, { minLength: 1, maxLength: 40 });
		fc.assert(
			fc.property(steps, fc.integer({ min: 1, max: 100 }), (drawnSteps, maxSlots) => {
				const rateLimiter = new RateLimiter(maxSlots);
				let nowMs = 0;
				let pausedUntilMs = 0;
				for (const { afterMs, statusCode, tookMs, retryAfterMs, isRetried } of drawnSteps) {
					const fromMs = nowMs + afterMs;
					nowMs = startTime(rateLimiter, fromMs);
					expect(nowMs).toBeGreaterThanOrEqual(pausedUntilMs);
					expect(nowMs).toBeLessThanOrEqual(Math.max(fromMs, pausedUntilMs) + 60_000);
					const start = rateLimiter.start(nowMs, {});
					nowMs += tookMs;
					rateLimiter.ended(start);
					const facts = { statusCode, retryAfterMs: retryAfterMs === 0 ? undefined : retryAfterMs };
					if (statusCode === 200) rateLimiter.accepted(start);
					const pauseMs =
						statusCode === 200
							? 0
							: rateLimiter.failed(start, nowMs, new ServiceFailure('status', facts));
					expect(pauseMs).toBeLessThanOrEqual(60_000);
					if (isRetried) rateLimiter.wait(nowMs, 0, pauseMs);
					if (isRetried && pauseMs > 0) pausedUntilMs = nowMs + pauseMs;
					// After HTTP 200, 400 or 401, requests no longer pause.
					if ([200, 400, 401].includes(statusCode)) pausedUntilMs = 0;
					expect(rateLimiter.concurrency).toBeGreaterThanOrEqual(1);
					expect(rateLimiter.concurrency).toBeLessThanOrEqual(maxSlots);
				}
			}),
			{ numRuns: 300 },
		);
	});
});
