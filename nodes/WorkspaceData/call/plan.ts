import type { ServiceResponse } from '../../shared/client/api';
import { InputProblem } from '../../shared/errors/node-errors';
import { shown, trueOrFalse } from '../../shared/panel/read-parameters';
import { readForm } from '../response-to-items';
import { letOthersRun, type NodeRun } from '../node-run';
import { taskOf, type Task } from '../task';
import { ResultCache } from './result-cache';
import { readCall, type ItemCall } from './call-parameters';

/** An input item that needs no new call, because an earlier attempt or Keep Results has its response. */
type AnsweredItem = Pick<ItemCall, 'index' | 'form'> & {
	source: 'earlierAttempt' | 'keptResult';
	outcome: ServiceResponse | Promise<ServiceResponse>;
};

/** Plan of a run: which calls to send, and which items need no call. It is made before the first call is sent. */
export class Plan {
	/** True if Preview Only is on for any item. */
	isPreview = false;
	readonly itemCalls: ItemCall[] = [];
	readonly withResponse: AnsweredItem[] = [];
	readonly refused: Array<{ index: number; error: unknown }> = [];
	/** Items whose call is not sent because of the option Limit Calls. */
	readonly skipped: ItemCall[] = [];
	readonly nodeRun: NodeRun;
	/** Cache of kept results. Undefined if no item uses the option Keep Results. */
	results: ResultCache | undefined;
	/** Calls to send, by the key of a shared call, or by the item index of any other call. */
	private readonly planned = new Map<number | string, ItemCall[]>();

	constructor(nodeRun: NodeRun) {
		this.nodeRun = nodeRun;
	}

	/** Calls to send, each with the items that share it, in the order of the first items. */
	get calls(): ItemCall[][] {
		return [...this.planned.values()];
	}

	countFrom(wantedSource: AnsweredItem['source']): number {
		return this.withResponse.filter(({ source }) => source === wantedSource).length;
	}

	get inputFields(): string[] {
		return [...new Set(this.nodeRun.items.flatMap(({ json }) => Object.keys(json)))];
	}

	/** Returns the fields without a value in some of the items to send, with the number of these items. */
	countEmptyFields(): Map<string, number> {
		const items = this.calls.flat();
		const counts = new Map<string, number>();
		for (const { named } of this.itemCalls)
			for (const name of named) counts.set(name, items.length);
		for (const { filled } of items) {
			for (const name of filled) counts.set(name, (counts.get(name) ?? 0) - 1);
		}
		return new Map([...counts].filter(([, count]) => count > 0));
	}

	/** Reads an item's parameters, or only its output options if its call was sent before. Throws InputProblem. */
	read(task: Task): void {
		const { itemIndex: index, get, options, operation } = task;
		this.isPreview ||= trueOrFalse(get('previewOnly', false), 'Preview Only', false);
		const outcome = this.nodeRun.paidCalls.find(index);
		if (outcome) {
			const form = readForm(get, options, operation);
			this.withResponse.push({ index, form, source: 'earlierAttempt', outcome });
		} else this.itemCalls.push(readCall(task));
	}

	/**
	 * Decides whether an item already has a response, shares a call, is skipped by Limit Calls, or needs a new call.
	 * Throws InputProblem if kept results cannot be looked up.
	 */
	add(item: ItemCall): void {
		const { index, form, key, isShared, keeping, maxCalls = Infinity } = item;
		const { paidCalls } = this.nodeRun;
		const keyOrIndex = isShared ? key : index;
		const identical = this.planned.get(keyOrIndex);
		const outcome = paidCalls.find(keyOrIndex);
		const kept = !outcome && !identical && keeping && this.results?.find(key, keeping);
		if (outcome) this.withResponse.push({ index, form, source: 'earlierAttempt', outcome });
		else if (identical) identical.push(item);
		else if (kept) this.withResponse.push({ index, form, source: 'keptResult', outcome: kept });
		else if (paidCalls.sent + this.planned.size >= maxCalls) this.skipped.push(item);
		else this.planned.set(keyOrIndex, [item]);
	}
}

/** Plans what every item gets: a call, a response without a new call, or an error. Sends no call. */
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
	const kept = plan.itemCalls.flatMap(({ key, keeping }) => (keeping ? [key] : []));
	if (kept.length > 0) {
		nodeRun.paidCalls.share(kept);
		plan.results = new ResultCache(nodeRun);
		await plan.results.lookUp(kept);
	}
	for (const item of plan.itemCalls) {
		try {
			plan.add(item);
		} catch (error) {
			plan.refused.push({ index: item.index, error });
		}
	}
	refuseTogether(plan);
	return plan;
}

/** Gives all items one error if they all have the same mistake, because advice on single rows would not help. */
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

/** Maximum number of input fields that an error names. */
const MAX_FIELDS_SHOWN = 20;
