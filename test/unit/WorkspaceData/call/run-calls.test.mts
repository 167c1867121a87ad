import { expect, it } from 'vitest';

import { planCalls } from '../../../../nodes/WorkspaceData/call/plan.ts';
import { runPool } from '../../../../nodes/WorkspaceData/call/run-calls.ts';
import { addBilledCalls } from '../../../../nodes/WorkspaceData/call/call-hints.ts';
import { panel, tryOf } from '../parameters-support.mts';
import { jsonOf } from './read-call.mts';

const CREDENTIAL = { baseUrl: 'https://api.example.com', apiVersion: 'v2', apiKey: 'fake-key' };

it('more items than are planned in a row let n8n do something else in between', async () => {
	const get = panel(jsonOf({ domain: 'a.example' }));
	const nodeTry = tryOf({
		getInputData: () => Array(1_000).fill({ json: {} }),
		getCredentials: async () => ({ ...CREDENTIAL, sameForAllItems: true }),
		getNodeParameter: (name: string, _index: number, fallback: unknown) => get(name, fallback),
	});
	let turns = 0;
	let others: NodeJS.Immediate;
	const takeTurn = (): void => {
		turns += 1;
		others = setImmediate(takeTurn);
	};
	others = setImmediate(takeTurn);
	const plan = await planCalls(nodeTry);
	clearImmediate(others);
	expect(plan.calls).toHaveLength(1_000);
	expect(turns, 'turns').toBeGreaterThanOrEqual(3);
});

/** Lets others go first, so many times. */
async function pause(turns: number): Promise<void> {
	for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}

it('a run of calls does every task once and in order, and asks anew how many at once', async () => {
	const limiter = { concurrency: 8, onRoom: (): void => {} };
	let underWay = 0;
	const started: number[] = [];
	const seen: number[] = [];
	const work = async (index: number): Promise<void> => {
		started.push(index);
		seen.push(++underWay);
		if (index === 8) limiter.concurrency = 1;
		if (index === 20) limiter.concurrency = 3;
		// Less than one at once would be none for ever.
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

it('after a failure starts nothing new, waits for what is under way, and throws the first by index', async () => {
	const ended: number[] = [];
	const work = async (index: number): Promise<void> => {
		await pause(index === 1 ? 20 : 5);
		ended.push(index);
		if (index === 1 || index === 2) throw new Error(`task ${index}`);
	};
	await expect(runPool(10, [{ concurrency: 4, onRoom: () => {} }], work)).rejects.toThrow('task 1');
	expect(ended.sort()).toEqual([0, 1, 2, 3, 4].slice(0, ended.length));
});

it('calls are counted nowhere where n8n keeps no such count, or none in this place', () => {
	const throwing = {
		get customData(): never {
			throw new Error('runExecutionData is not available in this context');
		},
	};
	for (const context of [{}, throwing])
		expect(() => addBilledCalls(context as never, 1)).not.toThrow();
});
