import { failureClassOf, isUnprocessed } from './failure-classes';
import type { ServiceFailure } from './failures';
import { Pace } from './pace';

/**
 * Request that has started. `atMs` is its start time in ms, `number` counts all starts, and `sender` is the call or the
 * list that the request belongs to. `isAccepted` is true once the request counts as accepted by the service.
 */
export type Start = { atMs: number; number: number; sender: object; isAccepted?: boolean };

/**
 * Number of slots at the start of a run, equal to the default of the option Parallel Requests. Each slot allows one
 * request in flight.
 */
const FIRST_SLOTS = 5;
/** Number of slots (requests in flight) to add after each accepted request. */
const SLOT_GROWTH = 0.5;
/**
 * Time in ms after which a waiting request checks again whether it can start. A request that starts late by up to this
 * time does not delay the next request.
 */
const MOMENT_MS = 20;
/**
 * Time in ms without an accepted request after which all requests obey `Retry-After`. The header counts whole seconds,
 * so it would make shorter pauses too long.
 */
const FIRST_SECOND_MS = 1_000;
/** Maximum pause of all requests because of one request's `Retry-After`, in ms. */
const MAX_SHARED_RETRY_AFTER_MS = 60_000;
/**
 * Maximum total wait while no connection can be made, in ms. It is short so that the user soon sees the error after
 * mistyping the port.
 */
export const MAX_UNCONNECTED_MS = 60_000;
/**
 * Factor for slow requests. A request counts as accepted after this factor times the duration of the slowest throttled
 * request.
 */
const PRESUMED_ACCEPTED = 2;

/**
 * Limits for a streak: different requests that fail in a row, without an accepted request between them. `silence`:
 * number of failures after which requests test the service one at a time. `end`: number of failures after which the
 * remaining requests can fail unsent. `firstPauseMs` and `maxPauseMs`: first and longest pause before a test, in ms.
 */
const STREAKS = {
	/** HTTP 429, or 403 or 503 with `Retry-After`. */
	throttled: { silence: 2, end: 10, firstPauseMs: MOMENT_MS, maxPauseMs: 10_000 },
	/** Other temporary failures, such as a timeout. */
	failed: { silence: 5, end: 5, firstPauseMs: 1_000, maxPauseMs: 30_000 },
	/** Lasting failures of the credential or the connection, such as HTTP 401. */
	denied: { silence: Infinity, end: 10, firstPauseMs: 0, maxPauseMs: 0 },
} as const;
type StreakKind = keyof typeof STREAKS;

/**
 * Decides when the requests of one credential can start (docs/maintainers/rate-limiter.md). No request waits until the
 * service throttles requests. From then on, requests start slightly faster than the service has accepted them. A
 * silence is a time in which the service accepts no request. During a silence, only one request at a time, called a
 * probe, tests the service.
 *
 * Call `start` once `waitMs` returns 0, `ended` when the request has ended, and `accepted` or `failed` with its result.
 * Pass all times in ms of a monotonic clock.
 */
export class RateLimiter {
	/** Called when a throttled request frees its slot. Another request can then start. */
	onRoom = (): void => {};
	/** Maximum number of requests in flight, from the option Parallel Requests. */
	private maxSlots = 1;
	/** Number of requests that can be in flight now. Each accepted request raises this number, up to `maxSlots`. */
	private slots = 1;
	private readonly underWay = new Set<Start>();
	/** Number of throttled requests that wait for their retry and have freed their slots. */
	private waitingWithoutSlot = 0;
	private pace = new Pace();
	/** Earliest start of the next request at the current pace, in ms. */
	private nextMs = -Infinity;
	/** End of the pause of all requests, in ms. */
	private pausedUntilMs = -Infinity;
	/** Number of requests started so far, by which starts are numbered. */
	private lastStart = 0;
	/** Highest start number of a request that failed. */
	private lastFailed = 0;
	/** Calls and lists whose requests failed since the last accepted request, by the kind of failure. */
	private readonly streaks: Record<StreakKind, Set<object>> = {
		throttled: new Set(),
		failed: new Set(),
		denied: new Set(),
	};
	/** Latest failure since the last accepted request. */
	private cause?: ServiceFailure;
	/** True if the service throttled requests with another status than 503, which means an outage. */
	private isByRate = false;
	/** Longest duration of a throttled request, in ms. */
	private slowestThrottledMs = 0;
	/** Total of the pauses of all requests since the last accepted request, in ms. */
	private pausedMs = 0;
	/** Total time of waits and probes since the last accepted request, in ms. */
	private totalWaitMs = 0;
	/** End of the latest wait that `totalWaitMs` includes, in ms. */
	private waitedUntilMs = -Infinity;

	constructor(maxSlots = 1) {
		this.allow(maxSlots);
	}

	/**
	 * Sets the maximum number of parallel requests. If the maximum changes, the run begins with few parallel requests
	 * again.
	 */
	allow(maxSlots: number): void {
		if (maxSlots === this.maxSlots) return;
		this.maxSlots = maxSlots;
		this.slots = Math.min(FIRST_SLOTS, maxSlots);
	}

	/** Returns how many requests can be in progress, including throttled requests that wait for their retry. */
	get concurrency(): number {
		return Math.floor(this.slots) + this.waitingWithoutSlot;
	}

	/** Resets failures and waits when n8n's Retry On Fail runs the node again. All requests can then be sent again. */
	beginAttempt(): void {
		this.clearStreaks();
		this.nextMs = -Infinity;
	}

	/**
	 * Returns 0 if the next request can start now. Otherwise returns the time in ms after which the request must check
	 * again.
	 */
	waitMs(nowMs: number): number {
		this.presumeAccepted(nowMs);
		const slots = this.isSilent ? 1 : Math.floor(this.slots);
		const waitMs = Math.ceil(Math.max(this.nextMs, this.pausedUntilMs) - nowMs);
		return Math.max(0, waitMs, this.underWay.size < slots ? 0 : MOMENT_MS);
	}

	/**
	 * Records that a request starts at `nowMs`.
	 * @param sender call or list that the request belongs to
	 */
	start(nowMs: number, sender: object): Start {
		const start = { atMs: nowMs, number: ++this.lastStart, sender };
		this.underWay.add(start);
		const rate = this.pace.rate(this.underWay.size);
		this.nextMs = Math.max(this.nextMs, nowMs - MOMENT_MS) + 1 / rate;
		return start;
	}

	/** Frees the slot of a request that has ended. */
	ended(start: Start): void {
		this.underWay.delete(start);
	}

	/** Lets another request start while a throttled request waits for its retry. */
	freeSlot(): void {
		this.waitingWithoutSlot += 1;
		this.onRoom();
	}

	/** Ends the effect of `freeSlot`, when the wait of the throttled request is over. */
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
	 * Records a failed request. If the failure concerns only this request, such as HTTP 400, the request counts as
	 * accepted. Returns the pause of all requests in ms, to pass to `wait`; 0 unless the service accepts no request at
	 * all.
	 */
	failed(start: Start, nowMs: number, failure: ServiceFailure): number {
		const kind = streakOf(failure);
		if (kind === undefined) {
			this.accepted(start);
			return 0;
		}
		// Count the duration of the request as a wait if it failed in an outage, or if it was a probe (a request that
		// tests whether the service accepts requests again).
		const isProbe = this.isSilent && start.atMs >= this.pausedUntilMs;
		if (kind === 'failed' || isProbe) this.countWait(start.atMs, nowMs);
		this.lastFailed = Math.max(this.lastFailed, start.number);
		this.streaks[kind].add(start.sender);
		this.cause = failure;
		const { statusCode, retryAfterMs = 0 } = failure.facts;
		if (kind === 'throttled') {
			// HTTP 503 means an outage, which says nothing about the pace that the service allows.
			this.isByRate ||= statusCode !== 503;
			this.slowestThrottledMs = Math.max(this.slowestThrottledMs, nowMs - start.atMs);
		}
		// Only a request that started after the last pause causes a new pause. Requests that were already in flight do
		// not.
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
		// Leave out the first second, because the service does not throttle parallel requests at exactly the same
		// moment.
		return Math.max(throttled.size, failed.size) > 1 ? Math.max(0, waitedMs - FIRST_SECOND_MS) : 0;
	}

	/**
	 * Returns the failure with which all remaining requests must end, or undefined if requests can still be sent.
	 * @param maxWaitMs maximum total wait in ms (option Retry For)
	 */
	endOf(maxWaitMs: number, nowMs: number): ServiceFailure | undefined {
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

	/** Returns true during a silence: so many different requests have failed that the service seems to accept none. */
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

	/** Adds a wait to the total. If several requests wait at the same time, this time is added only once. */
	private countWait(fromMs: number, untilMs: number): void {
		this.totalWaitMs += Math.max(0, untilMs - Math.max(fromMs, this.waitedUntilMs));
		this.waitedUntilMs = Math.max(this.waitedUntilMs, untilMs);
	}

	/**
	 * Ends all streaks (series of failed requests) after an accepted request, unless this request started before the
	 * latest failed request.
	 */
	private endStreaks({ atMs, number }: Start): void {
		if (number <= this.lastFailed) return;
		const { isSilent } = this;
		if (isSilent || this.streaks.throttled.size > 0)
			if (!this.pace.learn(atMs, isSilent, this.isByRate))
				this.slots = Math.min(FIRST_SLOTS, this.maxSlots);
		this.clearStreaks();
	}

	private clearStreaks(): void {
		for (const streak of Object.values(this.streaks)) streak.clear();
		this.cause = undefined;
		this.isByRate = false;
		this.pausedMs = this.totalWaitMs = 0;
		this.pausedUntilMs = this.waitedUntilMs = -Infinity;
	}
}

/**
 * Returns the kind of streak (series of failed requests) that a failure belongs to; undefined if the failure says
 * nothing about other requests.
 */
function streakOf(failure: ServiceFailure): StreakKind | undefined {
	const { retry, scope } = failureClassOf(failure);
	if (failure.kind === 'status' && isUnprocessed(failure)) return 'throttled';
	if (retry !== 'never') return 'failed';
	return scope === 'credential' || scope === 'network' ? 'denied' : undefined;
}
