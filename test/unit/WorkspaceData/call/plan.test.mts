import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../../nodes/client/failures.ts';
import { KeptResults } from '../../../../nodes/WorkspaceData/call/kept-results.ts';
import { CallOutcomes } from '../../../../nodes/WorkspaceData/call/outcomes.ts';
import {
	planCalls,
	previewOf,
	type CallRun,
	type Plan,
} from '../../../../nodes/WorkspaceData/call/plan.ts';
import { spendingHint } from '../../../../nodes/WorkspaceData/call/hints.ts';
import type { Task } from '../../../../nodes/WorkspaceData/task.ts';
import { ENRICH, taskOf } from './read-call.mts';

/** The plan for items that ask for such domains, with the options that each has. */
async function planOf(
	domains: string[],
	options: object | ((index: number) => object) = {},
	{ paid = new CallOutcomes(), isPreview = false } = {},
): Promise<Plan> {
	const taskOfItem = async (itemIndex: number): Promise<Task> => {
		const chosen = typeof options === 'function' ? options(itemIndex) : options;
		const values = { dataToSend: 'autoMapInputData', options: chosen };
		return { ...taskOf(values, ENRICH, { domain: domains[itemIndex] }), itemIndex };
	};
	// Nothing is looked up where no item asks for it.
	const results = new KeptResults(undefined as never);
	return await planCalls(runOf(domains, taskOfItem), paid, results, isPreview);
}

function runOf(items: string[], taskOfItem?: CallRun['taskOf']): CallRun {
	return { taskOf: taskOfItem, context: { getInputData: () => items } } as unknown as CallRun;
}

/** The items of each call. */
const itemsOf = ({ calls }: Plan): number[][] =>
	calls.map((items) => items.map(({ index }) => index));

const twins = ['a', 'b', 'a', 'c', 'b', 'c'];

describe('a plan', () => {
	it('holds a call for each item', async () => {
		expect(itemsOf(await planOf(twins))).toEqual([[0], [1], [2], [3], [4], [5]]);
	});

	it('holds one call for identical items, where the option says so', async () => {
		const plan = await planOf(twins, { sendIdenticalOnce: true });
		expect(itemsOf(plan)).toEqual([
			[0, 2],
			[1, 4],
			[3, 5],
		]);
	});

	it('shares only among the items that say so', async () => {
		const plan = await planOf(['a', 'a', 'a'], (index) => ({ sendIdenticalOnce: index > 0 }));
		expect(itemsOf(plan)).toEqual([[0], [1, 2]]);
	});

	it('skips items past Max Calls, which those that share a call are not', async () => {
		const plan = await planOf(twins, { sendIdenticalOnce: true, maxCalls: 2 });
		expect(itemsOf(plan)).toEqual([
			[0, 2],
			[1, 4],
		]);
		expect(plan.skipped.map(({ index }) => index)).toEqual([3, 5]);
	});

	it('holds what makes an item one that is not to be sent, and goes on', async () => {
		const plan = await planOf(['a', '', 'c']);
		expect(itemsOf(plan)).toEqual([[0], [2]]);
		expect(plan.refused).toEqual([
			{ index: 1, error: expect.objectContaining({ message: 'There is nothing to send' }) },
		]);
	});

	it('holds more items than are planned in a row, between which n8n does something else', async () => {
		const many = Array.from({ length: 1_000 }, (_, index) => `company-${index}.example`);
		let turns = 0;
		const others = setInterval(() => (turns += 1), 0);
		expect((await planOf(many)).calls).toHaveLength(1_000);
		clearInterval(others);
		expect(turns).toBeGreaterThanOrEqual(3);
	});
});

describe('after an earlier try', () => {
	async function paidFor(...domains: string[]): Promise<CallOutcomes> {
		const paid = new CallOutcomes();
		const { calls } = await planOf(domains, { sendIdenticalOnce: true });
		for (const call of calls) await paid.make(call, async () => 'answer');
		return paid;
	}

	it('no call is planned for what it paid for, by item or by content', async () => {
		const paid = await paidFor('a', 'b');
		const plan = await planOf(['a', 'b', 'a', 'c'], { sendIdenticalOnce: true }, { paid });
		expect(itemsOf(plan)).toEqual([[3]]);
		expect(plan.known.map(({ index }) => index)).toEqual([0, 1, 2]);
	});

	it('its calls count towards Max Calls', async () => {
		const paid = await paidFor('a', 'b');
		const plan = await planOf(['a', 'b', 'c', 'd'], { maxCalls: 3 }, { paid });
		expect(itemsOf(plan)).toEqual([[2]]);
		expect(plan.skipped.map(({ index }) => index)).toEqual([3]);
	});

	it('what it knows needs nothing but the form of the output', async () => {
		const paid = await paidFor('a');
		const plan = await planOf([''], {}, { paid });
		expect([plan.known.length, plan.refused.length]).toEqual([1, 0]);
	});

	it('a failure that may have been billed is known too', async () => {
		const paid = new CallOutcomes();
		const [call] = (await planOf(['a'])).calls;
		const lost = new ServiceFailure('connectionLost');
		const send = async (): Promise<unknown> => {
			throw lost;
		};
		await paid.make(call!, send).catch(() => undefined);
		const plan = await planOf(['a'], {}, { paid });
		expect(itemsOf(plan)).toEqual([]);
		await expect(plan.known[0]?.outcome).rejects.toBe(lost);
	});
});

describe('Preview Only', () => {
	it('counts the different requests of all items, those past Max Calls among them', async () => {
		const plan = await planOf(twins, { previewOnly: true, maxCalls: 1 }, { isPreview: true });
		expect(await previewOf(plan, runOf(twins))).toMatchObject({ uniqueRequests: 3 });
		expect(itemsOf(plan)).toEqual([[0]]);
	});

	it('is refused on items of a run that is no preview', async () => {
		const plan = await planOf(['a', 'b'], (index) => ({ previewOnly: index > 0 }));
		expect(plan.refused).toMatchObject([
			{ index: 1, error: { message: expect.stringContaining('Preview Only is on for this item') } },
		]);
	});
});

describe('what was spent', () => {
	it('is told by how each item came to its outcome', async () => {
		const paid = new CallOutcomes();
		const [earlier] = (await planOf(['a'])).calls;
		await paid.make(earlier!, async () => 'answer');
		const options = (index: number) => ({
			sendIdenticalOnce: true,
			...(index > 3 && { maxCalls: 0 }),
		});
		const plan = await planOf(['a', 'b', 'b', 'c', 'd', ''], options, { paid });
		expect(spendingHint(plan, 6, { before: 1, sent: 1, unprocessed: 1 })).toBe(
			'Sent 2 calls (may be billed), 1 of them in earlier tries. 1 item was answered from an earlier try, without a new call. 1 item was answered with the call of an identical item. 1 item was never sent, or refused by the service before any work. 1 item was refused before sending. Max Calls skipped 1 item.',
		);
	});

	it('is short where nothing else happened', async () => {
		const plan = await planOf(['a']);
		expect(spendingHint(plan, 1, { before: 0, sent: 1, unprocessed: 0 })).toBe(
			'Sent 1 call (may be billed).',
		);
	});
});
