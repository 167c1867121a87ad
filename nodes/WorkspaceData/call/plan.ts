import { sleep, type IDataObject } from 'n8n-workflow';

import { writeJson } from '../../client/exact-json';
import { errorJson } from '../../common/errors';
import { readOptions, trueOrFalse } from '../../common/parameters';
import { readForm } from '../output';
import type { NodeRun } from '../node-run';
import type { KeptResults } from './kept-results';
import { itemKey, type CallOutcomes } from './outcomes';
import { readCall, type ItemCall } from './parameters';

/** How many items are planned before n8n may do something else for a moment. */
const ITEMS_IN_A_ROW = 250;

/** An item whose answer, or failure, is there without another call. */
type AnsweredItem = Pick<ItemCall, 'index' | 'form'> & { outcome: Promise<unknown> };

/** What a run of calls will do, worked out before anything is sent. */
export class Plan {
	/** True where an item asks for Preview Only, which counts for all: nothing is sent, and one item says what would be. */
	isPreview = false;
	/** What items ask for, before it is known whether a call has to be made. */
	asked: ItemCall[] = [];
	/** The calls to make, each for one item or for several that share it, in the order of their first items. */
	calls: ItemCall[][] = [];
	/** Answered by an earlier try of n8n's Retry On Fail. */
	known: AnsweredItem[] = [];
	/** Answered by a kept result of an earlier execution. */
	kept: AnsweredItem[] = [];
	refused: Array<{ index: number; error: unknown }> = [];
	/** Past Max Calls. */
	skipped: ItemCall[] = [];
}

/** Works out what every item comes to: a call of its own, an answer that is there already, or none. Sends nothing. */
export async function planCalls(
	nodeRun: NodeRun,
	outcomes: CallOutcomes,
	results: KeptResults,
): Promise<Plan> {
	const plan = new Plan();
	const shared = new Map<string, ItemCall[]>();

	const add = (item: ItemCall): void => {
		const { index, form, key, isShared, days, maxCalls = Infinity } = item;
		const outcome = isShared && outcomes.known(key);
		const twins = isShared && shared.get(key);
		if (outcome) plan.known.push({ index, form, outcome });
		else if (twins) twins.push(item);
		else {
			const result = days && results.find(key, days);
			if (result) plan.kept.push({ index, form, outcome: Promise.resolve(result.answer) });
			else if (outcomes.sent + plan.calls.length >= maxCalls) plan.skipped.push(item);
			else {
				const call = [item];
				plan.calls.push(call);
				if (isShared) shared.set(key, call);
			}
		}
	};

	for (const index of nodeRun.items.keys()) {
		if (index % ITEMS_IN_A_ROW === ITEMS_IN_A_ROW - 1) await sleep(0);
		try {
			const task = await nodeRun.taskOf(index);
			const options = readOptions(task.get);
			plan.isPreview ||= trueOrFalse(options.previewOnly, 'Preview Only', false);
			const outcome = outcomes.known(itemKey(task.session, index));
			if (outcome) plan.known.push({ index, form: readForm(options, task.operation), outcome });
			else plan.asked.push(readCall(task));
		} catch (error) {
			plan.refused.push({ index, error });
		}
	}
	await results.lookUp(plan.asked.flatMap(({ key, days }) => (days ? [key] : [])));
	for (const item of plan.asked) {
		try {
			add(item);
		} catch (error) {
			plan.refused.push({ index: item.index, error });
		}
	}
	return plan;
}

/** What a run would do, as the fields of an item; the first request with the very text that would be sent. */
export async function previewOf(plan: Plan, nodeRun: NodeRun): Promise<IDataObject> {
	const { asked, calls, kept, skipped, refused } = plan;
	const refusedItems: IDataObject[] = [];
	for (const { index: itemIndex, error } of refused) {
		const { error: what, message } = errorJson(await nodeRun.explain(error, itemIndex));
		refusedItems.push({ itemIndex, error: what, message });
	}
	const [sample] = calls.slice(0, 1).map(([{ request }]) => {
		const { method, path, query, bodyText: body } = request;
		return { method, path, ...(query ? { query: writeJson(query) } : { body }) };
	});
	return {
		items: nodeRun.items.length,
		uniqueRequests: new Set(asked.map(({ key }) => key)).size,
		wouldBeSent: calls.length,
		keptResults: kept.length,
		sharedDuplicates: calls.reduce((sum, { length }) => sum + length - 1, 0),
		skippedByMaxCalls: skipped.length,
		refused: refused.length,
		refusedItems,
		...(sample && { sample }),
	};
}
