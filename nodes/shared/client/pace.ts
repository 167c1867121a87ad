/** Growth of the pace: a pace measured with 30 requests doubles after 3.2 × 30 more accepted requests. */
const DOUBLES_AFTER = 3.2;
/** Slows the growth of the pace: with 10 requests in flight, it doubles after 5 × 10 accepted requests or later. */
const DOUBLES_AFTER_UNDER_WAY = 5;
/** Number of accepted requests per measurement. The first measurements use fewer, each twice as many as the last. */
const MEASURING_REQUESTS = 30;
/** A new pace below this share of the fastest is discarded, because slowing down has not reduced throttling. */
const MIN_SHARE_OF_FASTEST = 0.8;
/** Lowest pace, in requests per ms: one request per minute. */
const MIN_PACE = 1 / 60_000;

/**
 * Calculates the pace: the rate at which requests start, in requests per ms. It is slightly higher than the rate at
 * which the service has accepted requests (docs/maintainers/rate-limiter.md). Times are in ms of a monotonic clock.
 */
export class Pace {
	/** Measured pace in accepted requests per ms, pauses included. Infinity if the pace is unknown. */
	private measured = Infinity;
	/** Fastest measured pace, in requests per ms. 0 if no pace was measured. */
	private fastest = 0;
	/**
	 * True once there has been a silence (a time in which the service accepted no requests). The first silence does not
	 * prove that the pace is too fast: another program may have used up the limit.
	 */
	private wasSilent = false;
	private measuredRequests = 0;
	/** Number of requests accepted since the last measurement of the pace. */
	private acceptedSince = 0;
	/** Start of the current measurement in ms, which is the start of its first accepted request. */
	private sinceMs = Infinity;

	/**
	 * Returns the pace for the next request, in requests per ms, with `underWay` requests in flight. It grows along a
	 * parabola, so at first it stays close to the measured pace.
	 */
	rate(underWay: number): number {
		const doubling = Math.max(
			1,
			DOUBLES_AFTER * this.measuredRequests,
			DOUBLES_AFTER_UNDER_WAY * underWay,
		);
		return this.measured * (1 + (this.acceptedSince / doubling) ** 2);
	}

	/** Records an accepted request, which started at `atMs`. */
	accepted(atMs: number): void {
		this.sinceMs = Math.min(this.sinceMs, atMs);
		this.acceptedSince += 1;
	}

	/**
	 * Measures the pace once the service accepts a request (started at `atMs`) after throttling others. Returns false
	 * if the pace is still unknown after a silence. The caller then starts again with few parallel requests.
	 * @param wasSilent true if a silence has just ended
	 * @param isThrottledByRate false after an outage, which does not show whether the pace is too fast
	 */
	learn(atMs: number, wasSilent: boolean, isThrottledByRate: boolean): boolean {
		const isKnown = this.measured < Infinity;
		const isComplete =
			this.acceptedSince >= Math.min(MEASURING_REQUESTS, 2 * this.measuredRequests);
		if (isKnown ? !isComplete : !wasSilent) return true;
		const reached = this.rate(0);
		const canMeasure = isKnown || this.wasSilent;
		if (canMeasure && isThrottledByRate) this.measure(atMs);
		this.wasSilent ||= isThrottledByRate;
		// If the service throttled requests most of the time, the measured pace is far too low. Then limit the number
		// of measured requests, because a pace that was measured with fewer requests grows faster.
		const isFarBelow = this.measured < reached / 2;
		this.measuredRequests = Math.min(
			this.acceptedSince,
			isFarBelow ? MEASURING_REQUESTS : Infinity,
		);
		this.acceptedSince = 0;
		this.sinceMs = atMs;
		return isKnown || (canMeasure && isThrottledByRate);
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
