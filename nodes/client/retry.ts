import type { RepeatRisk } from './api';
import type { FailureKind } from './failures';
import { isRateLimit } from './statuses';

const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 30_000;
const RETRY_AFTER_SPREAD_MS = 100;
/** How long no connection may be made: a service that restarts is back by then, and a mistyped port is told soon. */
export const LONGEST_UNCONNECTED_MS = 60_000;
/** "Come back at once" said again and again is obeyed a little later each time, and chance never hammers either. */
const FIRST_PATIENCE_MS = 10;
const LONGEST_PATIENCE_MS = 1_000;

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
	/** Times before this one that the request may have been processed and failed. */
	faults: number;
	/** Most retries after such faults. */
	maxRetries: number;
	/** Times before this one that the request was surely not taken. */
	refusals: number;
	/** How often that may happen; undefined where time alone is the bound. */
	mostRefusals?: number;
	/** Longest time to wait for the request to be taken, in ms. */
	maxWaitMs: number;
	/** What of that time has gone by. */
	waitedMs: number;
	/** For how much of it no connection could be made, until now. */
	unconnectedMs: number;
	/** Uniform in [0, 1): spreads the waits of requests that failed together. */
	random: () => number;
}

/** Why a request is not sent again. `final` means that another try would not help. */
type Verdict = 'final' | 'retriesUsed' | 'waitTooLong' | 'waitUsed' | Uncertain;

/** Why a request that may have been processed is not sent again. */
export type Uncertain = 'mayHaveActed' | 'mayBeBilled';

/** What to do next. */
export type RetryDecision = { retry: true; afterMs: number } | { retry: false; reason: Verdict };

/** What follows when a request may have been processed, but nobody knows. */
const UNCERTAIN = { safe: undefined, acts: 'mayHaveActed', billed: 'mayBeBilled' } as const;

/**
 * The table of docs/reliability.md: what happened × what a repetition costs. What was surely not taken is bounded
 * by time, what may have been processed by a number. Pure; time and chance come from outside.
 */
export function decideRetry(outcome: AttemptOutcome, rules: RetryRules): RetryDecision {
	const verdict = judge(outcome, rules);
	return verdict === 'retry'
		? { retry: true, afterMs: waitBeforeRetry(outcome, rules) }
		: { retry: false, reason: verdict };
}

/** The one rule for what was not processed: the service surely did nothing with it, so it can be sent again. */
export function wasNotTaken({ kind, statusCode, retryAfterMs }: AttemptOutcome): boolean {
	if (kind === 'notSent') return true;
	if (kind !== 'status') return false;
	return isRateLimit(statusCode) || (statusCode === 503 && retryAfterMs !== undefined);
}

function judge(outcome: AttemptOutcome, rules: RetryRules): Verdict | 'retry' {
	const notTaken = wasNotTaken(outcome);
	if (!notTaken && !isPassingFault(outcome)) return 'final';
	const uncertain = notTaken ? undefined : UNCERTAIN[rules.risk];
	if (uncertain !== undefined) return uncertain;
	const { retryAfterMs = 0 } = outcome;
	if (retryAfterMs > rules.maxWaitMs) return 'waitTooLong';
	if (notTaken && rules.refusals + 1 >= (rules.mostRefusals ?? Infinity)) return 'retriesUsed';
	if (!notTaken) return rules.faults < rules.maxRetries ? 'retry' : 'retriesUsed';
	const leftMs = waitLeftMs(outcome, rules);
	return leftMs < 1 || retryAfterMs > leftMs ? 'waitUsed' : 'retry';
}

function isPassingFault({ kind, statusCode = 0 }: AttemptOutcome): boolean {
	if (kind === 'status') return [408, 500, 502, 503, 504].includes(statusCode);
	return kind === 'connectionLost' || kind === 'timeout' || kind === 'invalidBody';
}

function waitLeftMs({ kind }: AttemptOutcome, rules: RetryRules): number {
	const leftMs = rules.maxWaitMs - rules.waitedMs;
	const unconnectedLeftMs = LONGEST_UNCONNECTED_MS - rules.unconnectedMs;
	return Math.max(0, kind === 'notSent' ? Math.min(leftMs, unconnectedLeftMs) : leftMs);
}

/**
 * Retry-After as asked, a little spread; otherwise exponential backoff with full jitter. Where time is the bound, the
 * last wait takes what is left of it.
 */
function waitBeforeRetry(outcome: AttemptOutcome, rules: RetryRules): number {
	const notTaken = wasNotTaken(outcome);
	const { retryAfterMs } = outcome;
	const times = notTaken ? rules.refusals : rules.faults;
	const spreadMs =
		retryAfterMs === undefined
			? doubled(FIRST_BACKOFF_MS, times, LONGEST_BACKOFF_MS)
			: RETRY_AFTER_SPREAD_MS;
	const wantedMs = Math.round((retryAfterMs ?? 0) + rules.random() * spreadMs);
	const waitMs = Math.max(wantedMs, doubled(FIRST_PATIENCE_MS, times, LONGEST_PATIENCE_MS));
	return notTaken ? Math.min(waitMs, Math.ceil(waitLeftMs(outcome, rules))) : waitMs;
}

function doubled(firstMs: number, times: number, mostMs: number): number {
	return Math.min(mostMs, firstMs * 2 ** times);
}
