import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Pace } from '../../nodes/shared/pace.ts';

/** How often a request may look at its place before the test calls it stuck. */
const MOST_LOOKS = 20_000;

/** Waits for a turn on a clock of its own, and gives the time at which the request may start. */
function startTime(pace: Pace, fromMs: number): number {
	const place = pace.join();
	let nowMs = fromMs;
	for (let looks = 0; looks < MOST_LOOKS; looks++) {
		const ms = pace.waitMs(place, nowMs);
		if (!Number.isFinite(ms) || ms < 0) throw new RangeError(`a wait of ${ms} ms`);
		if (ms === 0) return nowMs;
		nowMs += ms;
	}
	throw new RangeError('waits without end');
}

describe('Pace', () => {
	it('lets requests start at once until something is refused', () => {
		const pace = new Pace(5);
		for (let request = 0; request < 100; request++) expect(startTime(pace, 1_000)).toBe(1_000);
	});

	it('makes every request wait for the rest of a pause', () => {
		const pace = new Pace();
		pace.pauseUntil(5_000);
		pace.pauseUntil(3_000);
		expect(startTime(pace, 1_000)).toBe(5_000);
		expect(startTime(pace, 4_999)).toBe(5_000);
		expect(startTime(pace, 9_000)).toBe(9_000);
	});

	it('allows more requests at once as they succeed, up to the maximum, and fewer after a refusal', () => {
		const pace = new Pace(8);
		const start = pace.start(0);
		expect(pace.concurrency).toBeLessThan(8);
		for (let request = 0; request < 20; request++) pace.accepted(pace.start(request));
		expect(pace.concurrency).toBe(8);
		pace.refused(start, 1_000);
		expect(pace.concurrency).toBe(4);
	});

	it('counts the refusals of requests that were under way together as one', () => {
		const pace = new Pace(8);
		for (let request = 0; request < 20; request++) pace.accepted(pace.start(request));
		const together = [pace.start(30), pace.start(30), pace.start(30)];
		for (const start of together) pace.refused(start, 1_000);
		expect(pace.concurrency).toBe(4);
	});

	it('waits and goes on when the first thing it learns is a refusal', () => {
		const pace = new Pace();
		pace.refused(pace.start(0), 2_000);
		expect(startTime(pace, 0)).toBeGreaterThanOrEqual(2_000);
		expect(startTime(pace, 2_000)).toBeLessThan(60_000);
	});

	it('waits and goes on when a refusal comes late and nothing was accepted before it', () => {
		const pace = new Pace();
		pace.start(0);
		pace.refused(pace.start(600), 2_000);
		expect(startTime(pace, 600)).toBeGreaterThanOrEqual(2_000);
		expect(startTime(pace, 2_000)).toBeLessThan(60_000);
		expect(startTime(pace, 2_000)).toBeLessThan(60_000);
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
				const pace = new Pace(maxConcurrent);
				let nowMs = 0;
				let pausedUntilMs = 0;
				for (const { afterMs, end, pauseMs } of given) {
					nowMs = startTime(pace, nowMs + afterMs);
					expect(nowMs).toBeGreaterThanOrEqual(pausedUntilMs);
					const start = pace.start(nowMs);
					if (end === 'refused later') nowMs += 50;
					if (end === 'accepted') pace.accepted(start);
					if (end === 'paused') pace.pauseUntil(nowMs + pauseMs);
					if (end.startsWith('refused')) pace.refused(start, nowMs + pauseMs);
					if (end === 'paused' || end.startsWith('refused')) pausedUntilMs = nowMs + pauseMs;
					expect(pace.concurrency).toBeGreaterThanOrEqual(1);
					expect(pace.concurrency).toBeLessThanOrEqual(maxConcurrent);
				}
			}),
			{ numRuns: 300 },
		);
	});
});
