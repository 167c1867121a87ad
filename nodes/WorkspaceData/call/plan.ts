import type { ServiceResponse } from '../../shared/client/api';
import { InputProblem } from '../../shared/errors/node-errors';
import { shown, trueOrFalse } from '../../shared/panel/read-parameters';
import { readForm } from '../response-to-items';
import { letOthersRun, type NodeRun } from '../node-run';
import { taskOf, type Task } from '../task';
import { ResultCache } from './result-cache';
import { readCall, type ItemCall } from './call-parameters';

/** An item that has a response, or the promise of a response, without a new call. */
type AnsweredItem = Pick<ItemCall, 'index' | 'form'> & {
	source: 'earlierTry' | 'keptResult';
	outcome: ServiceResponse | Promise<ServiceResponse>;
};

/** Plan of a run, made before the first call is sent. */
export class Plan {
	/** True if Preview Only is on for any item. */
	isPreview = false;
	readonly asked: ItemCall[] = [];
	readonly answered: AnsweredItem[] = [];
	readonly refused: Array<{ index: number; error: unknown }> = [];
	/** Items beyond Limit Calls. */
	readonly skipped: ItemCall[] = [];
	readonly nodeRun: NodeRun;
	/** Undefined if no item keeps its result. */
	results: ResultCache | undefined;
	/** Calls to send, by key if the call is shared, otherwise by the index of the item. */
	private readonly planned = new Map<number | string, ItemCall[]>();

	constructor(nodeRun: NodeRun) {
		this.nodeRun = nodeRun;
	}

	/** Calls to send, each for one or several items, in the order of their first items. */
	get calls(): ItemCall[][] {
		return [...this.planned.values()];
	}

	answeredFrom(wantedSource: AnsweredItem['source']): number {
		return this.answered.filter(({ source }) => source === wantedSource).length;
	}

	/** Names of the fields that the input items have. */
	get inputFields(): string[] {
		return [...new Set(this.nodeRun.items.flatMap(({ json }) => Object.keys(json)))];
	}

	/** Returns the fields that some items to send leave without a value, with the number of these items. */
	withoutField(): Map<string, number> {
		const items = this.calls.flat();
		const counts = new Map<string, number>();
		for (const { named } of this.asked) for (const name of named) counts.set(name, items.length);
		for (const { filled } of items) {
			for (const name of filled) counts.set(name, (counts.get(name) ?? 0) - 1);
		}
		return new Map([...counts].filter(([, count]) => count > 0));
	}

	/**
	 * Reads an item. If an earlier attempt sent the item's call, reads only the output options. Throws InputProblem.
	 */
	read(task: Task): void {
		const { itemIndex: index, get, options, operation } = task;
		this.isPreview ||= trueOrFalse(get('previewOnly', false), 'Preview Only', false);
		const outcome = this.nodeRun.paidCalls.find(index);
		if (outcome) {
			const form = readForm(get, options, operation);
			this.answered.push({ index, form, source: 'earlierTry', outcome });
		} else this.asked.push(readCall(task));
	}

	/** Decides whether an item has a response, shares a call, is skipped, or needs a call. Throws InputProblem. */
	add(item: ItemCall): void {
		const { index, form, key, isShared, keeping, maxCalls = Infinity } = item;
		const { paidCalls } = this.nodeRun;
		const keyOrIndex = isShared ? key : index;
		const identical = this.planned.get(keyOrIndex);
		const outcome = paidCalls.find(keyOrIndex);
		const kept = !outcome && !identical && keeping && this.results?.find(key, keeping);
		if (outcome) this.answered.push({ index, form, source: 'earlierTry', outcome });
		else if (identical) identical.push(item);
		else if (kept) this.answered.push({ index, form, source: 'keptResult', outcome: kept });
		else if (paidCalls.sent + this.planned.size >= maxCalls) this.skipped.push(item);
		else this.planned.set(keyOrIndex, [item]);
	}
}

/** Plans a call, a response without a call, or an error for every item. Sends nothing. */
export async function planCalls(nodeRun: NodeRun): Promise<Plan> {
	const plan = new Plan(nodeRun);
	for (const index of nodeRun.items.keys()) {
		await letOthersRun(index);
		try {
			plan.read(await taskOf(nodeRun, index));
		} catch (error) {
			plan.refused.push({ index, error });
		}
	}
	const kept = plan.asked.flatMap(({ key, keeping }) => (keeping ? [key] : []));
	if (kept.length > 0) {
		nodeRun.paidCalls.share(kept);
		plan.results = new ResultCache(nodeRun);
		await plan.results.lookUp(kept);
	}
	for (const item of plan.asked) {
		try {
			plan.add(item);
		} catch (error) {
			plan.refused.push({ index: item.index, error });
		}
	}
	refuseTogether(plan);
	return plan;
}

/** Gives all items one error if every item has the same mistake, because advice on single rows would not help. */
function refuseTogether({ nodeRun, refused, inputFields }: Plan): void {
	const { length } = nodeRun.items;
	const mistakes = refused.map(({ error }) => Object(error).ofAll as InputProblem['ofAll']);
	const [first] = mistakes;
	if (length < 2 || refused.length < length || first === undefined) return;
	const [message, fix] = first;
	if (mistakes.some((mistake) => mistake?.[0] !== message)) return;
	const fields = inputFields.slice(0, MAX_FIELDS_SHOWN).map(shown).join(', ') || 'no fields';
	const problem = new InputProblem(message, `${fix} The input items have: ${fields}.`);
	for (const item of refused) item.error = problem;
}

/** Maximum number of field names in an error. */
const MAX_FIELDS_SHOWN = 20;
