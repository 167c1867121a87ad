import { trueOrFalse } from '../../common/panel/read-parameters';
import { readForm, type ServiceResponse } from '../response-to-items';
import { letOthersRun, type Try } from '../node-try';
import { taskOf, type Task } from '../task';
import { KeptResults } from './kept-results';
import { readCall, type ItemCall } from './call-parameters';

/** An item whose answer, or the promise of one, is there without another call. */
type AnsweredItem = Pick<ItemCall, 'index' | 'form'> & {
	source: 'earlierTry' | 'keptResult';
	outcome: ServiceResponse | Promise<ServiceResponse>;
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
	/** Past Limit Calls. */
	readonly skipped: ItemCall[] = [];
	readonly nodeTry: Try;
	/** Undefined where no item keeps its result. */
	results: KeptResults | undefined;
	/** By key. */
	private readonly shared = new Map<string, ItemCall[]>();

	constructor(nodeTry: Try) {
		this.nodeTry = nodeTry;
	}

	answeredFrom(wanted: AnsweredItem['source']): number {
		return this.answered.filter(({ source }) => source === wanted).length;
	}

	/** Of each field that an item names: how many of the items to send have no value in it, where there are any. */
	withoutField(): Map<string, number> {
		const items = this.calls.flat();
		const counts = new Map<string, number>();
		for (const { named } of this.asked) for (const name of named) counts.set(name, items.length);
		for (const { filled } of items) {
			for (const name of filled) counts.set(name, (counts.get(name) ?? 0) - 1);
		}
		return new Map([...counts].filter(([, count]) => count > 0));
	}

	/** For an item sent in an earlier try, only Preview Only and the output options are read. Throws InputProblem. */
	read(task: Task): void {
		const { itemIndex: index, get, options, operation } = task;
		this.isPreview ||= trueOrFalse(get('previewOnly', false), 'Preview Only', false);
		const outcome = this.nodeTry.outcomes.of(index);
		if (outcome) {
			const form = readForm(get, options, operation);
			this.answered.push({ index, form, source: 'earlierTry', outcome });
		} else this.asked.push(readCall(task));
	}

	/** Finds out what becomes of an item. Throws InputProblem where kept results cannot be looked up. */
	add(item: ItemCall): void {
		const { index, form, key, isShared, keeping, maxCalls = Infinity } = item;
		const outcome = isShared && this.nodeTry.outcomes.of(key);
		const identical = isShared && this.shared.get(key);
		const kept = !outcome && !identical && keeping && this.results?.find(key, keeping);
		if (outcome) this.answered.push({ index, form, source: 'earlierTry', outcome });
		else if (identical) identical.push(item);
		else if (kept) this.answered.push({ index, form, source: 'keptResult', outcome: kept });
		else if (this.nodeTry.outcomes.sent + this.calls.length >= maxCalls) this.skipped.push(item);
		else {
			const call = [item];
			this.calls.push(call);
			if (isShared) this.shared.set(key, call);
		}
	}
}

/** Works out what every item comes to: a call of its own, an answer that is there already, or none. Sends nothing. */
export async function planCalls(nodeTry: Try): Promise<Plan> {
	const plan = new Plan(nodeTry);
	for (const index of nodeTry.items.keys()) {
		await letOthersRun(index);
		try {
			plan.read(await taskOf(nodeTry, index));
		} catch (error) {
			plan.refused.push({ index, error });
		}
	}
	const kept = plan.asked.flatMap(({ key, keeping }) => (keeping ? [key] : []));
	if (kept.length > 0) plan.results = new KeptResults(nodeTry);
	await plan.results?.lookUp(kept);
	for (const item of plan.asked) {
		try {
			plan.add(item);
		} catch (error) {
			plan.refused.push({ index: item.index, error });
		}
	}
	return plan;
}
