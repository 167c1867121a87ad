import { failureClassOf, isUnprocessed } from './failure-classes';
import type { ServiceFailure } from './failures';
import { Pace } from './pace';

/**
 * A started request: its start time (ms), its number in the order of starts, and the call or list that it belongs to.
 */
export type Start = { atMs: number; number: number; sender: object; isAccepted?: boolean };

/** Number of slots at the start of a run: the default of Parallel Requests. Each accepted request adds half a slot. */
const FIRST_SLOTS = 5;
const SLOT_GROWTH = 0.5;
/**
 * Time after which waiting requests check again, in ms. A request that starts late by at most this time does not delay
 * the next one.
 */
const MOMENT_MS = 20;
/**
 * Length of a silence after which all requests follow a Retry-After, in ms. Retry-After counts whole seconds, so it is
 * too long for short silences.
 */
const FIRST_SECOND_MS = 1_000;
/** Longest Retry-After that other requests follow, in ms. */
const MAX_SHARED_RETRY_AFTER_MS = 60_000;
/** Longest total wait while no connection can be made, in ms. The user must soon hear of a mistyped port. */
export const MAX_UNCONNECTED_MS = 60_000;
/** A request counts as accepted after this number times the longest time that a throttled request took. */
const PRESUMED_ACCEPTED = 2;

/**
 * Limits for a streak: different requests that failed in the same way, with no accepted request between them.
 * `silence`: length of a streak that begins a silence. `end`: length from which requests may end unsent. Then the first
 * and the longest pause before a probe, in ms.
 */
const STREAKS = {
	throttled: { silence: 2, end: 10, firstPauseMs: MOMENT_MS, maxPauseMs: 10_000 },
	failed: { silence: 5, end: 5, firstPauseMs: 1_000, maxPauseMs: 30_000 },
	denied: { silence: Infinity, end: 10, firstPauseMs: 0, maxPauseMs: 0 },
} as const;
type StreakKind = keyof typeof STREAKS;

/**
 * Decides when the requests of one credential may start (docs/maintainers/rate-limiter.md). No request waits until the
 * service throttles requests. From then on, requests start a little faster than the service has accepted them. During a
 * silence the service accepts nothing, and one request at a time probes.
 *
 * Call `start` once `waitMs` is 0, `ended` when the request has ended, and `accepted` or `failed` with its result. The
 * class has no clock: times are passed in, in ms of a clock that is never set.
 */
export class RateLimiter {
	/** Called when a throttled request frees its slot, so that another request may start. */
	onRoom = (): void => {};
	private maxSlots = 1;
	private slots = 1;
	private readonly underWay = new Set<Start>();
	/** Number of throttled requests that wait without a slot. */
	private waitingWithoutSlot = 0;
	private pace = new Pace();
	/** Earliest start of the next request by the pace, and end of the pause of all requests. */
	private nextMs = -Infinity;
	private pausedUntilMs = -Infinity;
	private lastStart = 0;
	/** Number of the latest start that failed, and the calls and lists that failed since the last accepted request. */
	private lastFailed = 0;
	private readonly streaks: Record<StreakKind, Set<object>> = {
		throttled: new Set(),
		failed: new Set(),
		denied: new Set(),
	};
	private cause?: ServiceFailure;
	private isByRate = false;
	private slowestThrottledMs = 0;
	/**
	 * Times since the last accepted request: sum of all pauses, sum of all waits and probes, and end of the last wait.
	 */
	private pausedMs = 0;
	private totalWaitMs = 0;
	private waitedUntilMs = -Infinity;

	constructor(maxSlots = 1) {
		this.allow(maxSlots);
	}

	/**
	 * Sets the maximum number of requests at once. The learned number of slots stays if the maximum is the same as
	 * before.
	 */
	allow(maxSlots: number): void {
		if (maxSlots === this.maxSlots) return;
		this.maxSlots = maxSlots;
		this.slots = Math.min(FIRST_SLOTS, maxSlots);
	}

	/** Returns how many requests may be under way or wait now. */
	get concurrency(): number {
		return Math.floor(this.slots) + this.waitingWithoutSlot;
	}

	/**
	 * Begins another attempt of the node: forgets failures and the time waited, so that every request may be sent
	 * again.
	 */
	beginAttempt(): void {
		this.clearStreaks();
		this.nextMs = -Infinity;
	}

	/** Returns the time in ms until the next request may check again; 0 if it may start. */
	waitMs(nowMs: number): number {
		this.presumeAccepted(nowMs);
		const slots = this.isSilent ? 1 : Math.floor(this.slots);
		const waitMs = Math.ceil(Math.max(this.nextMs, this.pausedUntilMs) - nowMs);
		return Math.max(0, waitMs, this.underWay.size < slots ? 0 : MOMENT_MS);
	}

	start(nowMs: number, sender: object): Start {
		const start = { atMs: nowMs, number: ++this.lastStart, sender };
		this.underWay.add(start);
		const rate = this.pace.rate(this.underWay.size);
		this.nextMs = Math.max(this.nextMs, nowMs - MOMENT_MS) + 1 / rate;
		return start;
	}

	/** Frees the slot of a request. */
	ended(start: Start): void {
		this.underWay.delete(start);
	}

	/** Lets another request use the slot of a throttled request while it waits. */
	freeSlot(): void {
		this.waitingWithoutSlot += 1;
		this.onRoom();
	}

	takeSlotBack(): void {
		this.waitingWithoutSlot -= 1;
	}

	accepted(start: Start): void {
		if (start.isAccepted) return;
		start.isAccepted = true;
		this.slots = Math.min(this.maxSlots, this.slots + SLOT_GROWTH);
		this.endStreaks(start);
		this.pace.accepted(start.atMs);
	}

	/**
	 * Records a failed request. A rejection of the request itself counts as accepted. Returns the pause of all requests
	 * in ms, for `wait`; 0 unless there is a silence.
	 */
	failed(start: Start, nowMs: number, failure: ServiceFailure): number {
		const kind = streakOf(failure);
		if (kind === undefined) {
			this.accepted(start);
			return 0;
		}
		// The duration of a probe counts as a wait. So does the duration of a request that failed in an outage.
		const isProbe = this.isSilent && start.atMs >= this.pausedUntilMs;
		if (kind === 'failed' || isProbe) this.countWait(start.atMs, nowMs);
		this.lastFailed = Math.max(this.lastFailed, start.number);
		this.streaks[kind].add(start.sender);
		this.cause = failure;
		const { statusCode, retryAfterMs = 0 } = failure.facts;
		if (kind === 'throttled') {
			// An unavailable service (503) says nothing about the pace.
			this.isByRate ||= statusCode !== 503;
			this.slowestThrottledMs = Math.max(this.slowestThrottledMs, nowMs - start.atMs);
		}
		// If several requests of the same moment fail, only the first one sets the pause.
		if (!this.isSilent || start.atMs < this.pausedUntilMs) return 0;
		if (retryAfterMs > 0 && this.pausedMs >= FIRST_SECOND_MS)
			return Math.min(retryAfterMs, MAX_SHARED_RETRY_AFTER_MS);
		const { firstPauseMs, maxPauseMs } = STREAKS[kind];
		return Math.min(Math.max(firstPauseMs, this.pausedMs), maxPauseMs);
	}

	/** Records that a request waits for `ms`, and that all requests pause for `pauseMs`. */
	wait(nowMs: number, ms: number, pauseMs: number): void {
		this.countWait(nowMs, nowMs + Math.max(ms, pauseMs));
		if (pauseMs > 0) this.pausedUntilMs = nowMs + pauseMs;
		this.pausedMs += pauseMs;
	}

	/** Returns how long the run has waited since the last accepted request, in ms; 0 if only one request failed. */
	waitedMs(nowMs: number): number {
		const { throttled, failed } = this.streaks;
		const waitedMs = this.totalWaitMs - Math.max(0, this.waitedUntilMs - nowMs);
		// Requests that were sent together are not throttled at the same moment, so the first second does not count.
		return Math.max(throttled.size, failed.size) > 1 ? Math.max(0, waitedMs - FIRST_SECOND_MS) : 0;
	}

	/**
	 * Returns the error for requests that must not be sent any more; undefined if they may be sent.
	 * @param maxWaitMs total wait that the requests allow
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

	/** Checks whether the service accepts nothing. */
	private get isSilent(): boolean {
		const { throttled, failed } = this.streaks;
		return throttled.size >= STREAKS.throttled.silence || failed.size >= STREAKS.failed.silence;
	}

	/** Counts a request as accepted if it is under way for much longer than throttled requests were. */
	private presumeAccepted(nowMs: number): void {
		if (this.slowestThrottledMs === 0) return;
		for (const start of this.underWay)
			if (nowMs - start.atMs > PRESUMED_ACCEPTED * this.slowestThrottledMs + MOMENT_MS)
				this.accepted(start);
	}

	/** Adds a wait. Time in which several requests waited is added once. */
	private countWait(fromMs: number, untilMs: number): void {
		this.totalWaitMs += Math.max(0, untilMs - Math.max(fromMs, this.waitedUntilMs));
		this.waitedUntilMs = Math.max(this.waitedUntilMs, untilMs);
	}

	/** Ends the streaks, unless the accepted request started before a failed one. */
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

/** Returns the streak that a failure belongs to; undefined if the service rejected the request itself. */
function streakOf(failure: ServiceFailure): StreakKind | undefined {
	const { retry, scope } = failureClassOf(failure);
	if (failure.kind === 'status' && isUnprocessed(failure)) return 'throttled';
	if (retry !== 'never') return 'failed';
	return scope === 'credential' || scope === 'network' ? 'denied' : undefined;
}
