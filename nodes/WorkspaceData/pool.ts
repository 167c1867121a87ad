import type { RateLimiter } from '../shared/client/rate-limiter';

/**
 * Starts tasks in order, and runs as many in parallel as the most permissive rate limiter allows. Starts no further
 * task after a failure or an abort. When all tasks have ended, throws the failure with the lowest index.
 */
export async function runPool(
	count: number,
	limiters: ReadonlyArray<Pick<RateLimiter, 'concurrency' | 'onSlotFreed'>>,
	runTask: (index: number) => Promise<void>,
	signal?: AbortSignal,
): Promise<void> {
	const failures = new Map<number, unknown>();
	const started: Array<Promise<unknown>> = [];
	let running = 0;
	// Ends the wait for a slot. Promise.race() would add a handler to each slow task on every wait.
	let wake = (): void => {};
	for (const limiter of limiters) limiter.onSlotFreed = () => wake();
	const concurrency = (): number => Math.max(...limiters.map((limiter) => limiter.concurrency));
	const waitForSlot = async () => await new Promise<void>((resolve) => (wake = resolve));
	for (let index = 0; index < count; index++) {
		while (running >= Math.max(1, concurrency())) await waitForSlot();
		if (failures.size > 0 || signal?.aborted) break;
		running += 1;
		const ended = runTask(index).catch((error: unknown) => failures.set(index, error));
		started.push(
			ended.finally(() => {
				running -= 1;
				wake();
			}),
		);
	}
	await Promise.all(started);
	if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
}
