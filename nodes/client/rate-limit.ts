import type { Announcement } from './rate-limit-headers';

/** Longest wait for a window, in ms: what a service says about it may be wrong. */
const LONGEST_WAIT_MS = 60_000;
/** A request that comes a little too early is refused, and not all take equally long to arrive. */
const MARGIN_MS = 30;
/** Whole seconds say too little about the end of a shorter window: in those, requests start evenly. */
const SHORT_WINDOW_MS = 10_000;
/** How much of an announced rate is used, so that no window is ever full. */
const EVEN_PART = 0.972;
/** After a window's end one request asks how many the next one allows, and another one where no answer comes. */
const ASK_AGAIN_MS = 1_000;

/** A request that was started: which one, and when in ms. */
interface Started {
	number: number;
	atMs: number;
}

/**
 * What a service announces about its rate limit, as far as it bounds how fast requests may start: so many until a
 * window ends, or evenly where windows are short. It says when to wait and never lets anything start earlier. Where
 * the service accepts what its numbers rule out, they are believed no more.
 *
 * Knows no clock: times come from outside, in ms.
 */
export class AnnouncedLimit {
	/** Requests per ms that may start; infinite where only their number in a window counts. */
	rate = Infinity;
	private isBelieved = true;
	private started = 0;
	/** Requests without an answer: whether the service has counted them is not known. */
	private readonly underWay = new Set<number>();
	private remaining = Infinity;
	private resetAtMs = 0;
	/** The window is over, and one request is under way that asks about the next one. */
	private isAsking = false;
	private windowMs = 0;
	/** Until when nothing was left by the first of the answers that said so; infinite while there is something. */
	private emptyUntilMs = Infinity;
	private hasHadMore = false;

	/** How long to wait for the next window, in ms; 0 where another request may start. */
	waitMs(nowMs: number): number {
		return this.isUsedUp() ? Math.max(0, this.resetAtMs - nowMs) : 0;
	}

	/** Notes that a request starts, and gives its number. */
	start(nowMs: number): number {
		if (this.isUsedUp()) {
			this.resetAtMs = Math.max(this.resetAtMs, nowMs + ASK_AGAIN_MS);
			this.isAsking = true;
			this.underWay.clear();
		}
		this.underWay.add(++this.started);
		return this.started;
	}

	/** An answer came that announces something. To be told before `end`. */
	hear(said: Announcement, { number, atMs }: Started, isAccepted: boolean): void {
		this.underWay.delete(number);
		if (!this.isBelieved) return;
		const { remaining, resetMs, limit, windowMs } = said;
		this.hasHadMore ||= remaining > 0;
		this.windowMs = windowMs ?? Math.max(this.windowMs, resetMs);
		const evenRate = limit === undefined ? Infinity : limit / this.windowMs;
		this.rate = this.windowMs <= SHORT_WINDOW_MS ? evenRate * EVEN_PART : Infinity;
		const resetAtMs = atMs + Math.min(resetMs, LONGEST_WAIT_MS) + MARGIN_MS;
		const isEmpty = remaining === 0 && isAccepted;
		if (isEmpty && atMs >= this.emptyUntilMs && 1 / resetMs < evenRate / 2) {
			this.isBelieved = false;
			if (windowMs === undefined && !this.hasHadMore) this.rate = Infinity;
			return;
		}
		// Answers come in another order than they were made in.
		const isSameWindow = !this.isAsking && atMs < this.resetAtMs && this.rate === Infinity;
		this.remaining = isSameWindow ? Math.min(this.remaining, remaining) : remaining;
		this.resetAtMs = isSameWindow ? Math.max(this.resetAtMs, resetAtMs) : resetAtMs;
		if (isEmpty) this.emptyUntilMs = Math.min(this.emptyUntilMs, resetAtMs);
		else if (this.remaining > 0) this.emptyUntilMs = Infinity;
		this.isAsking = false;
	}

	/** An answer came, or a request was refused. One that is accepted without a word has left no bound behind. */
	end(number: number, isAccepted: boolean): void {
		if (this.underWay.delete(number) && isAccepted) this.remaining = Infinity;
	}

	/** Whether no further request may start before the next window. */
	isUsedUp(): boolean {
		const isBound = this.isBelieved && this.rate === Infinity;
		return isBound && this.underWay.size >= this.remaining;
	}
}
