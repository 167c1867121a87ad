/** The pace doubles after this number times the requests that measured it. */
const DOUBLING = 3.2;
/** The pace doubles at the earliest after this number times the requests under way. */
const DOUBLING_FLIGHTS = 5;
/**
 * Number of accepted requests that measure the pace. Until then, each measurement needs twice as many requests as the
 * one before.
 */
const MEASURED_BY = 30;
/** Minimum share of the fastest measured pace. A pace below it has not reduced throttling, so it is forgotten. */
const IN_VAIN = 0.8;
/** Lowest pace: one request per minute. */
const MIN_PACE = 1 / 60_000;

/**
 * How fast requests may start, in requests per ms: a little faster than the service has accepted them
 * (docs/maintainers/rate-limiter.md). Has no clock: times are passed in, in ms.
 */
export class Pace {
	/** Accepted requests per ms, pauses included. Infinite until the pace is known. */
	private measured = Infinity;
	/** Fastest measured pace. */
	private fastest = 0;
	/** Whether a silence has passed. The first silence says nothing about the pace. */
	private wasSilent = false;
	/**
	 * Number of requests in the last measurement, number of requests accepted since then, and start time of the first
	 * of these.
	 */
	private measuredBy = 0;
	private acceptedSince = 0;
	private sinceMs = Infinity;

	/**
	 * Returns the pace for the next start. The pace grows along a parabola, so it stays near the measured pace for
	 * long.
	 */
	rate(underWay: number): number {
		const doubling = Math.max(1, DOUBLING * this.measuredBy, DOUBLING_FLIGHTS * underWay);
		return this.measured * (1 + (this.acceptedSince / doubling) ** 2);
	}

	accepted(atMs: number): void {
		this.sinceMs = Math.min(this.sinceMs, atMs);
		this.acceptedSince += 1;
	}

	/**
	 * Measures the pace when the service accepts requests again. Returns false if a silence did not show the pace: the
	 * run must then start again with few requests at once.
	 * @param atMs start of the request that was accepted
	 * @param isByRate false after an outage, which says nothing about the pace
	 */
	learn(atMs: number, wasSilent: boolean, isOfPace: boolean): boolean {
		const isKnown = this.measured < Infinity;
		const isComplete = this.acceptedSince >= Math.min(MEASURED_BY, 2 * this.measuredBy);
		if (isKnown ? !isComplete : !wasSilent) return true;
		const reached = this.rate(0);
		const canMeasure = isKnown || this.wasSilent;
		if (canMeasure && isOfPace) this.measure(atMs);
		this.wasSilent ||= isOfPace;
		// If the service throttled for most of the time, the measured pace is far too low, and must grow soon.
		const isFarBelow = this.measured < reached / 2;
		this.measuredBy = Math.min(this.acceptedSince, isFarBelow ? MEASURED_BY : Infinity);
		this.acceptedSince = 0;
		this.sinceMs = atMs;
		return isKnown || (canMeasure && isOfPace);
	}

	private measure(atMs: number): void {
		const accepted = Math.max(MIN_PACE, this.acceptedSince / Math.max(1, atMs - this.sinceMs));
		if (this.measured < Infinity && this.acceptedSince >= MEASURED_BY)
			this.fastest = Math.max(this.fastest, accepted);
		const isInVain = accepted < IN_VAIN * this.fastest;
		this.measured = isInVain ? Infinity : accepted;
		if (isInVain) this.fastest = 0;
	}
}
