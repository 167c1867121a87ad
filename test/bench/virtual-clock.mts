/** Time in ms that passes with every reading of the clock. A clock that stands still would hide faults. */
export const TICK_MS = 0.001;

/**
 * Simulated clock that moves only when all work waits. Simulated hours take no real time, and many requests can be in
 * flight.
 */
export class VirtualClock {
	nowMs = 0;
	/** Waiting sleepers. The last sleeper in the array wakes next. */
	private readonly waiting: Array<{ atMs: number; go: () => void }> = [];

	now = (): number => (this.nowMs += TICK_MS);

	sleep = async (ms: number): Promise<void> =>
		await new Promise((go) => {
			const atMs = this.nowMs + Math.max(0, ms);
			const after = this.waiting.findLastIndex((other) => other.atMs > atMs);
			this.waiting.splice(after + 1, 0, { atMs, go });
		});

	/** Advances time until the work is done. Throws if the work is not done and nothing waits any more. */
	async run<T>(work: Promise<T>): Promise<T> {
		let isDone = false;
		void work.finally(() => (isDone = true)).catch(() => undefined);
		for (;;) {
			// First let all work proceed that needs no time.
			await new Promise((resolve) => setImmediate(resolve));
			if (isDone) return await work;
			const next = this.waiting.pop();
			if (next === undefined) throw new RangeError('nothing waits, and nothing ends');
			this.nowMs = Math.max(this.nowMs, next.atMs);
			next.go();
		}
	}
}
