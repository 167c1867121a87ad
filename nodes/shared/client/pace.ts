/** The pace doubles after this many times the requests that it was measured by. */
const DOUBLING = 3.2;
/** It never doubles before this many times the requests under way have been accepted. */
const DOUBLING_FLIGHTS = 5;
/** Number of accepted requests that measure a pace. The first measurements use twice as many as the one before. */
const MEASURED_BY = 30;
/** Part of the fastest pace. A slower pace than this has not reduced throttling, so it is forgotten. */
const IN_VAIN = 0.8;
/** Lowest pace: one request per minute. */
const MIN_PACE = 1 / 60_000;

/**
 * How fast requests may start, in requests per ms: a little faster than the service has accepted them
 * (docs/maintainers/rate-limiter.md). Knows no clock: times are passed in, in ms.
 */
export class Pace {
	/** Accepted requests per ms, throttled times included; infinite while the pace is not known. */
	private measured = Infinity;
	/** Fastest measured pace. */
	private fastest = 0;
	/** Whether a silence has passed: the first one says nothing about the pace. */
	private wasSilent = false;
	/** Requests that the pace was measured by, those accepted since then, and when the first of them started. */
	private measuredBy = 0;
	private acceptedSince = 0;
	private sinceMs = Infinity;

	/** Returns the pace for the next start. It grows along a parabola, so it changes little near the measured pace. */
	rate(underWay: number): number {
		const doubling = Math.max(1, DOUBLING * this.measuredBy, DOUBLING_FLIGHTS * underWay);
		return this.measured * (1 + (this.acceptedSince / doubling) ** 2);
	}

	accepted(atMs: number): void {
		this.sinceMs = Math.min(this.sinceMs, atMs);
		this.acceptedSince += 1;
	}

	/**
	 * Measures the pace when the service accepts requests again after it did not, by the request that was started `atMs`.
	 * Returns false if nothing was learned from a silence: then the run begins anew with few requests at once.
	 * @param isOfPace false after an outage, which says nothing about the pace
	 */
	learn(atMs: number, wasSilent: boolean, isOfPace: boolean): boolean {
		const isKnown = this.measured < Infinity;
		const isComplete = this.acceptedSince >= Math.min(MEASURED_BY, 2 * this.measuredBy);
		if (isKnown ? !isComplete : !wasSilent) return true;
		const reached = this.rate(0);
		const canMeasure = isKnown || this.wasSilent;
		if (canMeasure && isOfPace) this.measure(atMs);
		this.wasSilent ||= isOfPace;
		// If a service throttles for most of the time, the pace must grow sooner: it is far below the limit.
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
