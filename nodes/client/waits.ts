/** How long no connection may be made: a service that restarts is back by then, and a mistyped port is reported soon. */
export const MAX_UNCONNECTED_MS = 60_000;

/**
 * How long a service that takes nothing has been waited for: the lengths of the waits, whatever a clock says, since what a
 * refusal takes to arrive is no waiting. Of waits at the same time, the longest counts.
 */
export class Waits {
	private earlierMs = 0;
	private unconnectedMs = 0;
	/** The wait that is under way, or was the last one. */
	private currentMs = 0;
	private untilMs = -Infinity;
	private isUnconnected = false;

	/** Waits for so many ms from now on. */
	add(nowMs: number, ms: number, isUnconnected: boolean): void {
		if (nowMs >= this.untilMs) {
			this.earlierMs += this.currentMs;
			if (this.isUnconnected) this.unconnectedMs += this.currentMs;
			this.currentMs = 0;
		}
		if (!isUnconnected) this.unconnectedMs = 0;
		this.isUnconnected = isUnconnected;
		this.currentMs = Math.max(this.currentMs, ms);
		this.untilMs = Math.max(this.untilMs, nowMs + ms);
	}

	/** The service has taken something. */
	clear(): void {
		this.earlierMs = this.unconnectedMs = this.currentMs = 0;
		this.untilMs = -Infinity;
	}

	/** How long another wait from now on may be, in ms. */
	leftMs(nowMs: number, maxMs: number, isUnconnected: boolean): number {
		const lastMs = nowMs >= this.untilMs ? this.currentMs : 0;
		const leftMs = maxMs - this.earlierMs - lastMs;
		if (!isUnconnected) return leftMs;
		const unconnectedMs = this.unconnectedMs + (this.isUnconnected ? lastMs : 0);
		return Math.min(leftMs, MAX_UNCONNECTED_MS - unconnectedMs);
	}

	/** Whether what is waited for in all, what is under way included, is too long. */
	isLongerThan(maxMs: number): boolean {
		return this.earlierMs + this.currentMs > maxMs;
	}
}
