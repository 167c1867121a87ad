import type { RateLimiter } from '../shared/client/rate-limiter';

/**
 * Runs tasks in the order of their index, as many at once as the fastest of the rate limiters allows now. Starts no more
 * after a failure or once the signal is aborted, waits for those under way, and throws the failure of the lowest index.
 */
export async function runPool(
	count: number,
	limiters: ReadonlyArray<Pick<RateLimiter, 'concurrency' | 'onRoom'>>,
	work: (index: number) => Promise<void>,
	signal?: AbortSignal,
): Promise<void> {
	const failures = new Map<number, unknown>();
	const started: Array<Promise<unknown>> = [];
	let underWay = 0;
	// Racing the promises under way instead would leave a handler on each slow one every time.
	let wake = (): void => {};
	for (const limiter of limiters) limiter.onRoom = () => wake();
	const concurrency = (): number => Math.max(...limiters.map((one) => one.concurrency));
	const untilRoom = async () => await new Promise<void>((resolve) => (wake = resolve));
	for (let index = 0; index < count; index++) {
		while (underWay >= Math.max(1, concurrency())) await untilRoom();
		if (failures.size > 0 || signal?.aborted) break;
		underWay += 1;
		const ended = work(index).catch((error: unknown) => failures.set(index, error));
		started.push(
			ended.finally(() => {
				underWay -= 1;
				wake();
			}),
		);
	}
	await Promise.all(started);
	if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
}
