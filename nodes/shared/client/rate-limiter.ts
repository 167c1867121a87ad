import { failureClassOf, isUnprocessed } from './failure-classes';
import type { ServiceFailure } from './failures';
import { Pace } from './pace';

/**
 * Request that has started. `atMs`: start time in ms. `number`: position in the order of all starts. `sender`: call or
 * list that the request belongs to. `isAccepted`: true once the service has accepted the request, or probably has.
 */
export type Start = { atMs: number; number: number; sender: object; isAccepted?: boolean };

/** Number of requests that can be in flight at the start of a run: the default of the option Parallel Requests. */
const FIRST_SLOTS = 5;
/** Number that is added to the maximum number of requests in flight after each accepted request. */
const SLOT_GROWTH = 0.5;
/** Interval in ms for checking whether a request can start. A start this late does not delay the next request. */
const MOMENT_MS = 20;
/** Total pause in ms before all requests obey `Retry-After`. The header counts seconds, too long for short pauses. */
const FIRST_SECOND_MS = 1_000;
/** Maximum time for which all requests pause because of one `Retry-After` header, in ms. */
const MAX_SHARED_RETRY_AFTER_MS = 60_000;
/** Maximum total wait without a connection, in ms. It is short, so that a user soon notices a mistyped port. */
export const MAX_UNCONNECTED_MS = 60_000;
/**
 * A request without a response counts as accepted after this many times the duration of the slowest throttled request.
 * The service would have throttled it by then.
 */
const PRESUMED_ACCEPTED = 2;

/**
 * Limits for a streak: failures of different requests without an accepted request between them. `silence`: number of
 * failures after which only one request at a time tests the service. `end`: number after which the remaining requests
 * can fail unsent. `firstPauseMs`, `maxPauseMs`: shortest and longest pause before a test, in ms.
 */
const STREAKS = {
	/** Requests that the service throttled by HTTP 429, or by 403 or 503 with `Retry-After`. */
	throttled: { silence: 2, end: 10, firstPauseMs: MOMENT_MS, maxPauseMs: 10_000 },
	/** Requests with other temporary failures, such as a timeout. */
	failed: { silence: 5, end: 5, firstPauseMs: 1_000, maxPauseMs: 30_000 },
	/** Requests with lasting failures of the credential or the connection, such as HTTP 401. */
	denied: { silence: Infinity, end: 10, firstPauseMs: 0, maxPauseMs: 0 },
} as const;
type StreakKind = keyof typeof STREAKS;

/**
 * Decides when the requests of one credential can start (docs/maintainers/rate-limiter.md). Requests start at once
 * until the service throttles, and then slightly faster than the service has accepted them. During a silence, in which
 * the service accepts no requests, only one request at a time (a probe) tests the service.
 * Call `start` once `waitMs` returns 0, `ended` when the request has ended, and `accepted` or `failed` with its result.
 * All times are in ms of a monotonic clock.
 */
export class RateLimiter {
	/** Called when a throttled request waits for its retry, so that another request can start in the meantime. */
	onSlotFreed = (): void => {};
	/** Maximum number of requests in flight, from the option Parallel Requests. */
	private maxSlots = 1;
	/** Number of requests that can be in flight now. It grows with each accepted request, up to `maxSlots`. */
	private slots = 1;
	private readonly underWay = new Set<Start>();
	/** Number of throttled requests that wait for their retry. They do not count as in flight. */
	private waitingWithoutSlot = 0;
	private pace = new Pace();
	/** Earliest start of the next request at the current pace, in ms. */
	private nextMs = -Infinity;
	private pausedUntilMs = -Infinity;
	/** Number of requests started so far. It is also the number of the last started request. */
	private lastStart = 0;
	/** Highest number of a failed request. Requests are numbered in the order in which they start. */
	private lastFailed = 0;
	/** Calls and lists with failed requests since the last accepted request, by the kind of failure. */
	private readonly streaks: Record<StreakKind, Set<object>> = {
		throttled: new Set(),
		failed: new Set(),
		denied: new Set(),
	};
	/** Latest failure since the last accepted request. */
	private cause?: ServiceFailure;
	/** True if a rate limit throttled a request. False if there was only HTTP 503, which means an outage. */
	private isThrottledByRate = false;
	/** Longest time that the service has taken to reject a request by throttling so far, in ms. */
	private slowestThrottledMs = 0;
	/** Total time for which all requests have paused since the last accepted request, in ms. */
	private pausedMs = 0;
	/** Total time of waits since the last accepted request, in ms, including the duration of probes. */
	private totalWaitMs = 0;
	/** End of the latest wait that `totalWaitMs` includes, in ms. */
	private waitedUntilMs = -Infinity;

	constructor(maxSlots = 1) {
		this.allow(maxSlots);
	}

	/** Sets the maximum number of parallel requests. If it changes, the run starts again with few parallel requests. */
	allow(maxSlots: number): void {
		if (maxSlots === this.maxSlots) return;
		this.maxSlots = maxSlots;
		this.slots = Math.min(FIRST_SLOTS, maxSlots);
	}

	/** Returns how many requests can be in progress at once, including throttled requests that wait for their retry. */
	get concurrency(): number {
		return Math.floor(this.slots) + this.waitingWithoutSlot;
	}

	/** Clears failures and waits when n8n's Retry On Fail runs the node again, so that requests can be sent again. */
	beginAttempt(): void {
		this.clearStreaks();
		this.nextMs = -Infinity;
	}

	/** Returns 0 if the next request can start now, or else the time in ms after which to call this function again. */
	waitMs(nowMs: number): number {
		this.presumeAccepted(nowMs);
		const slots = this.isSilent ? 1 : Math.floor(this.slots);
		const waitMs = Math.ceil(Math.max(this.nextMs, this.pausedUntilMs) - nowMs);
		return Math.max(0, waitMs, this.underWay.size < slots ? 0 : MOMENT_MS);
	}

	/** Records that a request of a call or list (`sender`) starts at `nowMs`. */
	start(nowMs: number, sender: object): Start {
		const start = { atMs: nowMs, number: ++this.lastStart, sender };
		this.underWay.add(start);
		const rate = this.pace.rate(this.underWay.size);
		this.nextMs = Math.max(this.nextMs, nowMs - MOMENT_MS) + 1 / rate;
		return start;
	}

	/** Records that a request has ended, so that another request can start. */
	ended(start: Start): void {
		this.underWay.delete(start);
	}

	/** Lets another request start while a throttled request waits for its retry. Call `takeSlotBack` after the wait. */
	freeSlot(): void {
		this.waitingWithoutSlot += 1;
		this.onSlotFreed();
	}

	/** Reverses `freeSlot` when a throttled request has finished waiting. */
	takeSlotBack(): void {
		this.waitingWithoutSlot -= 1;
	}

	/** Records that the service accepted a request. */
	accepted(start: Start): void {
		if (start.isAccepted) return;
		start.isAccepted = true;
		this.slots = Math.min(this.maxSlots, this.slots + SLOT_GROWTH);
		this.endStreaks(start);
		this.pace.accepted(start.atMs);
	}

	/**
	 * Records a failed request, which counts as accepted if the failure concerns only this request, as after HTTP 400.
	 * Returns the time in ms for which all requests must pause (0 if none), to be passed to `wait`.
	 */
	failed(start: Start, nowMs: number, failure: ServiceFailure): number {
		const kind = streakOf(failure);
		if (kind === undefined) {
			this.accepted(start);
			return 0;
		}
		// Count the request's duration as a wait if it failed in an outage, or if it was a probe.
		const isProbe = this.isSilent && start.atMs >= this.pausedUntilMs;
		if (kind === 'failed' || isProbe) this.countWait(start.atMs, nowMs);
		this.lastFailed = Math.max(this.lastFailed, start.number);
		this.streaks[kind].add(start.sender);
		this.cause = failure;
		const { statusCode, retryAfterMs = 0 } = failure.facts;
		if (kind === 'throttled') {
			// HTTP 503 means an outage, which does not show what pace the service allows.
			this.isThrottledByRate ||= statusCode !== 503;
			this.slowestThrottledMs = Math.max(this.slowestThrottledMs, nowMs - start.atMs);
		}
		// Requests that were already in flight when a pause began must not prolong it.
		if (!this.isSilent || start.atMs < this.pausedUntilMs) return 0;
		if (retryAfterMs > 0 && this.pausedMs >= FIRST_SECOND_MS)
			return Math.min(retryAfterMs, MAX_SHARED_RETRY_AFTER_MS);
		const { firstPauseMs, maxPauseMs } = STREAKS[kind];
		return Math.min(Math.max(firstPauseMs, this.pausedMs), maxPauseMs);
	}

	/** Records that one request waits for `ms`, and that all requests pause for `pauseMs`. */
	wait(nowMs: number, ms: number, pauseMs: number): void {
		this.countWait(nowMs, nowMs + Math.max(ms, pauseMs));
		if (pauseMs > 0) this.pausedUntilMs = nowMs + pauseMs;
		this.pausedMs += pauseMs;
	}

	/**
	 * Returns how long the run has waited since the last accepted request, in ms. Returns 0 if fewer than two different
	 * requests have failed since then.
	 */
	waitedMs(nowMs: number): number {
		const { throttled, failed } = this.streaks;
		const waitedMs = this.totalWaitMs - Math.max(0, this.waitedUntilMs - nowMs);
		// Leave out the first second: parallel requests are throttled one by one, so this request may have waited less.
		return Math.max(throttled.size, failed.size) > 1 ? Math.max(0, waitedMs - FIRST_SECOND_MS) : 0;
	}

	/** Returns the failure with which all remaining requests must end, or undefined if requests can still be sent. */
	failureThatEndsRun(maxWaitMs: number, nowMs: number): ServiceFailure | undefined {
		const { cause, streaks } = this;
		if (cause === undefined) return undefined;
		if (streaks.denied.size >= STREAKS.denied.end) return cause;
		const isLongStreak =
			streaks.throttled.size >= STREAKS.throttled.end || streaks.failed.size >= STREAKS.failed.end;
		const { retryAfterMs = 0 } = cause.facts;
		const neededMs = Math.max(1, retryAfterMs, this.pausedUntilMs - nowMs);
		const longestMs =
			cause.kind === 'notSent' ? Math.min(maxWaitMs, MAX_UNCONNECTED_MS) : maxWaitMs;
		if (!isLongStreak || neededMs <= longestMs - this.waitedMs(nowMs)) return undefined;
		return cause.with({ gaveUp: retryAfterMs > maxWaitMs ? 'waitTooLong' : 'waitUsed', maxWaitMs });
	}

	/** Checks whether so many different requests have failed that the service seems to accept none (a silence). */
	private get isSilent(): boolean {
		const { throttled, failed } = this.streaks;
		return throttled.size >= STREAKS.throttled.silence || failed.size >= STREAKS.failed.silence;
	}

	/** Counts a request as accepted if it has run for much longer than any throttled request. */
	private presumeAccepted(nowMs: number): void {
		if (this.slowestThrottledMs === 0) return;
		for (const start of this.underWay)
			if (nowMs - start.atMs > PRESUMED_ACCEPTED * this.slowestThrottledMs + MOMENT_MS)
				this.accepted(start);
	}

	/** Adds a wait to `totalWaitMs`. Time in which several requests wait is added only once. */
	private countWait(fromMs: number, untilMs: number): void {
		this.totalWaitMs += Math.max(0, untilMs - Math.max(fromMs, this.waitedUntilMs));
		this.waitedUntilMs = Math.max(this.waitedUntilMs, untilMs);
	}

	/** Ends all streaks after an accepted request, unless a request that started later has failed. */
	private endStreaks({ atMs, number }: Start): void {
		if (number <= this.lastFailed) return;
		const { isSilent } = this;
		if (isSilent || this.streaks.throttled.size > 0)
			if (!this.pace.learn(atMs, isSilent, this.isThrottledByRate))
				this.slots = Math.min(FIRST_SLOTS, this.maxSlots);
		this.clearStreaks();
	}

	private clearStreaks(): void {
		for (const streak of Object.values(this.streaks)) streak.clear();
		this.cause = undefined;
		this.isThrottledByRate = false;
		this.pausedMs = this.totalWaitMs = 0;
		this.pausedUntilMs = this.waitedUntilMs = -Infinity;
	}
}

/** Returns the kind of streak that a failure belongs to; undefined if it concerns only its own request. */
function streakOf(failure: ServiceFailure): StreakKind | undefined {
	const { retry, scope } = failureClassOf(failure);
	if (failure.kind === 'status' && isUnprocessed(failure)) return 'throttled';
	if (retry !== 'never') return 'failed';
	return scope === 'credential' || scope === 'network' ? 'denied' : undefined;
}
