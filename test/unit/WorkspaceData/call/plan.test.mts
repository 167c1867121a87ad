import { describe, expect, it } from 'vitest';

import { KeptResults } from '../../../../nodes/WorkspaceData/call/kept-results.ts';
import { CallOutcomes } from '../../../../nodes/WorkspaceData/call/outcomes.ts';
import { planCalls, type Plan } from '../../../../nodes/WorkspaceData/call/plan.ts';
import { spendingHint } from '../../../../nodes/WorkspaceData/call/hints.ts';
import type { NodeRun } from '../../../../nodes/WorkspaceData/node-run.ts';
import { taskOf } from '../parameters-support.mts';
import { ENRICH } from './read-call.mts';

/** The plan for items that ask for such domains, with the options that each has. */
async function planOf(
	domains: string[],
	options: object | ((index: number) => object) = {},
	paid = new CallOutcomes(),
): Promise<Plan> {
	const execution = {
		items: domains,
		taskOf: async (itemIndex: number) => {
			const chosen = typeof options === 'function' ? options(itemIndex) : options;
			const values = { dataToSend: 'autoMapInputData', options: chosen };
			return { ...taskOf(values, ENRICH, { domain: domains[itemIndex] }), itemIndex };
		},
	} as unknown as NodeRun;
	// Nothing is looked up where no item asks for it.
	return await planCalls(execution, paid, new KeptResults(undefined as never));
}

/** The items of each call. */
const itemsOf = ({ calls }: Plan): number[][] =>
	calls.map((items) => items.map(({ index }) => index));

/** What an earlier try has paid for. */
async function paidFor(...domains: string[]): Promise<CallOutcomes> {
	const paid = new CallOutcomes();
	const { calls } = await planOf(domains, { sendIdenticalOnce: true });
	for (const call of calls) await paid.make(call, async () => 'answer');
	return paid;
}

describe('a plan', () => {
	it('shares calls only among the items that say so', async () => {
		const plan = await planOf(['a', 'a', 'a'], (index) => ({ sendIdenticalOnce: index > 0 }));
		expect(itemsOf(plan)).toEqual([[0], [1, 2]]);
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
	it('no call is planned for what it paid for, by item or by content', async () => {
		const paid = await paidFor('a', 'b');
		const plan = await planOf(['a', 'b', 'a', 'c'], { sendIdenticalOnce: true }, paid);
		expect(itemsOf(plan)).toEqual([[3]]);
		expect(plan.known.map(({ index }) => index)).toEqual([0, 1, 2]);
	});

	it('its calls count towards Max Calls', async () => {
		const paid = await paidFor('a', 'b');
		const plan = await planOf(['a', 'b', 'c', 'd'], { maxCalls: 3 }, paid);
		expect(itemsOf(plan)).toEqual([[2]]);
		expect(plan.skipped.map(({ index }) => index)).toEqual([3]);
	});

	it('what it knows needs nothing but the form of the output', async () => {
		const plan = await planOf([''], {}, await paidFor('a'));
		expect([plan.known.length, plan.refused.length]).toEqual([1, 0]);
	});
});

describe('Preview Only', () => {
	it('of one item is of the whole run, also where that item is refused', async () => {
		const options = (index: number) => ({ previewOnly: index === 1 });
		for (const domain of ['b', ''])
			expect(await planOf(['a', domain, 'c'], options)).toMatchObject({ isPreview: true });
		expect(await planOf(['a'], options)).toMatchObject({ isPreview: false });
	});

	it('is refused when it is neither true nor false', async () => {
		const { refused, calls } = await planOf(['a'], { previewOnly: 'yes' });
		expect(refused).toMatchObject([{ error: { message: "'Preview Only' must be true or false" } }]);
		expect(calls).toEqual([]);
	});
});

it('what was spent is told by how each item came to its outcome', async () => {
	const options = (index: number) => ({
		sendIdenticalOnce: true,
		...(index > 3 && { maxCalls: 0 }),
	});
	const domains = ['a', 'b', 'b', 'c', 'd', ''];
	const plan = await planOf(domains, options, await paidFor('a'));
	expect(spendingHint(plan, 6, { before: 1, sent: 1, unprocessed: 1 })).toBe(
		'Sent 2 calls (may be billed), 1 of them in earlier tries. 1 item was answered from an earlier try, without a new call. 1 item was answered with the call of an identical item. 1 item was never sent, or refused by the service before any work. 1 item was refused before sending. Max Calls skipped 1 item.',
	);
});
