import type { Repeat, RequestBounds } from './api';
import type { FailureFacts, ServiceFailure } from './failures';
import { failureClassOf } from './failure-classes';

const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 30_000;
const RETRY_AFTER_SPREAD_MS = 100;
/** Shortest wait, doubled each time, so that `Retry-After: 0` or a tiny random wait does not cause a burst. */
const FIRST_PATIENCE_MS = 10;
const MAX_PATIENCE_MS = 1_000;

type Outcome = Pick<ServiceFailure, 'kind' | 'facts'>;

/** What decides about one request, and what its earlier attempts have used up. */
export interface RetryRules extends Omit<RequestBounds, 'timeoutMs' | 'endByMs'> {
	/** Attempts that may have been processed, and those that surely were not. */
	temporaryErrors: number;
	unprocessed: number;
	/** What is left of Retry For, and how long everybody waits at least. */
	waitLeftMs: number;
	leastMs: number;
	/** How long another attempt may still start. */
	leftMs: number;
	repeat: Repeat;
	/** Spreads the waits of requests that failed together. */
	random: () => number;
}

/** Why a request is not sent again; `final` where that would not help. */
type GivenUp = 'final' | NonNullable<FailureFacts['gaveUp']>;

const UNCERTAIN = { safe: undefined, acts: 'mayHaveActed', billed: 'mayBeBilled' } as const;

/** How long to wait before the next attempt, in ms, or why there is none: the table of docs/reliability.md. */
export function decideRetry(outcome: Outcome, rules: RetryRules): number | GivenUp {
	return failureClassOf(outcome).helps === 'wait'
		? afterRefusal(outcome, rules)
		: afterError(outcome, rules);
}

/** What was or may have been processed: the number of repeats is the bound, and Retry For that of their waits. */
function afterError(outcome: Outcome, rules: RetryRules): number | GivenUp {
	const { done, helps, about } = failureClassOf(outcome);
	const uncertain = UNCERTAIN[rules.repeat];
	// A rejection, or a whole list, shows what became of the request.
	const isUnknown = done !== 'no' && (about === 'service' || about === 'network');
	if (uncertain !== undefined && isUnknown) return uncertain;
	if (helps === 'nothing' || rules.repeat !== 'safe') return 'final';
	if (isTooLong(outcome, rules)) return 'waitTooLong';
	if (rules.temporaryErrors >= rules.maxRetries) return 'retriesUsed';
	const waitMs = waitAfter(outcome, rules.temporaryErrors, rules);
	return waitMs > Math.min(rules.waitLeftMs, rules.leftMs) ? 'retriesUsed' : waitMs;
}

/** What was surely not processed: Retry For is the bound. */
function afterRefusal(outcome: Outcome, rules: RetryRules): number | GivenUp {
	const { retryAfterMs = 0 } = outcome.facts;
	const { unprocessed, leastMs } = rules;
	// A trial ends alone; the run goes on.
	if (unprocessed + 1 === rules.maxUnprocessed)
		return isTooLong(outcome, rules) ? 'final' : 'retriesUsed';
	if (isTooLong(outcome, rules)) return 'waitTooLong';
	const leftMs = Math.min(rules.waitLeftMs, rules.leftMs);
	if (leftMs < 1 || retryAfterMs > leftMs) return 'waitUsed';
	// The last wait takes what is left of the time.
	return Math.min(Math.max(leastMs, waitAfter(outcome, unprocessed, rules)), leftMs);
}

function isTooLong({ facts: { retryAfterMs = 0 } }: Outcome, { maxWaitMs }: RetryRules): boolean {
	return retryAfterMs > maxWaitMs;
}

/** Retry-After as asked, a little spread; otherwise a part of a backoff that doubles. */
function waitAfter({ facts }: Outcome, times: number, { repeat, random }: RetryRules): number {
	const doubled = (firstMs: number, maxMs: number) => Math.min(maxMs, firstMs * 2 ** times);
	const leastMs = doubled(FIRST_PATIENCE_MS, MAX_PATIENCE_MS);
	if (facts.retryAfterMs === undefined) {
		// Half of it at least, so that a list survives a restart; many calls have to be spread further.
		const part = repeat === 'safe' ? (1 + random()) / 2 : random();
		return Math.max(leastMs, Math.round(part * doubled(FIRST_BACKOFF_MS, MAX_BACKOFF_MS)));
	}
	return Math.max(leastMs, Math.round(facts.retryAfterMs + random() * RETRY_AFTER_SPREAD_MS));
}
