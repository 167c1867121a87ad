import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decideRetry, type RetryRules } from '../../../nodes/client/retry.ts';
import { FIVE_MINUTES, RULES } from './retry-rules.mts';

describe('the wait before a retry', () => {
	const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

	/** The wait after an attempt that failed so often before, in ms. */
	function waitOf(
		statusCode: number,
		times: number,
		rules: Partial<RetryRules> & { retryAfterMs?: number },
	): number {
		const decision = decideRetry(
			{ kind: 'status', facts: { statusCode, retryAfterMs: rules.retryAfterMs } },
			{ ...RULES, temporaryErrors: times, unprocessed: times, maxRetries: Infinity, ...rules },
		);
		if (typeof decision !== 'number') throw new Error(decision);
		return decision;
	}

	it.each([500, 429])(
		'doubles from 1 second up to 30, with full jitter, after HTTP %i',
		(status) => {
			const random = (): number => 1 - Number.EPSILON;
			const longest = [0, 1, 2, 3, 4, 5, 50, 2_000].map((times) =>
				waitOf(status, times, { random }),
			);
			expect(longest).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
			expect(waitOf(status, 3, { random: () => 0 })).toBe(80);
			expect(waitOf(status, 3, { random: () => 0.5 })).toBe(4_000);
		},
	);

	it('is never shorter than a Retry-After that makes sense, and hardly longer', () => {
		const asked = fc.nat(FIVE_MINUTES);
		fc.assert(
			fc.property(fc.nat(10), chance, asked, (times, random, retryAfterMs) => {
				const wait = waitOf(429, times, { random: () => random, retryAfterMs });
				expect(wait).toBeGreaterThanOrEqual(retryAfterMs);
				expect(wait).toBeLessThanOrEqual(Math.max(retryAfterMs, 1_000) + 250);
			}),
		);
	});

	it('grows for a service that says "at once" again and again', () => {
		const waits = [0, 1, 5, 10].map((times) =>
			waitOf(429, times, { random: () => 0, retryAfterMs: 0 }),
		);
		expect(waits).toEqual([10, 20, 320, 1_000]);
	});

	it('is shortened to what is left of the longest wait, where time is the bound', () => {
		const random = (): number => 0.9;
		expect(waitOf(429, 9, { random, waitedMs: FIVE_MINUTES - 700 })).toBe(700);
		expect(waitOf(500, 9, { random, waitedMs: FIVE_MINUTES - 700 })).toBe(27_000);
	});

	it('is always a whole number of ms from 0 on', () => {
		const waited = fc.double({ min: 0, max: FIVE_MINUTES - 1, noNaN: true });
		fc.assert(
			fc.property(fc.nat(5_000), chance, waited, (times, random, waitedMs) => {
				for (const status of [429, 500]) {
					const wait = waitOf(status, times, { random: () => random, waitedMs });
					expect(Number.isSafeInteger(wait) && wait >= 0 && wait <= 30_000).toBe(true);
				}
			}),
		);
	});
});
