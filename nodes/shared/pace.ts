/**
 * What the requests of one run share: when the service refuses one for its rate (429), all of them hold back, not
 * only the refused one (design section 6). Knows no clock: times come from outside, in ms since 1970.
 */
export class Pace {
	private pausedUntilMs = 0;

	/** No request may start before `untilMs`. A shorter pause never cuts a longer one. */
	pauseUntil(untilMs: number): void {
		this.pausedUntilMs = Math.max(this.pausedUntilMs, untilMs);
	}

	/** How long a request that wants to start at `nowMs` has to wait, in ms; 0 when it may start. */
	waitMs(nowMs: number): number {
		return Math.max(0, this.pausedUntilMs - nowMs);
	}
}
