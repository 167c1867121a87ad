/**
 * Factor for the growth of the pace (requests per ms). A pace that was measured with 30 requests doubles after 3.2 × 30
 * further requests.
 */
const DOUBLES_AFTER = 3.2;
/**
 * Factor that limits the growth of the pace. With 10 requests in flight, the pace doubles after 5 × 10 further requests
 * at the earliest.
 */
const DOUBLES_AFTER_UNDER_WAY = 5;
/**
 * Number of accepted requests in a measurement of the pace. The first measurements are shorter, and each of them needs
 * twice as many requests as the previous one.
 */
const MEASURING_REQUESTS = 30;
/**
 * Minimum ratio of a measured pace to the fastest measured pace. A slower pace is discarded, because it has not reduced
 * throttling.
 */
const MIN_SHARE_OF_FASTEST = 0.8;
/** Lowest pace, in requests per ms: one request per minute. */
const MIN_PACE = 1 / 60_000;

/**
 * Calculates the pace, which is the rate at which requests start, in requests per ms. It is slightly higher than the
 * rate at which the service has accepted requests (docs/maintainers/rate-limiter.md). Callers pass all times, in ms of
 * a monotonic clock.
 */
export class Pace {
	/** Measured rate of accepted requests per ms, including pauses. Infinity if the rate is unknown. */
	private measured = Infinity;
	/** Fastest measured pace, in requests per ms. 0 if there is none. */
	private fastest = 0;
	/**
	 * True after the first silence, which is a time without accepted requests. The first silence says nothing about the
	 * pace, because another program may have used up the limit.
	 */
	private wasSilent = false;
	/** Number of accepted requests in the last measurement of the pace. */
	private measuredRequests = 0;
	/** Number of requests accepted since the last measurement of the pace. */
	private acceptedSince = 0;
	/** Start of the current measurement, in ms: the start time of its first accepted request. */
	private sinceMs = Infinity;

	/**
	 * Returns the pace for the next request, in requests per ms. The pace grows along a parabola, so that it stays
	 * close to the measured pace for a long time.
	 * @param underWay number of requests in flight
	 */
	rate(underWay: number): number {
		const doubling = Math.max(
			1,
			DOUBLES_AFTER * this.measuredRequests,
			DOUBLES_AFTER_UNDER_WAY * underWay,
		);
		return this.measured * (1 + (this.acceptedSince / doubling) ** 2);
	}

	/**
	 * Records an accepted request.
	 * @param atMs start time of the request, in ms
	 */
	accepted(atMs: number): void {
		this.sinceMs = Math.min(this.sinceMs, atMs);
		this.acceptedSince += 1;
	}

	/**
	 * Measures the pace when the service accepts a request after it has throttled others. Returns false if the pace is
	 * unknown after a silence (a time without accepted requests). The run then starts again with few parallel requests.
	 * @param atMs start time of the accepted request, in ms
	 * @param wasSilent true if a silence has just ended
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
		// If the service throttled for most of the time, the measured pace is far too low. The count of measured
		// requests is then limited, so that the pace soon grows.
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
