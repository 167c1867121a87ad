import { expect, it } from 'vitest';

import { runPool } from '../../../nodes/WorkspaceData/pool.ts';

/** Waits until other tasks have had this number of turns in the event loop. */
async function pause(turns: number): Promise<void> {
	for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}

it('starts every task once and in order, and runs as many in parallel as the rate limiter allows', async () => {
	const limiter = { concurrency: 8, onSlotFreed: (): void => {} };
	let underWay = 0;
	const started: number[] = [];
	const seen: number[] = [];
	const work = async (index: number): Promise<void> => {
		started.push(index);
		seen.push(++underWay);
		if (index === 8) limiter.concurrency = 1;
		if (index === 20) limiter.concurrency = 3;
		// The pool must continue with one task even if the rate limiter allows none.
		if (index === 30) limiter.concurrency = 0;
		await pause(1);
		underWay -= 1;
	};
	await runPool(40, [limiter], work);
	expect(started).toEqual(Array.from({ length: 40 }, (_, index) => index));
	expect(Math.max(...seen)).toBe(8);
	expect(Math.max(...seen.slice(16, 20))).toBe(1);
	expect(Math.max(...seen.slice(24))).toBe(3);
});

it('starts no task after a failure, waits for running tasks, and throws the failure with the lowest index', async () => {
	const ended: number[] = [];
	const work = async (index: number): Promise<void> => {
		await pause(index === 1 ? 20 : 5);
		ended.push(index);
		if (index === 1 || index === 2) throw new Error(`task ${index}`);
	};
	await expect(runPool(10, [{ concurrency: 4, onSlotFreed: () => {} }], work)).rejects.toThrow(
		'task 1',
	);
	expect(ended.sort()).toEqual([0, 1, 2, 3, 4].slice(0, ended.length));
});
