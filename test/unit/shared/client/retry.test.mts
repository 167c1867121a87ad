import { describe, expect, it } from 'vitest';

import { decideRetry, type RetryRules } from '../../../../nodes/shared/client/retry.ts';
import { REPEATS, RULES } from '../../../failures.mts';

/** Failures of requests that the service certainly did not process. */
const UNPROCESSED = [
	{ kind: 'notSent', facts: {} },
	{ kind: 'status', facts: { statusCode: 429 } },
	{ kind: 'status', facts: { statusCode: 503, retryAfterMs: 0 } },
	{ kind: 'status', facts: { statusCode: 403, retryAfterMs: 0 } },
] as const;

describe('decideRetry', () => {
	it.each([
		[3, 6, 6_000, 6_000],
		[3, 6, 5_999, 'retriesUsed'],
		[6, 6, Infinity, 'retriesUsed'],
	])(
		'returns the wait or the reason to stop after %i of %i retries, with %i ms left: %s',
		(...row) => {
			const [times, maxRetries, leftMs, expected] = row;
			const spent = { times, limits: { ...RULES.limits, maxRetries }, leftMs };
			const found = decideRetry(
				{ kind: 'status', facts: { statusCode: 500 } },
				{ ...RULES, ...spent },
			);
			expect(found).toBe(expected);
		},
	);

	it.each([
		['connectionLost', {}],
		['timeout', {}],
		['invalidBody', {}],
		['status', { statusCode: 500 }],
	] as const)(
		'retries a request that may have been processed only if a repetition is harmless: %s %j',
		(kind, facts) => {
			const [reads, acts, billed] = ['safe', 'acts', 'billed'] as const;
			const decided = (repeat: RetryRules['repeat']) =>
				decideRetry({ kind, facts }, { ...RULES, repeat });
			expect(decided(reads)).toBeGreaterThan(0);
			expect([decided(acts), decided(billed)]).toEqual(['mayHaveActed', 'mayBeBilled']);
		},
	);

	it('does not retry a billed call that was redirected to another host', () => {
		const facts = { statusCode: 302, movedTo: 'https://other.example' };
		expect(decideRetry({ kind: 'redirected', facts }, { ...RULES, repeat: 'billed' })).toBe(
			'final',
		);
	});

	it('limits retries of unprocessed requests by the time left, not by the number of attempts', () => {
		for (const outcome of UNPROCESSED) {
			for (const repeat of REPEATS) {
				const limits = { ...RULES.limits, maxRetries: 0 };
				const rules = { ...RULES, repeat, times: 1_000, limits };
				expect(decideRetry(outcome, { ...rules, leftMs: 2_000 })).toBeGreaterThan(0);
				expect(decideRetry(outcome, { ...rules, leftMs: 0 })).toBe('waitUsed');
			}
		}
	});

	it.each([
		[60_000, 60_000, 60_000],
		[59_999, 300_000, 'waitTooLong'],
		[60_000, 59_999, 'waitUsed'],
		[0, 300_000, 'waitTooLong'],
	])(
		'compares a Retry-After of 60 s with Retry For (%i ms) and with the time left (%i ms): %s',
		(maxWaitMs, leftMs, expected) => {
			const refused = { kind: 'status', facts: { statusCode: 429, retryAfterMs: 60_000 } } as const;
			const limits = { ...RULES.limits, maxWaitMs };
			expect(decideRetry(refused, { ...RULES, limits, leftMs })).toBe(expected);
		},
	);
});

describe('the wait before a retry', () => {
	/** Returns the wait in ms before the next attempt after this number of earlier failures. */
	function waitOf(
		statusCode: number,
		times: number,
		rules: Partial<RetryRules> & { retryAfterMs?: number },
	): number {
		const decision = decideRetry(
			{ kind: 'status', facts: { statusCode, retryAfterMs: rules.retryAfterMs } },
			{ ...RULES, times, limits: { ...RULES.limits, maxRetries: Infinity }, ...rules },
		);
		if (typeof decision !== 'number') throw new Error(decision);
		return decision;
	}

	it.each([
		['down to half', 500, 'safe', 4_000],
		['down to half', 429, 'safe', 4_000],
		['down to almost zero', 429, 'acts', 80],
		['down to almost zero', 429, 'billed', 80],
	] as const)(
		'doubles the wait with each retry, from 1 second up to 30 seconds, randomized %s (HTTP %i, repetition: %s)',
		(_spread, status, repeat, shortest) => {
			const random = (): number => 1 - Number.EPSILON;
			const longest = [0, 1, 2, 3, 4, 5, 50, 2_000].map((times) =>
				waitOf(status, times, { random, repeat }),
			);
			expect(longest).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
			expect(waitOf(status, 3, { random: () => 0, repeat })).toBe(shortest);
		},
	);

	it('increases the wait while the service repeats Retry-After: 0', () => {
		const waits = [0, 1, 5, 10].map((times) =>
			waitOf(429, times, { random: () => 0, retryAfterMs: 0 }),
		);
		expect(waits).toEqual([10, 20, 320, 1_000]);
	});

	it('shortens the wait before a retry to the time left', () => {
		const random = (): number => 0.8;
		expect(waitOf(429, 9, { random, leftMs: 700 })).toBe(700);
		expect(waitOf(429, 9, { random, pauseMs: 29_000 })).toBe(29_000);
	});

	it('adds a random wait of up to a tenth of a second to Retry-After', () => {
		const waits = [0, 0.5, 0.9].map((chance) =>
			waitOf(429, 0, { random: () => chance, retryAfterMs: 5_000 }),
		);
		expect(waits).toEqual([5_000, 5_050, 5_090]);
	});
});
