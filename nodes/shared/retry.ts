import type { RepeatRisk } from './api';
import type { FailureKind } from './failures';

/** Longest wait that a `Retry-After` header may ask for, in ms (5 minutes); a longer one is reported, not waited for. */
export const LONGEST_RETRY_AFTER_MS = 5 * 60_000;
/** Longer than this nobody asks to wait; keeps absurd headers from becoming absurd texts (one year). */
const LONGEST_SENSIBLE_MS = 365 * 24 * 3_600_000;
const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 30_000;
const RETRY_AFTER_SPREAD_MS = 100;

/** What one attempt ended in, as far as the decision needs it. */
export interface AttemptOutcome {
	kind: FailureKind;
	statusCode?: number;
	/** How long the service asked to wait, in ms. */
	retryAfterMs?: number;
}

/** How the decision may be made for one request. */
export interface RetryRules {
	risk: RepeatRisk;
	/** Retries already made for this request, from 0. */
	retriesMade: number;
	maxRetries: number;
	/** Uniform in [0, 1): spreads the waits of requests that failed together. */
	random: () => number;
}

/** What to do next. `final` means that another try would not help or must not be made. */
export type RetryDecision =
	| { retry: true; afterMs: number }
	| { retry: false; reason: 'final' | 'retriesUsed' | 'waitTooLong' | Uncertain };

/** Why a request that may have been processed is not sent again. */
export type Uncertain = 'mayHaveActed' | 'mayBeBilled';

/**
 * The retry table of design section 6: what happened × what a repetition costs. Pure; time and chance come from outside.
 */
export function decideRetry(outcome: AttemptOutcome, rules: RetryRules): RetryDecision {
	const verdict = judge(outcome, rules.risk);
	if (verdict !== 'retry') return { retry: false, reason: verdict };
	if (outcome.retryAfterMs !== undefined && outcome.retryAfterMs > LONGEST_RETRY_AFTER_MS) {
		return { retry: false, reason: 'waitTooLong' };
	}
	if (rules.retriesMade >= rules.maxRetries) return { retry: false, reason: 'retriesUsed' };
	return { retry: true, afterMs: waitBeforeRetry(outcome, rules) };
}

/** What follows when a request may have been processed, but nobody knows. */
const UNCERTAIN = { safe: 'retry', acts: 'mayHaveActed', billed: 'mayBeBilled' } as const;

function judge(outcome: AttemptOutcome, risk: RepeatRisk): 'retry' | 'final' | Uncertain {
	switch (outcome.kind) {
		case 'notSent':
			return 'retry';
		case 'connectionLost':
		case 'timeout':
		case 'invalidBody':
			return UNCERTAIN[risk];
		case 'status':
			return judgeStatus(outcome, risk);
		default:
			return 'final';
	}
}

function judgeStatus(
	{ statusCode, retryAfterMs }: AttemptOutcome,
	risk: RepeatRisk,
): 'retry' | 'final' | Uncertain {
	if (statusCode === 429) return 'retry';
	if (statusCode === 503 && retryAfterMs !== undefined) return 'retry';
	if (statusCode !== undefined && [408, 500, 502, 503, 504].includes(statusCode)) {
		return UNCERTAIN[risk];
	}
	return 'final';
}

/** Retry-After as asked, a little spread; otherwise exponential backoff with full jitter. */
function waitBeforeRetry({ retryAfterMs }: AttemptOutcome, rules: RetryRules): number {
	if (retryAfterMs !== undefined) {
		return Math.round(retryAfterMs + rules.random() * RETRY_AFTER_SPREAD_MS);
	}
	const ceiling = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** rules.retriesMade);
	return Math.round(rules.random() * ceiling);
}

/**
 * Reads a `Retry-After` header: seconds or an HTTP date.
 *
 * @param header the header's value
 * @param nowMs the present in ms since 1970, to measure a date from
 * @returns the wait in ms, 0 for a date in the past; undefined when the header is absent or makes no sense
 */
export function parseRetryAfter(header: unknown, nowMs: number): number | undefined {
	const value = Array.isArray(header) ? header[0] : header;
	const text = typeof value === 'number' ? String(value) : value;
	if (typeof text !== 'string') return undefined;
	const trimmed = text.trim();
	if (/^\d+(\.\d+)?$/.test(trimmed))
		return Math.min(LONGEST_SENSIBLE_MS, Math.ceil(Number(trimmed) * 1_000));
	// Date.parse also finds a date in things such as "wait 5"; an HTTP date begins with the day of the week.
	if (!/^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d\d:\d\d:\d\d/i.test(trimmed)) return undefined;
	const at = Date.parse(trimmed);
	return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
