import { describe, expect, test } from 'vitest';
import { runPool } from '../../../../nodes/WorkspaceData/call/run.ts';

/** Lets others go first, so many times. */
async function pause(turns: number): Promise<void> {
	for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('runPool', () => {
	test('does every task once and in order, and asks anew how many at once', async () => {
		let allowed = 8;
		let underWay = 0;
		const started: number[] = [];
		const seen: number[] = [];
		const work = async (index: number): Promise<void> => {
			started.push(index);
			seen.push(++underWay);
			if (index === 8) allowed = 1;
			if (index === 20) allowed = 3;
			await pause(1);
			underWay -= 1;
		};
		await runPool(40, () => allowed, work);
		expect(started).toEqual(Array.from({ length: 40 }, (_, index) => index));
		expect(Math.max(...seen)).toBe(8);
		expect(Math.max(...seen.slice(16, 20))).toBe(1);
		expect(Math.max(...seen.slice(24))).toBe(3);
	});

	test('after a failure starts nothing new, waits for what is under way, and throws the first by index', async () => {
		const ended: number[] = [];
		const work = async (index: number): Promise<void> => {
			await pause(index === 1 ? 20 : 5);
			ended.push(index);
			if (index === 1 || index === 2) throw new Error(`task ${index}`);
		};
		await expect(runPool(10, () => 4, work)).rejects.toThrow('task 1');
		expect(ended.sort()).toEqual([0, 1, 2, 3, 4].slice(0, ended.length));
		expect(ended.length).toBeLessThanOrEqual(5);
	});

	test('a concurrency below one still makes progress, and no task is no work', async () => {
		let done = 0;
		const work = async () => void (done += 1);
		await runPool(3, () => 0, work);
		await runPool(0, () => 5, work);
		expect(done).toBe(3);
	});
});
