/** No more than this lies between two starts, in ms: far more than n8n needs to send one request. */
const MOST_MS = 5;
/** What part of the mean time between two answers lies between two starts. */
const PART = 0.8;
/** How much each answer counts in the mean time of a request. */
const WEIGHT = 0.1;

/**
 * Keeps parallel requests from being sent in the same moment. Answers that come together are handled together, each one
 * late by the work on all, and what follows them is again sent together: 20 requests of 100 ms each would take 118 ms a
 * round, in most of which the process is idle. Starts are kept apart by four fifths of the mean time between two
 * answers: they cannot gather again, and the last fifth lets those that were late catch up.
 * The pace does not do that: it holds nothing back before a first refusal. Times are of a clock that is never set.
 */
export class Stagger {
	private meanMs = 0;
	private nextMs = 0;

	/** Notes how long a request took from its start to its answer. */
	took(ms: number): void {
		this.meanMs += this.meanMs === 0 ? ms : (ms - this.meanMs) * WEIGHT;
	}

	/** How long to wait before starting, in ms; the moment after that wait is then taken. */
	waitMs(nowMs: number, concurrency: number): number {
		if (concurrency < 2) return 0;
		const apartMs = Math.min(MOST_MS, (PART * this.meanMs) / concurrency);
		const startMs = Math.max(nowMs, this.nextMs);
		this.nextMs = startMs + apartMs;
		// Timers know whole ms only: those that start less than one apart start in pairs.
		return Math.floor(startMs - nowMs);
	}
}
