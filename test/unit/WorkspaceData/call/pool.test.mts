import { describe, expect, test } from 'vitest';
import { runPool } from '../../../../nodes/WorkspaceData/call/run-calls.ts';

const pause = async (ms: number): Promise<void> =>
	await new Promise((resolve) => setTimeout(resolve, ms));

describe('runPool', () => {
	test('does every task once, in order of starting, never more at once than allowed', async () => {
		const startedIndexes: number[] = [];
		let underWay = 0;
		let most = 0;
		await runPool(
			50,
			() => 4,
			async (index) => {
				startedIndexes.push(index);
				most = Math.max(most, ++underWay);
				await pause(index % 3);
				underWay -= 1;
			},
		);
		expect(startedIndexes).toEqual(Array.from({ length: 50 }, (_, index) => index));
		expect(most).toBe(4);
	});

	test('asks for the concurrency anew, so it may shrink and grow while it runs', async () => {
		let allowed = 8;
		let underWay = 0;
		const seen: number[] = [];
		await runPool(
			40,
			() => allowed,
			async (index) => {
				seen.push(++underWay);
				if (index === 8) allowed = 1;
				if (index === 20) allowed = 3;
				await pause(1);
				underWay -= 1;
			},
		);
		expect(Math.max(...seen.slice(0, 8))).toBe(8);
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
