import { sleep, type IDataObject, type NodeApiError, type NodeOperationError } from 'n8n-workflow';

import type { ApiRequest } from '../../client/api';
import { writeJson } from '../../client/exact-json';
import { errorJson, InputProblem } from '../../common/errors';
import { readOptions } from '../../common/parameters';
import { readForm, type OutputForm } from '../answer';
import type { Task } from '../task';
import type { KeptResults } from './kept-results';
import type { CallOutcomes } from './outcomes';
import { readCall, type ItemCall } from './parameters';

/** How many items are planned before n8n may do something else for a moment. */
const ITEMS_IN_A_ROW = 250;

/** An item whose answer, or failure, is there without another call. */
interface AnsweredItem {
	index: number;
	form: OutputForm;
	outcome: Promise<unknown>;
}

/** What a run of calls will do, worked out before anything is sent. */
export interface Plan {
	/** What items ask for, before it is known whether a call has to be made. */
	asked: ItemCall[];
	/** The calls to make, each for one item or for several that share it, in the order of their first items. */
	calls: ItemCall[][];
	/** Answered by an earlier try of n8n's Retry On Fail. */
	known: AnsweredItem[];
	/** Answered by a kept result of an earlier execution. */
	kept: AnsweredItem[];
	refused: Array<{ index: number; error: unknown }>;
	/** The items past Max Calls, and the Max Calls of the last of them. */
	skipped: number[];
	maxCalls: number;
}

/**
 * Works out what every item comes to: a call of its own, an answer that is there already, or none. Sends nothing.
 *
 * @param items how many there are
 * @param taskOf the task of one item; throws the reason why it cannot be sent
 * @param paid.outcomes of earlier tries
 * @param paid.results of earlier executions
 * @param isPreview nothing will be sent
 */
export async function planCalls(
	items: number,
	taskOf: (index: number) => Promise<Task>,
	paid: { outcomes: CallOutcomes; results: KeptResults },
	isPreview: boolean,
): Promise<Plan> {
	const { outcomes, results } = paid;
	const lists = { asked: [], calls: [], known: [], kept: [], refused: [], skipped: [] };
	const plan: Plan = { ...lists, maxCalls: 0 };
	const shared = new Map<string, ItemCall[]>();

	const read = (task: Task): void => {
		const { itemIndex: index, session } = task;
		const outcome = outcomes.known(session, index);
		if (outcome !== undefined) {
			const form = readForm(readOptions(task.get), task.operation);
			plan.known.push({ index, form, outcome });
			return;
		}
		const item = readCall(task);
		if (item.previewOnly && !isPreview) {
			throw new InputProblem(
				'Preview Only is on for this item, but not for the first',
				'Turn it on or off in this node without an expression that depends on the item. It counts for all items of a run.',
			);
		}
		plan.asked.push(item);
	};

	const add = (item: ItemCall): void => {
		const { index, form, session, key, keeping, maxCalls = Infinity } = item;
		const outcome = key && outcomes.known(session, key);
		const twins = key && shared.get(session.key + key);
		if (outcome) plan.known.push({ index, form, outcome });
		else if (twins) twins.push(item);
		else {
			const result = keeping && results.find(keeping);
			if (result) plan.kept.push({ index, form, outcome: Promise.resolve(result.answer) });
			else if (outcomes.sent + plan.calls.length >= maxCalls) {
				plan.skipped.push(index);
				plan.maxCalls = maxCalls;
			} else {
				const call = [item];
				plan.calls.push(call);
				if (key) shared.set(session.key + key, call);
			}
		}
	};

	for (let index = 0; index < items; index++) {
		if (index % ITEMS_IN_A_ROW === ITEMS_IN_A_ROW - 1) await sleep(0);
		try {
			read(await taskOf(index));
		} catch (error) {
			plan.refused.push({ index, error });
		}
	}
	await results.lookUp(plan.asked.flatMap(({ keeping }) => keeping?.key ?? []));
	for (const item of plan.asked) {
		try {
			add(item);
		} catch (error) {
			plan.refused.push({ index: item.index, error });
		}
	}
	return plan;
}

/**
 * What a run would do, as the fields of an item.
 *
 * @param items how many the input has
 * @param explain makes the error that a user would see for an item
 */
export async function previewOf(
	{ asked, calls, kept, skipped, refused }: Plan,
	items: number,
	explain: (error: unknown, itemIndex: number) => Promise<NodeApiError | NodeOperationError>,
): Promise<IDataObject> {
	const refusedItems: IDataObject[] = [];
	for (const { index: itemIndex, error } of refused) {
		const { error: what, message } = errorJson(await explain(error, itemIndex));
		refusedItems.push({ itemIndex, error: what, message });
	}
	return {
		items,
		uniqueRequests: new Set(asked.map(({ session, content }) => session.key + content)).size,
		wouldBeSent: calls.length,
		keptResults: kept.length,
		sharedDuplicates: calls.reduce((sum, { length }) => sum + length - 1, 0),
		skippedByMaxCalls: skipped.length,
		refused: refused.length,
		refusedItems,
		...(calls.length > 0 && { sample: sampleOf(calls[0][0].request) }),
	};
}

/** A request, its body as the very text that would be sent. */
function sampleOf({ method, path, query, bodyText }: ApiRequest): IDataObject {
	return {
		...{ method, path },
		...(bodyText !== undefined && { body: bodyText }),
		...(query !== undefined && { query: writeJson(query) }),
	};
}
