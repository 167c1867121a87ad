import type { IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../../client/envelope';
import { ServiceFailure } from '../../client/failures';
import { wasNotProcessed } from '../../client/retry';
import { trueOrFalse } from '../../common/parameters';
import type { Session } from '../../common/session';
import { letOthersRun } from '../item-sessions';
import type { Operation } from '../operation-row';
import { readForm } from '../results';
import type { NodeRun, Task } from '../task';
import type { KeptResults } from './kept-results';
import { readCall, type ItemCall } from './parameters';

/** An item whose answer, or the promise of one, is there without another call. */
type AnsweredItem = Pick<ItemCall, 'index' | 'form'> & {
	source: 'earlierTry' | 'keptResult';
	outcome: unknown;
};

/** What a run of calls will do, worked out before anything is sent. */
export class Plan {
	/** Preview Only of one item counts for all. */
	isPreview = false;
	readonly asked: ItemCall[] = [];
	/** Each for one item or for several that share it, in the order of their first items. */
	readonly calls: ItemCall[][] = [];
	readonly answered: AnsweredItem[] = [];
	readonly refused: Array<{ index: number; error: unknown }> = [];
	/** Past Max Calls. */
	readonly skipped: ItemCall[] = [];
	readonly outcomes: CallOutcomes;
	readonly results: KeptResults;
	/** By key. */
	private readonly shared = new Map<string, ItemCall[]>();

	constructor(outcomes: CallOutcomes, results: KeptResults) {
		this.outcomes = outcomes;
		this.results = results;
	}

	answeredFrom(wanted: AnsweredItem['source']): number {
		return this.answered.filter(({ source }) => source === wanted).length;
	}

	/** For an item sent in an earlier try, only Preview Only and the output options are read. Throws InputProblem. */
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
	add(item: ItemCall): void {
		const { index, form, key, isShared, keeping, maxCalls = Infinity } = item;
		const outcome = isShared && this.outcomes.known(key);
		const twins = isShared && this.shared.get(key);
		const kept = !outcome && !twins && keeping && this.results.find(key, keeping);
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
		await letOthersRun(index);
		try {
			plan.read(await nodeRun.taskOf(index));
		} catch (error) {
			plan.refused.push({ index, error });
		}
	}
	await results.lookUp(plan.asked.flatMap(({ key, keeping }) => (keeping ? [key] : [])));
	for (const item of plan.asked) {
		try {
			plan.add(item);
		} catch (error) {
			plan.refused.push({ index: item.index, error });
		}
	}
	return plan;
}

/** What came of a run's calls, in all tries of Retry On Fail: only what was surely not processed is sent again. */
export class CallOutcomes {
	/** By item, whatever is sent for it on a later try, and by the key of calls that are shared. */
	private readonly outcomes = new Map<string, Promise<unknown>>();
	/** How many calls the service processed, or may have processed. */
	sent = 0;
	/** How many of them it answered. */
	answered = 0;

	/** Undefined where no try has made the call. */
	known(itemOrCallKey: string): Promise<unknown> | undefined {
		return this.outcomes.get(itemOrCallKey);
	}

	/** Makes one call for these items and remembers its outcome. Throws what `send` throws. */
	async make(items: readonly ItemCall[], send: () => Promise<unknown>): Promise<unknown> {
		const ofItems = items.map(({ session, index }) => itemKey(session, index));
		const keys = [...ofItems, ...(items[0].isShared ? [items[0].key] : [])];
		const outcome = send();
		this.sent += 1;
		for (const one of keys) this.outcomes.set(one, outcome);
		await outcome.then(
			() => (this.answered += 1),
			(error: unknown) => this.noteFailure(error, keys),
		);
		return await outcome;
	}

	private noteFailure(error: unknown, keys: readonly string[]): void {
		if (!isSurelyUnprocessed(error)) return;
		this.sent -= 1;
		for (const one of keys) this.outcomes.delete(one);
	}
}

/** Tells an input item and its credential from all others of the run. */
export function itemKey({ key }: Pick<Session, 'key'>, index: number): string {
	return `${key} ${index}`;
}

/** Freed with the objects of n8n that they belong to. */
const remembered = new WeakMap<object, CallOutcomes>();

/** With those of earlier tries where repeating a call would change or cost something. */
export function outcomesOf(context: IExecuteFunctions, operation: Operation): CallOutcomes {
	const key = operation.repeat === 'safe' ? undefined : runOf(context);
	const outcomes = (key && remembered.get(key)) ?? new CallOutcomes();
	if (key !== undefined) remembered.set(key, outcomes);
	return outcomes;
}

/** What all tries of this run have in common, and no other run. */
function runOf(context: IExecuteFunctions): object | undefined {
	// Old versions of n8n may lack the function or the data.
	const data: unknown = context.getExecuteData?.();
	if (!isObject(data)) return undefined;
	const { node } = data;
	if (isObject(node) && node.name === context.getNode().name) return data;
	// Some agents hand their own data to all their tools; then only the arguments belong to one call.
	const given: unknown = context.getInputData()[0]?.json;
	return isObject(given) ? given : undefined;
}

/** Whether the service surely did nothing: the call was never sent, got no further than a proxy (407), or was refused. */
export function isSurelyUnprocessed(error: unknown): boolean {
	if (!(error instanceof ServiceFailure)) return false;
	const isUnsent = ['cancelled', 'blocked', 'insecure'].includes(error.kind);
	return isUnsent || error.facts.statusCode === 407 || wasNotProcessed(error);
}
