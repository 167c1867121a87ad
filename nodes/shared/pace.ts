const FIRST_WINDOW = 2;
/** The search for the rate begins at this multiple of what the first burst showed, which is too little. */
const SEARCH_FROM = 3;
/** While the sustainable rate is unknown, each accepted request raises it, at most to double in this time. */
const SEARCH_GROWTH = 1.1;
const SEARCH_DOUBLING_MS = 800;
/** A shorter time between two refusals shows the size of a burst, and nothing of the rate. */
const SHORTEST_EVIDENCE_MS = 500;
const BURST_WINDOW_MS = 50;
/** Kept below the rate found, since every refusal pauses the whole run; further below where no burst forgives a late timer. */
const SAFETY = 0.98;
const SAFETY_WITHOUT_BURST = 0.95;
/** After a rate is found: stay, then probe gently, then faster (the service may have recovered). */
const STAY_MS = 20_000;
const GENTLE_UNTIL_MS = 40_000;
const GENTLE_GROWTH_PER_S = 0.005;
const FAST_GROWTH_PER_S = 0.03;
/** The rate may rise while a request waits, so a long wait in the queue is looked at again. */
const LONGEST_QUEUE_WAIT_MS = 100;
/** No service is faster than this, and none so slow that a request has to wait longer than a minute for its turn. */
const FASTEST_PER_MS = 10;
const SLOWEST_PER_MS = 1 / 60_000;
const MOST_STARTS_KEPT = 4_000;

/** A request that is under way, as far as the pace needs to know it. */
export interface Start {
	/** When it was sent, in ms since 1970. */
	atMs: number;
	/** How many refusals the run had seen by then. */
	refusalsBefore: number;
}

/**
 * How fast the requests of one run may go, learned from what the service accepts and refuses (HTTP 429). The limit
 * is unknown, so the run begins with few requests at once and more as they succeed. A refusal pauses all of them,
 * halves how many may be under way, and sets a rate from what was accepted before it; both grow back.
 *
 * Requests queue by position: `join`, wait while `waitMs` says so, `start`, then report `accepted` or `refused`.
 * Knows no clock: times come from outside, in ms since 1970.
 */
export class Pace {
	private readonly maxConcurrent: number;
	private window: number;
	private growsFast = true;
	/** Requests per ms; undefined while nothing was refused. */
	private rate: number | undefined;
	private searching = true;
	private refusals = 0;
	/** Since when this rate is tried. */
	private sinceMs: number | undefined;
	private pausedUntilMs = 0;
	/** Positions given out, and how many of them the rate has let pass so far. */
	private joined = 0;
	private passed = 0;
	private advancedMs = 0;
	private quickRefusals = 0;
	private burst = 0;
	private acceptedStarts: number[] = [];

	/** @param maxConcurrent most requests under way at once */
	constructor(maxConcurrent = 1) {
		this.maxConcurrent = maxConcurrent;
		this.window = Math.min(FIRST_WINDOW, maxConcurrent);
	}

	/** How many requests may be under way now, between 1 and the maximum. */
	get concurrency(): number {
		return Math.max(1, Math.floor(this.window));
	}

	private get safety(): number {
		return this.burst > 1 ? SAFETY : SAFETY_WITHOUT_BURST;
	}

	/** Takes a place at the end of the queue. */
	join(): number {
		return ++this.joined;
	}

	/** How long to wait before asking again, in ms; 0 when the request at this place may start. */
	waitMs(place: number, nowMs: number): number {
		const pauseMs = Math.max(0, this.pausedUntilMs - nowMs);
		if (this.rate === undefined) return pauseMs;
		this.advance(nowMs);
		const queueMs = Math.max(0, place - 1 - this.passed) / this.rate;
		return Math.ceil(pauseMs + Math.min(queueMs, LONGEST_QUEUE_WAIT_MS));
	}

	/** Notes that a request starts now. */
	start(nowMs: number): Start {
		this.sinceMs ??= nowMs;
		return { atMs: nowMs, refusalsBefore: this.refusals };
	}

	/** No request may start before `untilMs`. A shorter pause never cuts a longer one. */
	pauseUntil(untilMs: number): void {
		this.pausedUntilMs = Math.max(this.pausedUntilMs, untilMs);
	}

	/** The service took a request. */
	accepted({ atMs, refusalsBefore }: Start): void {
		this.window = Math.min(
			this.maxConcurrent,
			this.window + (this.growsFast ? 1 : 1 / this.window),
		);
		if (refusalsBefore !== this.refusals) return;
		if (this.searching && this.rate !== undefined) {
			const sinceLastMs = atMs - (this.acceptedStarts.at(-1) ?? -Infinity);
			const doubling = 2 ** (Math.max(0, sinceLastMs) / SEARCH_DOUBLING_MS);
			this.rate = bounded(this.rate * Math.min(SEARCH_GROWTH, doubling));
		}
		this.acceptedStarts.push(atMs);
		if (this.acceptedStarts.length > MOST_STARTS_KEPT) {
			this.acceptedStarts.splice(0, MOST_STARTS_KEPT / 2);
		}
	}

	/** The service refused a request for its rate: everything waits until `untilMs`. */
	refused({ atMs, refusalsBefore }: Start, untilMs: number): void {
		this.pauseUntil(untilMs);
		// Those that were under way together are one refusal: only the first says something new.
		if (refusalsBefore === this.refusals) {
			this.refusals += 1;
			this.window = Math.max(1, this.window / 2);
			this.growsFast = false;
			this.learnRate(atMs, untilMs);
		}
		this.acceptedStarts = [];
		this.sinceMs = this.pausedUntilMs;
		this.advancedMs = this.pausedUntilMs;
	}

	private learnRate(refusedMs: number, untilMs: number): void {
		const starts = this.acceptedStarts.sort((a, b) => a - b);
		const lastedMs = Math.max(1, refusedMs - (this.sinceMs ?? refusedMs));
		// A quota per fixed time: what was accepted, spread over the time until more is allowed.
		const quotaRate = Math.max(1, starts.length) / Math.max(1, lastedMs + untilMs - refusedMs);
		this.burst = Math.max(this.burst, largestBurst(starts));
		if (this.rate === undefined) {
			this.passed = this.joined;
			this.searching = lastedMs < SHORTEST_EVIDENCE_MS;
			this.rate = bounded(
				this.searching
					? quotaRate * SEARCH_FROM
					: Math.max(quotaRate, refillRate(starts, refusedMs, this.burst) * this.safety),
			);
			return;
		}
		this.searching = false;
		if (lastedMs < SHORTEST_EVIDENCE_MS) {
			// Refused at once after a pause: far too fast, and more so each time.
			this.quickRefusals += 1;
			const lowered = this.rate * SAFETY ** (2 ** this.quickRefusals);
			this.rate = bounded(Math.max(quotaRate, lowered));
			return;
		}
		this.quickRefusals = 0;
		const found = Math.min(this.rate, refillRate(starts, refusedMs, this.burst)) * this.safety;
		this.rate = bounded(Math.max(quotaRate, found));
	}

	/** Lets the queue move on by the rate, and the rate grow by the time that went well. */
	private advance(nowMs: number): void {
		const elapsedMs = nowMs - this.advancedMs;
		if (this.rate === undefined || elapsedMs <= 0) return;
		this.advancedMs = nowMs;
		// Time in which nobody waited is no credit for a burst later.
		this.passed = Math.min(this.joined, this.passed + elapsedMs * this.rate);
		const calmMs = nowMs - (this.sinceMs ?? nowMs);
		if (this.searching || calmMs < STAY_MS) return;
		const growth = calmMs < GENTLE_UNTIL_MS ? GENTLE_GROWTH_PER_S : FAST_GROWTH_PER_S;
		this.rate = bounded(this.rate * (1 + growth) ** (elapsedMs / 1_000));
	}
}

function bounded(rate: number): number {
	return Math.min(FASTEST_PER_MS, Math.max(SLOWEST_PER_MS, rate));
}

/** Most requests that were accepted within a moment: how much the service lets pass at once. */
function largestBurst(starts: readonly number[]): number {
	let largest = 0;
	for (let first = 0, last = 0; last < starts.length; last++) {
		while (starts[last] - starts[first] > BURST_WINDOW_MS) first++;
		largest = Math.max(largest, last - first + 1);
	}
	return largest;
}

/**
 * The refill rate of a token bucket of size `burst` that had less than one token at `emptyMs`: the rate at which the
 * busiest stretch before then used up the burst and what flowed in.
 */
function refillRate(starts: readonly number[], emptyMs: number, burst: number): number {
	let rate = 0;
	for (let index = 0; index < starts.length; index++) {
		const stretchMs = emptyMs - starts[index];
		if (stretchMs >= SHORTEST_EVIDENCE_MS / 2)
			rate = Math.max(rate, (starts.length - index + 1 - burst) / stretchMs);
	}
	return rate;
}
