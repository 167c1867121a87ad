import { failureClassOf, isUnprocessed } from './failure-classes';
import type { ServiceFailure } from './failures';
import { Pace } from './pace';

/** A started request: when it started (ms), its number in the order of starting, and what it belongs to (a call or a list). */
export type Start = { atMs: number; number: number; of: object; isAccepted?: boolean };

/** Number of slots that a run begins with: the default of Parallel Requests. Each accepted request adds a half. */
const FIRST_SLOTS = 5;
const SLOT_GROWTH = 0.5;
/** Requests that wait look again after this time, in ms. A start that was late by this much is made up for. */
const MOMENT_MS = 20;
/** Requests obey the Retry-After of others after a silence of this length, in ms, because it counts whole seconds. */
const ROUNDED_MS = 1_000;
/** Longest Retry-After that requests obey for others, in ms. */
const MAX_TOLD_MS = 60_000;
/** Longest silence in which no connection can be made, in ms: a mistyped port must be reported soon. */
export const MAX_UNCONNECTED_MS = 60_000;
/** A request counts as accepted once it is under way for this many times as long as the throttled ones were. */
const PRESUMED = 2;

/**
 * Numbers of different requests in a row, with none accepted between them, that mean silence and that end requests unsent;
 * and the first and the longest pause before a probe, in ms.
 */
const ROWS = {
	throttled: { silence: 2, end: 10, firstPauseMs: MOMENT_MS, maxPauseMs: 10_000 },
	failed: { silence: 5, end: 5, firstPauseMs: 1_000, maxPauseMs: 30_000 },
	denied: { silence: Infinity, end: 10, firstPauseMs: 0, maxPauseMs: 0 },
} as const;
type Row = keyof typeof ROWS;

/**
 * When the requests of one credential may start (docs/maintainers/rate-limiter.md). Nothing is held back until the service
 * throttles requests. From then on they start a little faster than the service has accepted them. While the service accepts
 * nothing (a silence), one request at a time probes.
 * Call `start` once `waitMs` is 0, then `ended`, then `accepted` or `failed`. Knows no clock: times are passed in, in ms of
 * a clock that is never set.
 */
export class RateLimiter {
	/** Called when another request may start, because a throttled one waits by itself. */
	onRoom = (): void => {};
	private maxSlots = 1;
	private slots = 1;
	private readonly underWay = new Set<Start>();
	/** Number of throttled requests that wait by themselves. Others use their slots. */
	private away = 0;
	private pace = new Pace();
	/** When the pace lets the next request start, and until when all requests pause. */
	private nextMs = -Infinity;
	private pausedUntilMs = -Infinity;
	private lastStart = 0;
	/** Number of the last start that was not accepted, and what was not accepted since a later one was. */
	private lastInRow = 0;
	private readonly rows: Record<Row, Set<object>> = {
		throttled: new Set(),
		failed: new Set(),
		denied: new Set(),
	};
	private cause?: ServiceFailure;
	private isOfPace = false;
	private slowestMs = 0;
	/** Since a request was accepted: sum of the pauses, and of all waits and probes, with when the last of them ends. */
	private pausedMs = 0;
	private waited = 0;
	private waitedUntilMs = -Infinity;

	constructor(maxSlots = 1) {
		this.allow(maxSlots);
	}

	/** Sets the maximum number of requests at once. If it is the same as before, the learned number of slots stays. */
	allow(maxSlots: number): void {
		if (maxSlots === this.maxSlots) return;
		this.maxSlots = maxSlots;
		this.slots = Math.min(FIRST_SLOTS, maxSlots);
	}

	/** Returns how many requests may be under way or wait now. */
	get concurrency(): number {
		return Math.floor(this.slots) + this.away;
	}

	/** Begins another attempt of the node: Retry For counts anew, and what was refused is tried again. */
	beginAttempt(): void {
		this.clearRows();
		this.nextMs = -Infinity;
	}

	/** Returns after how many ms the next request looks again; 0 if it may start. */
	waitMs(nowMs: number): number {
		this.presumeAccepted(nowMs);
		const slots = this.isSilent ? 1 : Math.floor(this.slots);
		const waitMs = Math.ceil(Math.max(this.nextMs, this.pausedUntilMs) - nowMs);
		return Math.max(0, waitMs, this.busySlots < slots ? 0 : MOMENT_MS);
	}

	start(nowMs: number, of: object): Start {
		const start = { atMs: nowMs, number: ++this.lastStart, of };
		this.underWay.add(start);
		const rate = this.pace.rate(this.underWay.size);
		this.nextMs = Math.max(this.nextMs, nowMs - MOMENT_MS) + 1 / rate;
		return start;
	}

	/** Frees the slot of a request. `accepted` or `failed` report what its response means. */
	ended(start: Start): void {
		this.underWay.delete(start);
	}

	/** Lets another request use the slot of a throttled one that waits by itself. */
	leave(): void {
		this.away += 1;
		this.onRoom();
	}

	comeBack(): void {
		this.away -= 1;
	}

	accepted(start: Start): void {
		if (start.isAccepted) return;
		start.isAccepted = true;
		this.slots = Math.min(this.maxSlots, this.slots + SLOT_GROWTH);
		this.endRows(start);
		this.pace.accepted(start.atMs);
	}

	/**
	 * Reports that a request was throttled, denied, or failed without an answer; an answer about its own values counts as
	 * accepted. Returns how long all requests have to pause, in ms: pass it to `wait`. It is 0 unless there is a silence.
	 */
	failed(start: Start, nowMs: number, failure: ServiceFailure): number {
		const row = rowOf(failure);
		if (row === undefined) {
			this.accepted(start);
			return 0;
		}
		// A probe was started while nothing was accepted. Its duration is a wait, and so is that of an outage.
		const isProbe = this.isSilent && start.atMs >= this.pausedUntilMs;
		if (row === 'failed' || isProbe) this.countWait(start.atMs, nowMs);
		this.lastInRow = Math.max(this.lastInRow, start.number);
		this.rows[row].add(start.of);
		this.cause = failure;
		const { statusCode, retryAfterMs = 0 } = failure.facts;
		if (row === 'throttled') {
			// An unavailable service (503) says nothing about the pace.
			this.isOfPace ||= statusCode !== 503;
			this.slowestMs = Math.max(this.slowestMs, nowMs - start.atMs);
		}
		// Of requests that were under way together, only the first one lengthens the pause.
		if (!this.isSilent || start.atMs < this.pausedUntilMs) return 0;
		if (retryAfterMs > 0 && this.pausedMs >= ROUNDED_MS) return Math.min(retryAfterMs, MAX_TOLD_MS);
		const { firstPauseMs, maxPauseMs } = ROWS[row];
		return Math.min(Math.max(firstPauseMs, this.pausedMs), maxPauseMs);
	}

	/** Lets a request wait for `ms`, and all requests for `pauseMs`. */
	wait(nowMs: number, ms: number, pauseMs: number): void {
		this.countWait(nowMs, nowMs + Math.max(ms, pauseMs));
		if (pauseMs > 0) this.pausedUntilMs = nowMs + pauseMs;
		this.pausedMs += pauseMs;
	}

	/** Returns how long the run has waited since a request was accepted, in ms; 0 if only one request was not accepted. */
	waitedMs(nowMs: number): number {
		const { throttled, failed } = this.rows;
		const waitedMs = this.waited - Math.max(0, this.waitedUntilMs - nowMs);
		// Requests that were sent together are not throttled at the same moment, so the first second does not count.
		return Math.max(throttled.size, failed.size) > 1 ? Math.max(0, waitedMs - ROUNDED_MS) : 0;
	}

	/** Returns the error of requests that may wait for `maxWaitMs` in all and must not be sent; undefined if they may. */
	endOf(maxWaitMs: number, nowMs: number): ServiceFailure | undefined {
		const { cause, rows } = this;
		if (cause === undefined) return undefined;
		if (rows.denied.size >= ROWS.denied.end) return cause;
		const isSure = rows.throttled.size >= ROWS.throttled.end || rows.failed.size >= ROWS.failed.end;
		const { retryAfterMs = 0 } = cause.facts;
		const neededMs = Math.max(1, retryAfterMs, this.pausedUntilMs - nowMs);
		const mostMs = cause.kind === 'notSent' ? Math.min(maxWaitMs, MAX_UNCONNECTED_MS) : maxWaitMs;
		if (!isSure || neededMs <= mostMs - this.waitedMs(nowMs)) return undefined;
		return cause.with({ gaveUp: retryAfterMs > maxWaitMs ? 'waitTooLong' : 'waitUsed', maxWaitMs });
	}

	/** Checks whether the service accepts nothing. */
	private get isSilent(): boolean {
		const { throttled, failed } = this.rows;
		return throttled.size >= ROWS.throttled.silence || failed.size >= ROWS.failed.silence;
	}

	private get busySlots(): number {
		return this.underWay.size;
	}

	/** Ends a silence if a request is under way for so long that the service must have accepted it. */
	private presumeAccepted(nowMs: number): void {
		if (this.slowestMs === 0) return;
		for (const start of this.underWay)
			if (nowMs - start.atMs > PRESUMED * this.slowestMs + MOMENT_MS) this.accepted(start);
	}

	/** Counts a time once, even if several requests waited in it. */
	private countWait(fromMs: number, untilMs: number): void {
		this.waited += Math.max(0, untilMs - Math.max(fromMs, this.waitedUntilMs));
		this.waitedUntilMs = Math.max(this.waitedUntilMs, untilMs);
	}

	/** A request that started before one that was not accepted does not show that the service accepts requests again. */
	private endRows({ atMs, number }: Start): void {
		if (number <= this.lastInRow) return;
		const { isSilent } = this;
		if (isSilent || this.rows.throttled.size > 0)
			if (!this.pace.learn(atMs, isSilent, this.isOfPace))
				this.slots = Math.min(FIRST_SLOTS, this.maxSlots);
		this.clearRows();
	}

	private clearRows(): void {
		for (const row of Object.values(this.rows)) row.clear();
		this.cause = undefined;
		this.isOfPace = false;
		this.pausedMs = this.waited = 0;
		this.pausedUntilMs = this.waitedUntilMs = -Infinity;
	}
}

/** Returns undefined if the service has answered about the request itself. */
function rowOf(failure: ServiceFailure): Row | undefined {
	const { retry, scope } = failureClassOf(failure);
	if (failure.kind === 'status' && isUnprocessed(failure)) return 'throttled';
	if (retry !== 'never') return 'failed';
	return scope === 'credential' || scope === 'network' ? 'denied' : undefined;
}
