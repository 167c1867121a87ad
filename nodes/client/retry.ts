import { isRateLimit, type RepeatRisk } from './api';
import type { ServiceFailure } from './failures';
import type { RequestLimits } from './request';

const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 30_000;
const RETRY_AFTER_SPREAD_MS = 100;
/** How long no connection may be made: a service that restarts is back by then, and a mistyped port is told soon. */
export const LONGEST_UNCONNECTED_MS = 60_000;
/** "Come back at once" said again and again is obeyed a little later each time, and chance never hammers either. */
const FIRST_PATIENCE_MS = 10;
const LONGEST_PATIENCE_MS = 1_000;

/** What one attempt ended in, as far as the decision needs it. */
type Outcome = Pick<ServiceFailure, 'kind' | 'facts'>;

/** How the decision may be made for one request. */
export interface RetryRules extends Omit<RequestLimits, 'timeoutMs'> {
	risk: RepeatRisk;
	/** Attempts before this one that ended in a temporary error, so that they may have been processed. */
	temporaryErrors: number;
	/** Attempts before this one that were surely not processed. */
	unprocessed: number;
	/** How much of the longest wait has gone by. */
	waitedMs: number;
	/** For how much of it no connection could be made, until now. */
	unconnectedMs: number;
	/** Uniform in [0, 1): spreads the waits of requests that failed together. */
	random: () => number;
}

/** Why a request is not sent again. `final` means that another attempt would not help. */
type Verdict =
	| 'final'
	| 'retriesUsed'
	| 'waitTooLong'
	| 'waitUsed'
	| 'mayHaveActed'
	| 'mayBeBilled';

/** What to do next. */
export type RetryDecision = { retry: true; afterMs: number } | { retry: false; reason: Verdict };

/** What follows when a request may have been processed, but nobody knows. */
const UNCERTAIN = { safe: undefined, acts: 'mayHaveActed', billed: 'mayBeBilled' } as const;

/**
 * The table of docs/reliability.md: what happened × what a repetition costs. What was surely not processed is bounded
 * by time, what may have been processed by a number. Pure; time and chance come from outside.
 */
export function decideRetry(outcome: Outcome, rules: RetryRules): RetryDecision {
	const verdict = judge(outcome, rules);
	return verdict === 'retry'
		? { retry: true, afterMs: waitBeforeRetry(outcome, rules) }
		: { retry: false, reason: verdict };
}

/** The one rule for what was not processed: the service surely did nothing with it, so it can be sent again. */
export function wasNotProcessed({ kind, facts: { statusCode, retryAfterMs } }: Outcome): boolean {
	if (kind === 'notSent') return true;
	if (kind !== 'status') return false;
	return isRateLimit(statusCode) || (statusCode === 503 && retryAfterMs !== undefined);
}

function judge(outcome: Outcome, rules: RetryRules): Verdict | 'retry' {
	const isUnprocessed = wasNotProcessed(outcome);
	if (!isUnprocessed && !isTemporaryError(outcome)) return 'final';
	const uncertain = isUnprocessed ? undefined : UNCERTAIN[rules.risk];
	if (uncertain !== undefined) return uncertain;
	const { retryAfterMs = 0 } = outcome.facts;
	if (retryAfterMs > rules.maxWaitMs) return 'waitTooLong';
	if (!isUnprocessed) return rules.temporaryErrors < rules.maxRetries ? 'retry' : 'retriesUsed';
	if (rules.unprocessed + 1 >= (rules.maxUnprocessed ?? Infinity)) return 'retriesUsed';
	const leftMs = waitLeftMs(outcome, rules);
	return leftMs < 1 || retryAfterMs > leftMs ? 'waitUsed' : 'retry';
}

function isTemporaryError({ kind, facts: { statusCode = 0 } }: Outcome): boolean {
	if (kind === 'status') return [408, 500, 502, 503, 504].includes(statusCode);
	return kind === 'connectionLost' || kind === 'timeout' || kind === 'invalidBody';
}

function waitLeftMs({ kind }: Outcome, rules: RetryRules): number {
	const leftMs = rules.maxWaitMs - rules.waitedMs;
	const unconnectedLeftMs = LONGEST_UNCONNECTED_MS - rules.unconnectedMs;
	return kind === 'notSent' ? Math.min(leftMs, unconnectedLeftMs) : leftMs;
}

/**
 * Retry-After as asked, a little spread; otherwise exponential backoff with full jitter. Where time is the bound, the
 * last wait takes what is left of it.
 */
function waitBeforeRetry(outcome: Outcome, rules: RetryRules): number {
	const isUnprocessed = wasNotProcessed(outcome);
	const { retryAfterMs } = outcome.facts;
	const times = isUnprocessed ? rules.unprocessed : rules.temporaryErrors;
	const spreadMs =
		retryAfterMs === undefined
			? doubled(FIRST_BACKOFF_MS, times, LONGEST_BACKOFF_MS)
			: RETRY_AFTER_SPREAD_MS;
	const wantedMs = Math.round((retryAfterMs ?? 0) + rules.random() * spreadMs);
	const waitMs = Math.max(wantedMs, doubled(FIRST_PATIENCE_MS, times, LONGEST_PATIENCE_MS));
	return isUnprocessed ? Math.min(waitMs, Math.ceil(waitLeftMs(outcome, rules))) : waitMs;
}

function doubled(firstMs: number, times: number, mostMs: number): number {
	return Math.min(mostMs, firstMs * 2 ** times);
}
