/** A clock moves on by a little with every look at it, in ms: one that stands still hides faults. */
export const TICK_MS = 0.001;

/** A clock that moves only when everything waits: hours take no time, and many requests can be under way. */
export class VirtualClock {
	nowMs = 0;
	/** What waits, the next one last. */
	private readonly waiting: Array<{ atMs: number; go: () => void }> = [];

	now = (): number => (this.nowMs += TICK_MS);

	sleep = async (ms: number): Promise<void> =>
		await new Promise((go) => {
			const atMs = this.nowMs + Math.max(0, ms);
			const after = this.waiting.findLastIndex((other) => other.atMs > atMs);
			this.waiting.splice(after + 1, 0, { atMs, go });
		});

	/** Lets time pass until the work is done. Throws where nothing waits any more and it is not. */
	async run<T>(work: Promise<T>): Promise<T> {
		let isDone = false;
		void work.finally(() => (isDone = true)).catch(() => undefined);
		for (;;) {
			// All that can go on without time has done so by then.
			await new Promise((resolve) => setImmediate(resolve));
			if (isDone) return await work;
			const next = this.waiting.pop();
			if (next === undefined) throw new RangeError('nothing waits, and nothing ends');
			this.nowMs = Math.max(this.nowMs, next.atMs);
			next.go();
		}
	}
}
