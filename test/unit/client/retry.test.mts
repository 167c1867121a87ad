import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { RepeatRisk } from '../../../nodes/client/api.ts';
import type { FailureKind } from '../../../nodes/client/failures.ts';
import {
	decideRetry,
	parseRetryAfter,
	wasNotTaken,
	type RetryRules,
} from '../../../nodes/client/retry.ts';
import { FAILURE_KINDS } from './failure-kinds.mts';

const FIVE_MINUTES = 300_000;
const RISKS: RepeatRisk[] = ['safe', 'acts', 'billed'];
/** Nothing has happened yet. */
const RULES: RetryRules = {
	risk: 'safe',
	faults: 0,
	maxRetries: 1,
	refusals: 0,
	maxWaitMs: FIVE_MINUTES,
	waitedMs: 0,
	random: () => 0.5,
};
const RETRY_AFTERS = [undefined, 0, 1_500, FIVE_MINUTES, FIVE_MINUTES + 1, Infinity];

/** One row of the table of docs/reliability.md. A row without `status` is about every other kind. */
interface Row {
	kinds: FailureKind[];
	status?: number[];
	/** 503 counts as refused before processing only with a Retry-After. */
	needsRetryAfter?: boolean;
	safe: 'retry' | 'error';
	billed: 'retry' | 'error' | 'may have been processed';
}

/** docs/reliability.md, top to bottom; the first row that fits holds. */
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

/** What the service surely did nothing with. */
const NOT_TAKEN = [
	{ kind: 'notSent' },
	{ kind: 'status', statusCode: 429 },
	{ kind: 'status', statusCode: 503, retryAfterMs: 0 },
] as const;

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
		'keeps the table of docs/reliability.md for %s, every status and risk',
		(kind) => {
			const wrong: string[] = [];
			for (let statusCode = 100; statusCode <= 599; statusCode++) {
				for (const risk of RISKS) {
					for (const retryAfterMs of RETRY_AFTERS) {
						const decision = decideRetry({ kind, statusCode, retryAfterMs }, { ...RULES, risk });
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

	it('knows what was surely not taken', () => {
		for (const outcome of NOT_TAKEN) expect(wasNotTaken(outcome)).toBe(true);
		for (const kind of FAILURE_KINDS.filter((known) => known !== 'notSent')) {
			for (const statusCode of [undefined, 200, 400, 408, 500, 503]) {
				expect(wasNotTaken({ kind, statusCode })).toBe(false);
			}
		}
	});

	it.each(['acts', 'billed'] as const)(
		'repeats what %s only when it was surely not processed',
		(risk) => {
			for (const kind of FAILURE_KINDS) {
				for (let statusCode = 100; statusCode <= 599; statusCode++) {
					for (const retryAfterMs of RETRY_AFTERS) {
						const { retry } = decideRetry(
							{ kind, statusCode, retryAfterMs },
							{ ...RULES, risk, maxRetries: 9 },
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

	it('counts what may have been processed, and says when the retries are used', () => {
		for (const [faults, maxRetries, retry] of [
			[0, 0, false],
			[3, 4, true],
			[4, 4, false],
			[5, 4, false],
		] as const) {
			const rules = { ...RULES, faults, maxRetries, refusals: 99, waitedMs: Infinity };
			const decision = decideRetry({ kind: 'status', statusCode: 500 }, rules);
			expect(decision.retry).toBe(retry);
			if (!decision.retry) expect(decision.reason).toBe('retriesUsed');
		}
	});

	it('does not count what was surely not taken, but the time that went by', () => {
		for (const outcome of NOT_TAKEN) {
			for (const risk of RISKS) {
				const rules = { ...RULES, risk, refusals: 1_000, faults: 9, maxRetries: 0 };
				expect(decideRetry(outcome, { ...rules, waitedMs: 298_000 }).retry).toBe(true);
				expect(decideRetry(outcome, { ...rules, waitedMs: FIVE_MINUTES })).toEqual({
					retry: false,
					reason: 'waitUsed',
				});
			}
		}
	});

	it('tells a wait that is too long at any time from one that no time is left for', () => {
		const refused = { kind: 'status', statusCode: 429, retryAfterMs: 60_000 } as const;
		const reasonOf = (rules: Partial<RetryRules>): string => {
			const decision = decideRetry(refused, { ...RULES, ...rules });
			return decision.retry ? 'retry' : decision.reason;
		};
		expect(reasonOf({ maxWaitMs: 60_000 })).toBe('retry');
		expect(reasonOf({ maxWaitMs: 59_999 })).toBe('waitTooLong');
		expect(reasonOf({ maxWaitMs: 60_000, waitedMs: 1 })).toBe('waitUsed');
		expect(reasonOf({ maxWaitMs: 0 })).toBe('waitTooLong');
	});

	it('treats a status failure without a status as final', () => {
		expect(decideRetry({ kind: 'status' }, RULES)).toEqual({ retry: false, reason: 'final' });
	});
});

describe('the wait before a retry', () => {
	const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

	/** The wait after a fault or refusal that came so often before, in ms. */
	function waitOf(
		statusCode: number,
		times: number,
		rules: Partial<RetryRules> & { retryAfterMs?: number },
	): number {
		const decision = decideRetry(
			{ kind: 'status', statusCode, retryAfterMs: rules.retryAfterMs },
			{ ...RULES, faults: times, refusals: times, maxRetries: Infinity, ...rules },
		);
		if (!decision.retry) throw new Error('expected a retry');
		return decision.afterMs;
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
