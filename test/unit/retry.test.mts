import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { RepeatRisk } from '../../nodes/shared/api.ts';
import type { FailureKind } from '../../nodes/shared/failures.ts';
import { decideRetry, LONGEST_RETRY_AFTER_MS, parseRetryAfter } from '../../nodes/shared/retry.ts';
import { FAILURE_KINDS } from './failure-kinds.mts';

const FIVE_MINUTES = 300_000;
const RISKS: RepeatRisk[] = ['safe', 'acts', 'billed'];
const RETRY_AFTERS = [undefined, 0, 1_500, FIVE_MINUTES, FIVE_MINUTES + 1, Infinity];

/** One row of the table of design section 6. A row without `status` is about every other kind. */
interface Row {
	kinds: FailureKind[];
	status?: number[];
	/** 503 counts as refused before processing only with a Retry-After. */
	needsRetryAfter?: boolean;
	safe: 'retry' | 'error';
	billed: 'retry' | 'error' | 'may have been processed';
}

/** Design section 6, top to bottom; the first row that fits holds. */
const TABLE: Row[] = [
	{ kinds: ['notSent'], safe: 'retry', billed: 'retry' },
	{
		kinds: ['connectionLost', 'timeout', 'invalidBody'],
		safe: 'retry',
		billed: 'may have been processed',
	},
	{ kinds: ['status'], status: [429], safe: 'retry', billed: 'retry' },
	{ kinds: ['status'], status: [503], needsRetryAfter: true, safe: 'retry', billed: 'retry' },
	{
		kinds: ['status'],
		status: [408, 500, 502, 503, 504],
		safe: 'retry',
		billed: 'may have been processed',
	},
	{ kinds: FAILURE_KINDS, safe: 'error', billed: 'error' },
];

/** What the table says, as `decideRetry` puts it, with retries left. */
function expectedOf(
	kind: FailureKind,
	statusCode: number,
	retryAfterMs: number | undefined,
	risk: RepeatRisk,
): string {
	const row = TABLE.find(
		({ kinds, status, needsRetryAfter }) =>
			kinds.includes(kind) &&
			(status === undefined || status.includes(statusCode)) &&
			(!needsRetryAfter || retryAfterMs !== undefined),
	);
	// What acts is sent again as rarely as what is billed.
	const verdict = row?.[risk === 'safe' ? 'safe' : 'billed'];
	if (verdict === 'may have been processed')
		return risk === 'acts' ? 'mayHaveActed' : 'mayBeBilled';
	if (verdict === 'error') return 'final';
	return retryAfterMs !== undefined && retryAfterMs > FIVE_MINUTES ? 'waitTooLong' : 'retry';
}

describe('decideRetry', () => {
	it.each(FAILURE_KINDS)(
		'keeps the table of design section 6 for %s, every status and risk',
		(kind) => {
			const wrong: string[] = [];
			for (let statusCode = 100; statusCode <= 599; statusCode++) {
				for (const risk of RISKS) {
					for (const retryAfterMs of RETRY_AFTERS) {
						const decision = decideRetry(
							{ kind, statusCode, retryAfterMs },
							{ risk, retriesMade: 0, maxRetries: 1, random: () => 0.5 },
						);
						const found = decision.retry ? 'retry' : decision.reason;
						const expected = expectedOf(kind, statusCode, retryAfterMs, risk);
						if (found !== expected) {
							wrong.push(`${statusCode} ${risk} ${retryAfterMs}: ${found}, not ${expected}`);
						}
					}
				}
			}
			expect(wrong).toEqual([]);
		},
	);

	it.each(['acts', 'billed'] as const)(
		'repeats what %s only when it was surely not processed',
		(risk) => {
			for (const kind of FAILURE_KINDS) {
				for (let statusCode = 100; statusCode <= 599; statusCode++) {
					for (const retryAfterMs of RETRY_AFTERS) {
						const { retry } = decideRetry(
							{ kind, statusCode, retryAfterMs },
							{ risk, retriesMade: 0, maxRetries: 9, random: () => 0 },
						);
						const refused =
							kind === 'status' &&
							(statusCode === 429 || (statusCode === 503 && retryAfterMs !== undefined));
						if (retry) expect(kind === 'notSent' || refused).toBe(true);
					}
				}
			}
		},
	);

	it('stops when the retries are used, and says so', () => {
		for (const risk of RISKS) {
			for (const [retriesMade, maxRetries] of [
				[0, 0],
				[4, 4],
				[5, 4],
			]) {
				const rules = { risk, retriesMade, maxRetries, random: () => 0 };
				expect(decideRetry({ kind: 'status', statusCode: 429 }, rules)).toEqual({
					retry: false,
					reason: 'retriesUsed',
				});
			}
		}
	});

	it('treats a status failure without a status as final', () => {
		const rules = { risk: 'safe' as const, retriesMade: 0, maxRetries: 4, random: () => 0 };
		expect(decideRetry({ kind: 'status' }, rules)).toEqual({ retry: false, reason: 'final' });
	});
});

describe('the wait before a retry', () => {
	const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

	/** The wait before retry number `retriesMade + 1`, in ms. */
	function waitOf(retriesMade: number, random: number, retryAfterMs?: number): number {
		const decision = decideRetry(
			{ kind: 'status', statusCode: 503, retryAfterMs },
			{ risk: 'safe', retriesMade, maxRetries: Infinity, random: () => random },
		);
		if (!decision.retry) throw new Error('expected a retry');
		return decision.afterMs;
	}

	it('doubles from 1 second up to 30, with full jitter', () => {
		const longest = [0, 1, 2, 3, 4, 5, 50, 2_000].map((made) => waitOf(made, 1 - Number.EPSILON));
		expect(longest).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
		expect(waitOf(3, 0)).toBe(0);
		expect(waitOf(3, 0.5)).toBe(4_000);
	});

	it('is never shorter than Retry-After, and at most a quarter of a second longer', () => {
		const asked = fc.nat(LONGEST_RETRY_AFTER_MS);
		fc.assert(
			fc.property(fc.nat(10), chance, asked, (made, random, retryAfterMs) => {
				const wait = waitOf(made, random, retryAfterMs);
				expect(wait).toBeGreaterThanOrEqual(retryAfterMs);
				expect(wait).toBeLessThanOrEqual(retryAfterMs + 250);
			}),
		);
	});

	it('is always a whole number of ms from 0 on', () => {
		fc.assert(
			fc.property(fc.nat(5_000), chance, (made, random) => {
				const wait = waitOf(made, random);
				expect(Number.isSafeInteger(wait) && wait >= 0 && wait <= 30_000).toBe(true);
			}),
		);
	});
});

describe('parseRetryAfter', () => {
	const NOW = Date.UTC(2026, 10, 20, 12, 0, 0);

	it.each([
		['0', 0],
		['7', 7_000],
		[' 7 ', 7_000],
		['0.25', 250],
		[7, 7_000],
		[['3', '9'], 3_000],
		['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
		['Friday, 20-Nov-26 12:00:30 GMT', 30_000],
		['Fri Nov 20 12:00:30 2026 GMT', 30_000],
		['Fri, 20 Nov 2026 11:00:00 GMT', 0],
	])('reads %j', (header, expected) => {
		expect(parseRetryAfter(header, NOW)).toBe(expected);
	});

	it.each([
		undefined,
		null,
		'',
		' ',
		'-5',
		'5 s',
		'NaN',
		'Infinity',
		'1e3',
		'soon',
		'2026-11-20T12:00:30Z x',
		true,
		{},
		[],
		-5,
		NaN,
		Infinity,
	])('makes nothing of %j', (header) => {
		expect(parseRetryAfter(header, NOW)).toBeUndefined();
	});

	it.each(['wait 5', 'limit 60', 'retry 1'])('does not take the words %j for a date', (header) => {
		expect(parseRetryAfter(header, NOW)).toBeUndefined();
	});

	it('never gives a negative number or NaN, whatever the header', () => {
		const header = fc.oneof(
			fc.anything(),
			fc.string(),
			fc.stringMatching(/^[0-9]{1,400}(\.[0-9]+)?$/),
			fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
			fc.tuple(fc.constantFrom('Jan', 'Fri, ', 'x'), fc.string()).map((parts) => parts.join('')),
		);
		fc.assert(
			fc.property(header, fc.nat(4e12), (value, now) => {
				const wait = parseRetryAfter(value, now);
				if (wait !== undefined) expect(wait).toBeGreaterThanOrEqual(0);
			}),
			{ numRuns: 2_000 },
		);
	});
});
