import type { Repeat, RequestLimits } from './api';
import type { FailureFacts, ServiceFailure } from './failures';
import { failureClassOf, isUnprocessed } from './failure-classes';

const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 30_000;
const RETRY_AFTER_SPREAD_MS = 100;
/** Shortest wait, doubled each time, so that `Retry-After: 0` or a tiny random wait does not cause a burst. */
const FIRST_PATIENCE_MS = 10;
const MAX_PATIENCE_MS = 1_000;

type Outcome = Pick<ServiceFailure, 'kind' | 'facts'>;

/** What decides about one request besides its failure. */
export interface RetryRules {
	limits: Pick<RequestLimits, 'maxRetries' | 'maxWaitMs' | 'maxUnprocessed'>;
	repeat: Repeat;
	/** How often it failed before: so that it was surely not processed, or so that it may have been. */
	times: number;
	/** How long it may still wait, and how long everybody waits at least. */
	leftMs: number;
	leastMs?: number;
	/** Spreads the waits of requests that failed together. */
	random: () => number;
}

/** Why a request is not sent again; `final` where that would not help. */
export type GivenUp = 'final' | NonNullable<FailureFacts['gaveUp']>;

/** How long to wait before the next attempt, in ms, or why there is none: the table of docs/reliability.md. */
export function decideRetry(outcome: Outcome, rules: RetryRules): number | GivenUp {
	const { processed, retry, scope } = failureClassOf(outcome);
	const { limits, repeat, times, leftMs, leastMs = 0 } = rules;
	const { retryAfterMs = 0 } = outcome.facts;
	const isTooLong = retryAfterMs > limits.maxWaitMs;
	// Surely not processed: Retry For is the bound.
	if (isUnprocessed(outcome)) {
		// A trial ends alone; the run goes on.
		if (times + 1 === limits.maxUnprocessed) return isTooLong ? 'final' : 'retriesUsed';
		if (isTooLong) return 'waitTooLong';
		if (leftMs < 1 || retryAfterMs > leftMs) return 'waitUsed';
		// The last wait takes what is left of the time.
		return Math.min(Math.max(leastMs, waitAfter(outcome, rules)), leftMs);
	}
	// A rejection, or a whole list, shows what became of the request.
	const isUnknown = processed !== 'no' && (scope === 'service' || scope === 'network');
	if (isUnknown && repeat === 'billed') return 'mayBeBilled';
	if (isUnknown && repeat === 'acts') return 'mayHaveActed';
	if (retry === 'never' || repeat !== 'safe') return 'final';
	// Processed, perhaps: the number of attempts is the bound, and Retry For that of their waits.
	if (isTooLong) return 'waitTooLong';
	if (times >= limits.maxRetries) return 'retriesUsed';
	const waitMs = waitAfter(outcome, rules);
	return waitMs > leftMs ? 'retriesUsed' : waitMs;
}

/** Retry-After as asked, a little spread; otherwise a part of a backoff that doubles. */
function waitAfter({ facts }: Outcome, { times, repeat, random }: RetryRules): number {
	const doubled = (firstMs: number, maxMs: number) => Math.min(maxMs, firstMs * 2 ** times);
	const leastMs = doubled(FIRST_PATIENCE_MS, MAX_PATIENCE_MS);
	if (facts.retryAfterMs === undefined) {
		// Half of it at least, so that a list survives a restart; many calls have to be spread further.
		const part = repeat === 'safe' ? (1 + random()) / 2 : random();
		return Math.max(leastMs, Math.round(part * doubled(FIRST_BACKOFF_MS, MAX_BACKOFF_MS)));
	}
	return Math.max(leastMs, Math.round(facts.retryAfterMs + random() * RETRY_AFTER_SPREAD_MS));
}
