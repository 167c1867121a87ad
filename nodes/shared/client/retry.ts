import type { Repeat, RequestLimits } from './api';
import type { FailureFacts, ServiceFailure } from './failures';
import { failureClassOf, isUnprocessed } from './failure-classes';

/** Backoff before the first retry, in ms. It doubles with each retry. */
const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 30_000;
/** Maximum random time that is added to `Retry-After`, in ms. */
const RETRY_AFTER_SPREAD_MS = 100;
/** Minimum wait before the first retry, in ms. It doubles each time, and prevents bursts after `Retry-After: 0`. */
const FIRST_MIN_WAIT_MS = 10;
const MAX_MIN_WAIT_MS = 1_000;

type Outcome = Pick<ServiceFailure, 'kind' | 'facts'>;

/** Inputs of `decideRetry`, except the failure itself. */
export interface RetryRules {
	limits: Pick<RequestLimits, 'maxRetries' | 'maxWaitMs' | 'maxUnprocessed'>;
	repeat: Repeat;
	/** Number of earlier failed attempts of the same sort: either surely unprocessed, or possibly processed. */
	times: number;
	/** Maximum time that the request can still wait, in ms. */
	leftMs: number;
	/** Time for which the rate limiter makes all requests pause, in ms. */
	pauseMs?: number;
	/** Returns a random number (at least 0, less than 1), so that simultaneous failures are not retried together. */
	random: () => number;
}

/** Reason why a request is not retried. `final` means that a retry would not help. */
export type GiveUpReason = 'final' | NonNullable<FailureFacts['gaveUp']>;

/** Returns the wait before the next attempt in ms, or why the request is not retried (table in docs/reliability.md). */
export function decideRetry(outcome: Outcome, rules: RetryRules): number | GiveUpReason {
	const { processed, retry, scope } = failureClassOf(outcome);
	const { limits, repeat, times, leftMs, pauseMs = 0 } = rules;
	const { retryAfterMs = 0 } = outcome.facts;
	const isTooLong = retryAfterMs > limits.maxWaitMs;
	// The service certainly did not process the request, so only the option Retry For limits the retries.
	if (isUnprocessed(outcome)) {
		// A request that tries out a page size gives up early, because the run can continue with another size.
		if (times + 1 === limits.maxUnprocessed) return isTooLong ? 'final' : 'retriesUsed';
		if (isTooLong) return 'waitTooLong';
		if (leftMs < 1 || retryAfterMs > leftMs) return 'waitUsed';
		return Math.min(Math.max(pauseMs, waitAfter(outcome, rules)), leftMs);
	}
	// The result is unknown if the service may have processed the request but sent no readable response.
	const isUnknown = processed !== 'no' && (scope === 'service' || scope === 'network');
	if (isUnknown && repeat === 'billed') return 'mayBeBilled';
	if (isUnknown && repeat === 'acts') return 'mayHaveActed';
	if (retry === 'never' || repeat !== 'safe') return 'final';
	// The service may have processed the request, so the number of retries is limited too.
	if (isTooLong) return 'waitTooLong';
	if (times >= limits.maxRetries) return 'retriesUsed';
	const waitMs = waitAfter(outcome, rules);
	return waitMs > leftMs ? 'retriesUsed' : waitMs;
}

/** Returns the wait in ms: the time in `Retry-After` plus a small random time, or else a random part of the backoff. */
function waitAfter({ facts }: Outcome, { times, repeat, random }: RetryRules): number {
	const doubled = (firstMs: number, maxMs: number) => Math.min(maxMs, firstMs * 2 ** times);
	const minMs = doubled(FIRST_MIN_WAIT_MS, MAX_MIN_WAIT_MS);
	if (facts.retryAfterMs === undefined) {
		// A request that only reads waits at least half of the backoff, so that its retries last longer than a restart
		// of the service. Calls such as Enrich often fail together, so their retries are spread over a wider range.
		const part = repeat === 'safe' ? (1 + random()) / 2 : random();
		return Math.max(minMs, Math.round(part * doubled(FIRST_BACKOFF_MS, MAX_BACKOFF_MS)));
	}
	return Math.max(minMs, Math.round(facts.retryAfterMs + random() * RETRY_AFTER_SPREAD_MS));
}
