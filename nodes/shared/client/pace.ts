/** The pace doubles after this number times the requests that measured it. */
const DOUBLES_AFTER = 3.2;
/** The pace doubles at the earliest after this number times the requests under way. */
const DOUBLES_AFTER_UNDER_WAY = 5;
/**
 * Number of accepted requests that measure the pace. Until then, each measurement needs twice as many requests as the
 * one before.
 */
const MEASURING_REQUESTS = 30;
/** Minimum share of the fastest measured pace. A pace below it has not reduced throttling, so it is forgotten. */
const MIN_SHARE_OF_FASTEST = 0.8;
/** Lowest pace: one request per minute. */
const MIN_PACE = 1 / 60_000;

/**
 * Decides how fast requests may start: a little faster than the service has accepted them
 * (docs/maintainers/rate-limiter.md). Rates are in requests per ms. Has no clock: times are passed in, in ms.
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
	private measuredRequests = 0;
	private acceptedSince = 0;
	private sinceMs = Infinity;

	/**
	 * Returns the pace for the next start. The pace grows along a parabola, so it stays near the measured pace for
	 * long.
	 */
	rate(underWay: number): number {
		const doubling = Math.max(
			1,
			DOUBLES_AFTER * this.measuredRequests,
			DOUBLES_AFTER_UNDER_WAY * underWay,
		);
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
	learn(atMs: number, wasSilent: boolean, isByRate: boolean): boolean {
		const isKnown = this.measured < Infinity;
		const isComplete =
			this.acceptedSince >= Math.min(MEASURING_REQUESTS, 2 * this.measuredRequests);
		if (isKnown ? !isComplete : !wasSilent) return true;
		const reached = this.rate(0);
		const canMeasure = isKnown || this.wasSilent;
		if (canMeasure && isByRate) this.measure(atMs);
		this.wasSilent ||= isByRate;
		// If the service throttled for most of the time, the measured pace is far too low, and must grow soon.
		const isFarBelow = this.measured < reached / 2;
		this.measuredRequests = Math.min(
			this.acceptedSince,
			isFarBelow ? MEASURING_REQUESTS : Infinity,
		);
		this.acceptedSince = 0;
		this.sinceMs = atMs;
		return isKnown || (canMeasure && isByRate);
	}

	private measure(atMs: number): void {
		const pace = Math.max(MIN_PACE, this.acceptedSince / Math.max(1, atMs - this.sinceMs));
		if (this.measured < Infinity && this.acceptedSince >= MEASURING_REQUESTS)
			this.fastest = Math.max(this.fastest, pace);
		const hasNotHelped = pace < MIN_SHARE_OF_FASTEST * this.fastest;
		this.measured = hasNotHelped ? Infinity : pace;
		if (hasNotHelped) this.fastest = 0;
	}
}
