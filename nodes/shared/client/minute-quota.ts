/** Length of a minute in ms plus a reserve, because requests can arrive closer together than n8n sent them. */
const MINUTE_MS = 60_100;

/**
 * Spreads requests evenly for the option Requests per Minute: with the value N, one request per Base URL and key starts
 * every 60/N seconds. A request counts only for executions with the same or a higher value. So an export with a high
 * value does not slow down a webhook with a low value. All times are in ms of a monotonic clock.
 */
export class MinuteQuota {
	/** Start of the last request for each key and each value of the option Requests per Minute, the oldest first. */
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
