import { sleep, type IDataObject } from 'n8n-workflow';

import { writeJson } from '../../client/exact-json';
import { errorJson } from '../../common/errors';
import { trueOrFalse } from '../../common/parameters';
import type { NodeRun } from '../node-run';
import { readForm } from '../output';
import type { Task } from '../task';
import { whyNothingIsSent } from './hints';
import type { KeptResults } from './kept-results';
import { itemKey, type CallOutcomes } from './outcomes';
import { readCall, type ItemCall } from './parameters';

/** How many items are planned before n8n may do something else for a moment. */
const ITEMS_IN_A_ROW = 250;

/** An item whose answer, or the promise of one, is there without another call, and where that comes from. */
type AnsweredItem = Pick<ItemCall, 'index' | 'form'> & {
	source: 'earlierTry' | 'keptResult';
	outcome: unknown;
};

/** What a run of calls will do, worked out before anything is sent. */
export class Plan {
	/** True where an item asks for Preview Only, which counts for all: nothing is sent, and one item says what would be. */
	isPreview = false;
	/** What items ask for, before it is known whether a call has to be made. */
	readonly asked: ItemCall[] = [];
	/** The calls to make, each for one item or for several that share it, in the order of their first items. */
	readonly calls: ItemCall[][] = [];
	readonly answered: AnsweredItem[] = [];
	readonly refused: Array<{ index: number; error: unknown }> = [];
	/** Past Max Calls. */
	readonly skipped: ItemCall[] = [];
	readonly outcomes: CallOutcomes;
	readonly results: KeptResults;
	/** The calls that other items may share, by key. */
	private readonly shared = new Map<string, ItemCall[]>();

	constructor(outcomes: CallOutcomes, results: KeptResults) {
		this.outcomes = outcomes;
		this.results = results;
	}

	/** How many items have their answer from there. */
	answeredFrom(wanted: AnsweredItem['source']): number {
		return this.answered.filter(({ source }) => source === wanted).length;
	}

	/** Reads what an item asks for; of one that an earlier try has sent, only what comes out. Throws InputProblem. */
	read(task: Task): void {
		const { itemIndex: index, options, operation, session } = task;
		this.isPreview ||= trueOrFalse(options.previewOnly, 'Preview Only', false);
		const outcome = this.outcomes.known(itemKey(session, index));
		if (outcome) {
			const form = readForm(options, operation);
			this.answered.push({ index, form, source: 'earlierTry', outcome });
		} else this.asked.push(readCall(task));
	}

	/** Finds out what becomes of an item. Throws InputProblem where kept results cannot be looked up. */
	place(item: ItemCall): void {
		const { index, form, key, isShared, days, maxCalls = Infinity } = item;
		const outcome = isShared && this.outcomes.known(key);
		const twins = isShared && this.shared.get(key);
		const kept = !outcome && !twins && days && this.results.find(key, days);
		if (outcome) this.answered.push({ index, form, source: 'earlierTry', outcome });
		else if (twins) twins.push(item);
		else if (kept) this.answered.push({ index, form, source: 'keptResult', outcome: kept.answer });
		else if (this.outcomes.sent + this.calls.length >= maxCalls) this.skipped.push(item);
		else {
			const call = [item];
			this.calls.push(call);
			if (isShared) this.shared.set(key, call);
		}
	}
}

/** Works out what every item comes to: a call of its own, an answer that is there already, or none. Sends nothing. */
export async function planCalls(
	nodeRun: NodeRun,
	outcomes: CallOutcomes,
	results: KeptResults,
): Promise<Plan> {
	const plan = new Plan(outcomes, results);
	for (const index of nodeRun.items.keys()) {
		if (index % ITEMS_IN_A_ROW === ITEMS_IN_A_ROW - 1) await sleep(0);
		try {
			plan.read(await nodeRun.taskOf(index));
		} catch (error) {
			plan.refused.push({ index, error });
		}
	}
	await results.lookUp(plan.asked.flatMap(({ key, days }) => (days ? [key] : [])));
	for (const item of plan.asked) {
		try {
			plan.place(item);
		} catch (error) {
			plan.refused.push({ index: item.index, error });
		}
	}
	return plan;
}

/** What a run would do, as the fields of an item; the first request with the very text that would be sent. */
export async function previewOf(plan: Plan, nodeRun: NodeRun): Promise<IDataObject> {
	const { asked, calls, skipped, refused } = plan;
	const refusedItems: IDataObject[] = [];
	for (const { index: itemIndex, error } of refused) {
		const { error: what, message } = errorJson(await nodeRun.explain(error, itemIndex));
		refusedItems.push({ itemIndex, error: what, message });
	}
	const whyNothing = nodeRun.context.continueOnFail() ? '' : whyNothingIsSent(plan);
	return {
		wouldBeSent: whyNothing ? 0 : calls.length,
		...(whyNothing && { nothingIsSentBecause: whyNothing }),
		items: nodeRun.items.length,
		uniqueRequests: new Set(asked.map(({ key }) => key)).size,
		keptResults: plan.answeredFrom('keptResult'),
		sharedDuplicates: calls.reduce((sum, { length }) => sum + length - 1, 0),
		skippedByMaxCalls: skipped.length,
		refused: refused.length,
		refusedItems,
		...(calls.length > 0 && { sample: sampleOf(calls[0][0]) }),
	};
}

function sampleOf({ request: { method, path, query, bodyText: body } }: ItemCall): IDataObject {
	return { method, path, ...(query ? { query: writeJson(query) } : { body }) };
}
