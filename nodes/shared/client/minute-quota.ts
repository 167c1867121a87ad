/**
 * Length of a minute for the quota, in ms. It is longer than 60 s, because requests can arrive closer together than
 * they were sent.
 */
const MINUTE_MS = 60_100;

/**
 * Quota for the option Requests per Minute. With the value N, requests with the same Base URL and key start evenly, one
 * every 60/N seconds. A request counts for all executions with the same or a higher value. So an export with a high
 * value does not use up the quota of a webhook with a low value. Times are in ms of a monotonic clock.
 */
export class MinuteQuota {
	/** Last start for each key and each value of the option. The map is sorted by time, the latest start last. */
	private readonly lastStarts = new Map<string, { key: string; perMinute: number; atMs: number }>();

	/** Returns how long the next request has to wait, in ms; 0 if it can start now. */
	waitMs(key: string, perMinute: number, nowMs: number): number {
		if (perMinute === Infinity) return 0;
		const gapMs = MINUTE_MS / perMinute;
		let waitMs = 0;
		for (const last of this.lastStarts.values())
			if (last.key === key && last.perMinute <= perMinute)
				waitMs = Math.max(waitMs, last.atMs + gapMs - nowMs);
		return Math.ceil(waitMs);
	}

	/** Records that a request starts at `nowMs`. */
	take(key: string, perMinute: number, nowMs: number): void {
		// Executions without the option Requests per Minute do not use up the quota.
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
