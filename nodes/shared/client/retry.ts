import type { Repeat, RequestLimits } from './api';
import type { FailureFacts, ServiceFailure } from './failures';
import { failureClassOf, isUnprocessed } from './failure-classes';

const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 30_000;
const RETRY_AFTER_SPREAD_MS = 100;
/**
 * Shortest wait before the first retry, in ms, so that `Retry-After: 0` or a tiny random wait causes no burst. It
 * doubles with each retry.
 */
const FIRST_MIN_WAIT_MS = 10;
const MAX_MIN_WAIT_MS = 1_000;

type Outcome = Pick<ServiceFailure, 'kind' | 'facts'>;

/** Everything but the failure that decides about a retry. */
export interface RetryRules {
	limits: Pick<RequestLimits, 'maxRetries' | 'maxWaitMs' | 'maxUnprocessed'>;
	repeat: Repeat;
	/** Number of earlier failures of the same kind: surely not processed, or perhaps processed. */
	times: number;
	/** Time that the request may still wait, and the pause of all requests, in ms. */
	leftMs: number;
	pauseMs?: number;
	/** Returns a random number in [0, 1), to spread the retries of requests that failed together. */
	random: () => number;
}

/** Reason why a request is not retried; `final` if a retry would not help. */
export type GiveUpReason = 'final' | NonNullable<FailureFacts['gaveUp']>;

/**
 * Returns the wait before the next attempt in ms, or the reason why the request is not retried. Follows the table of
 * docs/reliability.md.
 */
export function decideRetry(outcome: Outcome, rules: RetryRules): number | GiveUpReason {
	const { processed, retry, scope } = failureClassOf(outcome);
	const { limits, repeat, times, leftMs, pauseMs = 0 } = rules;
	const { retryAfterMs = 0 } = outcome.facts;
	const isTooLong = retryAfterMs > limits.maxWaitMs;
	// The service surely did not process the request: only Retry For limits the retries.
	if (isUnprocessed(outcome)) {
		// The number of attempts is limited for requests that only try something out. Their failure does not end the
		// run.
		if (times + 1 === limits.maxUnprocessed) return isTooLong ? 'final' : 'retriesUsed';
		if (isTooLong) return 'waitTooLong';
		if (leftMs < 1 || retryAfterMs > leftMs) return 'waitUsed';
		// The last wait uses the rest of the time.
		return Math.min(Math.max(pauseMs, waitAfter(outcome, rules)), leftMs);
	}
	// A rejection of the request, or a failure of a list, shows what became of the request.
	const isUnknown = processed !== 'no' && (scope === 'service' || scope === 'network');
	if (isUnknown && repeat === 'billed') return 'mayBeBilled';
	if (isUnknown && repeat === 'acts') return 'mayHaveActed';
	if (retry === 'never' || repeat !== 'safe') return 'final';
	// The service may have processed the request: the number of retries is limited too.
	if (isTooLong) return 'waitTooLong';
	if (times >= limits.maxRetries) return 'retriesUsed';
	const waitMs = waitAfter(outcome, rules);
	return waitMs > leftMs ? 'retriesUsed' : waitMs;
}

/** Returns the wait in ms: Retry-After plus a small random time, or a random part of an exponential backoff. */
function waitAfter({ facts }: Outcome, { times, repeat, random }: RetryRules): number {
	const doubled = (firstMs: number, maxMs: number) => Math.min(maxMs, firstMs * 2 ** times);
	const minMs = doubled(FIRST_MIN_WAIT_MS, MAX_MIN_WAIT_MS);
	if (facts.retryAfterMs === undefined) {
		// A list waits at least half of the backoff, so that it survives a restart. Calls are many, so their retries
		// are spread further.
		const part = repeat === 'safe' ? (1 + random()) / 2 : random();
		return Math.max(minMs, Math.round(part * doubled(FIRST_BACKOFF_MS, MAX_BACKOFF_MS)));
	}
	return Math.max(minMs, Math.round(facts.retryAfterMs + random() * RETRY_AFTER_SPREAD_MS));
}
