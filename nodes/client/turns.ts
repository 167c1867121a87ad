/** What counts as a minute: a little more, since some requests take longer to arrive than others. */
const MINUTE_MS = 60_100;

/**
 * When requests were started in the last minute, by what a service can tell apart (address and key): what the user's own
 * bound of requests per minute counts, over all runs that share this object. Times are in ms of a clock that is never set.
 */
export class Turns {
	private readonly starts = new Map<string, number[]>();

	/** How long until another request may start, in ms, where at most so many may do so in any minute. */
	inMs(key: string, mostPerMinute: number, nowMs: number): number {
		const first = this.starts.get(key)?.at(-mostPerMinute) ?? -Infinity;
		return Math.max(0, Math.ceil(first + MINUTE_MS - nowMs));
	}

	/** Notes that a request starts. What started more than a minute ago is forgotten. */
	take(key: string, nowMs: number): void {
		const starts = this.starts.get(key) ?? [];
		while (starts[0] <= nowMs - MINUTE_MS) starts.shift();
		starts.push(nowMs);
		// What has started something last stands last, so what is over comes first.
		this.starts.delete(key);
		this.starts.set(key, starts);
		for (const [other, times] of this.starts) {
			if (Number(times.at(-1)) > nowMs - MINUTE_MS) break;
			this.starts.delete(other);
		}
	}
}
