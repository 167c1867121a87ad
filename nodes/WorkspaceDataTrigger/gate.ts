import { digestOf } from '../common/digests';

/**
 * How long n8n may take to save what a poll gave out, in ms. Polls come a minute apart; only overdue ones, after a
 * restart of n8n, come closer.
 */
const SAVING_MS = 20_000;

/**
 * Keeps two polls of one trigger from giving out the same records. n8n may start a poll while another is under way,
 * and with durable cursors it may give a poll the state from before the last one, which it is still saving.
 * Works within one process, which is where n8n does that.
 */
export class PollGate {
	private readonly now: () => number;
	private readonly underWay = new Set<string>();
	/** By trigger and by digest of the state that a poll started from: when it gave out records, in ms. */
	private readonly givenOut = new Map<string, Map<string, number>>();

	/** @param now milliseconds that have gone by since some moment, whatever happens to the time of day */
	constructor(now: () => number) {
		this.now = now;
	}

	/**
	 * Does the work unless a poll of this trigger is under way.
	 *
	 * @param key names the trigger
	 * @returns undefined when the work was left out
	 */
	async pass<T>(key: string, work: () => Promise<T>): Promise<T | undefined> {
		if (this.underWay.has(key)) return undefined;
		this.underWay.add(key);
		try {
			return await work();
		} finally {
			this.underWay.delete(key);
		}
	}

	/** Remembers that a poll which started from this state gave out records. */
	noteGivenOut(key: string, state: unknown): void {
		const times = this.givenOut.get(key) ?? new Map<string, number>();
		for (const [digest, at] of times) {
			if (this.now() - at >= SAVING_MS) times.delete(digest);
		}
		times.set(digestOf(JSON.stringify(state ?? null)), this.now());
		this.givenOut.set(key, times);
	}

	/** True when records were given out from this very state a moment ago: n8n must still be saving the one after it. */
	isBeingSaved(key: string, state: unknown): boolean {
		const at = this.givenOut.get(key)?.get(digestOf(JSON.stringify(state ?? null)));
		return at !== undefined && this.now() - at < SAVING_MS;
	}
}
