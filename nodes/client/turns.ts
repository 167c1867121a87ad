/** What counts as a minute: a little more, since some requests take longer to arrive than others. */
const MINUTE_MS = 60_100;

/** When a request was started, and how many its run may start in any minute. */
interface Turn {
	atMs: number;
	maxPerMinute: number;
}

/**
 * When requests were started in the last minute, by what a service can distinguish (address and key): what the user's own
 * bound of requests per minute counts, over all runs that share this object. Times are in ms of a clock that is never set.
 */
export class Turns {
	private readonly starts = new Map<string, Turn[]>();

	/**
	 * How long until another request may start, in ms, where at most so many may do so in any minute. What runs may start that
	 * have a higher bound or none does not count: an export would leave nothing for a webhook.
	 */
	waitMs(key: string, maxPerMinute: number, nowMs: number): number {
		const counted = this.starts.get(key)?.filter((turn) => turn.maxPerMinute <= maxPerMinute);
		const first = counted?.at(-maxPerMinute)?.atMs ?? -Infinity;
		return Math.max(0, Math.ceil(first + MINUTE_MS - nowMs));
	}

	/** Notes that a request starts. What started more than a minute ago is forgotten. */
	take(key: string, maxPerMinute: number, nowMs: number): void {
		// Nobody counts it.
		if (maxPerMinute === Infinity) return;
		const starts = this.starts.get(key) ?? [];
		while (starts[0]?.atMs <= nowMs - MINUTE_MS) starts.shift();
		starts.push({ atMs: nowMs, maxPerMinute });
		// What has started something last stands last, so what is over comes first.
		this.starts.delete(key);
		this.starts.set(key, starts);
		for (const [other, turns] of this.starts) {
			if (Number(turns.at(-1)?.atMs) > nowMs - MINUTE_MS) break;
			this.starts.delete(other);
		}
	}
}
