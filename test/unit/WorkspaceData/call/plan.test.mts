import { describe, expect, it } from 'vitest';

import { KeptResults } from '../../../../nodes/WorkspaceData/call/kept-results.ts';
import { CallOutcomes } from '../../../../nodes/WorkspaceData/call-outcomes.ts';
import { planCalls, type Plan } from '../../../../nodes/WorkspaceData/call/plan.ts';
import { previewOf } from '../../../../nodes/WorkspaceData/call/preview.ts';
import { spendingHint } from '../../../../nodes/WorkspaceData/call/hints.ts';
import type { NodeRun } from '../../../../nodes/WorkspaceData/task.ts';
import { taskOf } from '../parameters-support.mts';
import { ENRICH } from './read-call.mts';

/** A run of the node for items that ask for such domains, or send such data, with the options that each has. */
function runFor(
	domains: Array<string | object>,
	options: object | ((index: number) => object),
	onError: 'stop' | 'continue' = 'stop',
): NodeRun {
	return {
		context: { continueOnFail: () => onError === 'continue' },
		items: domains,
		taskOf: async (itemIndex: number) => {
			const chosen = typeof options === 'function' ? options(itemIndex) : options;
			const values = { dataToSend: 'autoMapInputData', options: chosen };
			const asked = domains[itemIndex];
			const json = typeof asked === 'string' ? { domain: asked } : { ...asked };
			return { ...taskOf(values, ENRICH, json), itemIndex };
		},
		explain: async (error: Error) => Object.assign(error, { context: {} }),
	} as unknown as NodeRun;
}

/** Nothing is looked up where no item asks for it. */
const noResults = () => new KeptResults(undefined as never, ENRICH);

const planOf = async (
	domains: string[],
	options: object | ((index: number) => object) = {},
	paid = new CallOutcomes(),
): Promise<Plan> => await planCalls(runFor(domains, options), paid, noResults());

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
		expect(plan.answered.map(({ index }) => index)).toEqual([0, 1, 2]);
		expect(plan.answeredFrom('earlierTry')).toBe(3);
	});

	it('its calls count towards Max Calls', async () => {
		const paid = await paidFor('a', 'b');
		const plan = await planOf(['a', 'b', 'c', 'd'], { maxCalls: 3 }, paid);
		expect(itemsOf(plan)).toEqual([[2]]);
		expect(plan.skipped.map(({ index }) => index)).toEqual([3]);
	});

	it('what it knows needs nothing but the form of the output', async () => {
		const plan = await planOf([''], {}, await paidFor('a'));
		expect([plan.answered.length, plan.refused.length]).toEqual([1, 0]);
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

	const previewFor = async (domains: string[], options: object, onError: 'stop' | 'continue') => {
		const run = runFor(domains, options, onError);
		return await previewOf(await planCalls(run, new CallOutcomes(), noResults()), run);
	};
	const stops =
		'this node stops on errors. To send 1 call all the same, set On Error to Continue in its settings.';
	const raise = "To send more, raise 'Max Calls' in this node or remove it.";
	const both = "1 item would be refused and 'Max Calls' (1) would skip 1 item";

	it.each<[string[], object, string]>([
		[['a', 'b'], { maxCalls: 1 }, `'Max Calls' (1) would skip 1 item, and ${stops} ${raise}`],
		[['a', ''], {}, `1 item would be refused, and ${stops}`],
		[['a', '', 'b'], { maxCalls: 1 }, `${both}, and ${stops} ${raise}`],
	])('of %j with %j: a run that stops would send nothing', async (domains, options, why) => {
		const stopping = await previewFor(domains, options, 'stop');
		expect(Object.keys(stopping)[0]).toBe('wouldBeSent');
		expect(stopping).toMatchObject({ wouldBeSent: 0, nothingIsSentBecause: why });
		const continuing = await previewFor(domains, options, 'continue');
		expect(continuing).toMatchObject({ wouldBeSent: 1, items: domains.length });
		expect(continuing).not.toHaveProperty('nothingIsSentBecause');
	});

	it('says how many items are sent without a field that is named, and counts rows from 1', async () => {
		const preview = await previewFor(['a', ' ', 'b', '', ''], { maxCalls: 1 }, 'continue');
		expect(preview).toMatchObject({ wouldBeSent: 1, withoutField: {}, refused: 3 });
		expect(preview.refusedItems).toMatchObject([
			{ item: 2, itemIndex: 1 },
			{ item: 4, itemIndex: 3 },
			{ item: 5, itemIndex: 4 },
		]);
		const bodies = [
			{ domain: 'a', name: ' ' },
			{ name: 'b', tags: [] },
			{ domain: null, name: 'c' },
		];
		const run = runFor(bodies, { sendIdenticalOnce: true });
		const counted = await previewOf(await planCalls(run, new CallOutcomes(), noResults()), run);
		expect(counted.withoutField).toEqual({ domain: 2, name: 1, tags: 3 });
	});

	it('says nothing of it where no call is left to send, or all are sent', async () => {
		for (const [domains, sent] of [
			[[''], 0],
			[['a'], 1],
		] as const) {
			const preview = await previewFor([...domains], {}, 'stop');
			expect(preview.wouldBeSent).toBe(sent);
			expect(preview).not.toHaveProperty('nothingIsSentBecause');
		}
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
