/** Time in ms by which each reading advances the clock, because a real clock also advances between two readings. */
export const TICK_MS = 0.001;

/** Simulated clock. Its time advances only while all code under test waits, so a simulated hour takes no real time. */
export class VirtualClock {
	nowMs = 0;
	/** Pending sleeps. The last one in the array ends first. */
	private readonly waiting: Array<{ atMs: number; go: () => void }> = [];

	now = (): number => (this.nowMs += TICK_MS);

	sleep = async (ms: number): Promise<void> =>
		await new Promise((go) => {
			const atMs = this.nowMs + Math.max(0, ms);
			const after = this.waiting.findLastIndex((other) => other.atMs > atMs);
			this.waiting.splice(after + 1, 0, { atMs, go });
		});

	/**
	 * Advances the time until a promise settles. Throws RangeError if the promise is pending and nothing sleeps any
	 * more.
	 */
	async run<T>(work: Promise<T>): Promise<T> {
		let isDone = false;
		void work.finally(() => (isDone = true)).catch(() => undefined);
		for (;;) {
			// Let all other code run first, because the time must not advance while code can run.
			await new Promise((resolve) => setImmediate(resolve));
			if (isDone) return await work;
			const next = this.waiting.pop();
			if (next === undefined) throw new RangeError('nothing waits, and nothing ends');
			this.nowMs = Math.max(this.nowMs, next.atMs);
			next.go();
		}
	}
}
