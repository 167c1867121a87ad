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
	/** By trigger: the state that the last poll with records started from, and when it gave them out, in ms. */
	private readonly givenOut = new Map<string, { from: string; at: number }>();

	/** @param now as for `startDeadline` */
	constructor(now: () => number) {
		this.now = now;
	}

	/** Does the work, unless a poll of this trigger (the key) is under way: then it gives undefined. */
	async pass<T>(key: string, work: () => Promise<T>): Promise<T | undefined> {
		if (this.underWay.has(key)) return undefined;
		this.underWay.add(key);
		return await work().finally(() => this.underWay.delete(key));
	}

	/** Remembers that a poll which started from this state gave out records. */
	noteGivenOut(key: string, state: unknown): void {
		this.givenOut.set(key, { from: JSON.stringify([state]), at: this.now() });
	}

	/** True when records were given out from this very state a moment ago: n8n must still be saving the one after it. */
	isBeingSaved(key: string, state: unknown): boolean {
		const { from, at = 0 } = this.givenOut.get(key) ?? {};
		return from === JSON.stringify([state]) && this.now() - at < SAVING_MS;
	}
}
