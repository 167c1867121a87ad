/** Length of a minute, in ms. A little more than 60 s, because some requests take longer to arrive than others. */
const MINUTE_MS = 60_100;

/**
 * Starts requests evenly for the option Requests per Minute: one every 60/N seconds for each Base URL and key. A
 * request counts for all executions with the same or a higher number. So an export with a higher number cannot use up
 * the share of a webhook. Times are in ms, by a clock that is never set.
 */
export class MinuteQuota {
	/** Last start for each key and number. The map is sorted by time, the latest start last. */
	private readonly lastStarts = new Map<string, { key: string; perMinute: number; atMs: number }>();

	/** Returns how long the next request has to wait, in ms. */
	waitMs(key: string, perMinute: number, nowMs: number): number {
		if (perMinute === Infinity) return 0;
		const gapMs = MINUTE_MS / perMinute;
		let waitMs = 0;
		for (const last of this.lastStarts.values())
			if (last.key === key && last.perMinute <= perMinute)
				waitMs = Math.max(waitMs, last.atMs + gapMs - nowMs);
		return Math.ceil(waitMs);
	}

	/** Records that a request starts. */
	take(key: string, perMinute: number, nowMs: number): void {
		// Requests of executions without this option do not count.
		if (perMinute === Infinity) return;
		const name = `${perMinute} ${key}`;
		this.lastStarts.delete(name);
		this.lastStarts.set(name, { key, perMinute, atMs: nowMs });
		for (const [other, { atMs }] of this.lastStarts) {
			if (atMs > nowMs - MINUTE_MS) break;
			this.lastStarts.delete(other);
		}
	}
}
