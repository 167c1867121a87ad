/** No more than this lies between two starts, in ms: far more than n8n needs to send one request. */
const MOST_MS = 5;
/** A shorter wait than the shortest timer would become longer than meant. */
const LEAST_MS = 1;
/** How much each answer counts in the mean time of a request. */
const WEIGHT = 0.1;

/**
 * Keeps requests that run beside each other from being sent in the same moment. Answers that come together are also
 * handled together, each one late by the work on all, and what follows them is again sent together: without this, 20
 * requests of 100 ms each take turns of 118 ms. Starts are kept apart by half of what they are on average.
 * The pace does not do that: it holds nothing back before a first refusal. Times are of a clock that is never set.
 */
export class Spread {
	private meanMs = 0;
	private nextMs = 0;

	/** Notes how long a request took from its start to its answer. */
	took(ms: number): void {
		this.meanMs += this.meanMs === 0 ? ms : (ms - this.meanMs) * WEIGHT;
	}

	/** How long to wait before starting, in ms; the moment after that wait is then taken. */
	waitMs(nowMs: number, concurrency: number): number {
		const apartMs = Math.min(MOST_MS, this.meanMs / (2 * concurrency));
		if (concurrency < 2 || apartMs < LEAST_MS) return 0;
		const startMs = Math.max(nowMs, this.nextMs);
		this.nextMs = startMs + apartMs;
		return Math.floor(startMs - nowMs);
	}
}
