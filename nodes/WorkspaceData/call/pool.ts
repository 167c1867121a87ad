/**
 * Works through `count` tasks in order, several at once. When one fails no further one is started; those under way
 * are waited for, since a request that was sent must not be forgotten.
 *
 * @param concurrency asked before each start, so it may change while the pool runs; at least 1
 * @param work does the task of one index, from 0
 * @throws what the failed task with the lowest index threw
 */
export async function runPool(
	count: number,
	concurrency: () => number,
	work: (index: number) => Promise<void>,
): Promise<void> {
	const failures = new Map<number, unknown>();
	let underWay = 0;
	let wake = (): void => {};
	// One new promise for each wait: racing those under way would leave a handler on each slow one every time.
	const oneEnds = async (): Promise<void> =>
		await new Promise((resolve) => {
			wake = resolve;
		});
	for (let index = 0; index < count && failures.size === 0; index++) {
		underWay += 1;
		void work(index)
			.catch((error: unknown) => failures.set(index, error))
			.finally(() => {
				underWay -= 1;
				wake();
			});
		while (underWay >= Math.max(1, concurrency())) await oneEnds();
	}
	while (underWay > 0) await oneEnds();
	if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
}
