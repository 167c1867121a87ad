import { sleep } from 'n8n-workflow';

import type { ApiRequest } from '../../client/api';
import type { RequestLimits } from '../../client/request';
import { canonicalJson } from '../../client/exact-json';
import { InputProblem } from '../../common/errors';
import { readOptions } from '../../common/parameters';
import type { Session } from '../../common/session';
import { readForm, type OutputForm } from '../answer';
import type { Task } from '../task';
import { resultKey, type Keeping, type KeptResults } from './kept-results';
import type { CallOutcomes } from './outcomes';
import { prepareCall } from './parameters';

/** How many items are planned before n8n may do something else for a moment. */
const ITEMS_IN_A_ROW = 250;

/** One item of the input, and what comes out for it. */
export interface PlannedItem {
	index: number;
	form: OutputForm;
}

/** One call to make, for one item or for several with the same to send. */
export interface PlannedCall {
	items: PlannedItem[];
	session: Session;
	request: ApiRequest;
	limits: RequestLimits;
	/** Equal for calls that may be shared. */
	key?: string;
	/** Where the result is kept for later executions. */
	keeping?: Keeping;
}

/** What an item wants, before it is known whether a call has to be made for it. */
interface Wanted {
	item: PlannedItem;
	call: Omit<PlannedCall, 'items'>;
	maxCalls: number | undefined;
}

/** An item whose answer, or failure, is there without another call. */
export interface AnsweredItem extends PlannedItem {
	outcome: Promise<unknown>;
}

/** What a run of calls will do, worked out before anything is sent. */
export class Plan {
	/** In the order of their first items. */
	readonly calls: PlannedCall[] = [];
	/** Answered by an earlier try of n8n's Retry On Fail; `shared`: by its call for an identical item. */
	readonly known: AnsweredItem[] = [];
	readonly shared: AnsweredItem[] = [];
	/** Answered by a kept result of an earlier execution. */
	readonly kept: AnsweredItem[] = [];
	readonly refused: Array<{ index: number; error: unknown }> = [];
	/** The items past Max Calls, and the Max Calls of the last of them. */
	readonly skipped: number[] = [];
	maxCalls = 0;
	/** How many different calls all items ask for; counted for a preview only. */
	readonly different = new Set<string>();
	/** Where results of earlier executions are found, and those of this one are kept. */
	readonly results: KeptResults;
	private readonly outcomes: CallOutcomes;
	private readonly isPreview: boolean;
	private readonly sharable = new Map<string, PlannedCall>();

	constructor(outcomes: CallOutcomes, results: KeptResults, isPreview: boolean) {
		this.outcomes = outcomes;
		this.results = results;
		this.isPreview = isPreview;
	}

	/**
	 * Works out what every item comes to: a call of its own, an answer that is there already, or none. Sends nothing.
	 *
	 * @param taskOf the task of one item; throws the reason why it cannot be sent
	 */
	async make(items: number, taskOf: (index: number) => Promise<Task>): Promise<void> {
		const wanted: Wanted[] = [];
		for (let index = 0; index < items; index++) {
			if (index % ITEMS_IN_A_ROW === ITEMS_IN_A_ROW - 1) await sleep(0);
			try {
				wanted.push(...this.read(await taskOf(index)));
			} catch (error) {
				this.refused.push({ index, error });
			}
		}
		await this.results.lookUp(wanted.flatMap(({ call }) => call.keeping?.key ?? []));
		for (const one of wanted) {
			try {
				this.add(one);
			} catch (error) {
				this.refused.push({ index: one.item.index, error });
			}
		}
	}

	/** None where an earlier try has the outcome. */
	private read(task: Task): Wanted[] {
		const { itemIndex: index, get, operation, session } = task;
		const known = this.outcomes.known(session, index);
		if (known !== undefined) {
			this.known.push({ index, form: readForm(readOptions(get), operation), outcome: known });
			return [];
		}
		const { parameters, request, content } = prepareCall(task);
		const { form, limits, maxCalls, sendIdenticalOnce, reuseResultsFor: days } = parameters;
		if (parameters.previewOnly && !this.isPreview) throw previewOfSomeItems();
		const isSharable = sendIdenticalOnce || days !== undefined;
		const contentKey = isSharable || this.isPreview ? canonicalJson(content) : undefined;
		if (this.isPreview && contentKey !== undefined) this.different.add(session.key + contentKey);
		const key = isSharable ? contentKey : undefined;
		const keeping = days && key ? { key: resultKey(session, key), days } : undefined;
		const call = { session, request, limits, key, keeping };
		return [{ item: { index, form }, call, maxCalls }];
	}

	private add({ item, call, maxCalls }: Wanted): void {
		const { session, key, keeping } = call;
		if (key !== undefined && this.isShared(session, key, item)) return;
		const result = keeping && this.results.find(keeping);
		if (result !== undefined) {
			this.kept.push({ ...item, outcome: Promise.resolve(result.answer) });
			return;
		}
		if (this.outcomes.sent + this.calls.length >= (maxCalls ?? Infinity)) {
			this.skipped.push(item.index);
			this.maxCalls = maxCalls ?? 0;
			return;
		}
		const planned: PlannedCall = { items: [item], ...call };
		this.calls.push(planned);
		if (key !== undefined) this.sharable.set(session.key + key, planned);
	}

	/** Whether the item gets the answer of an identical one. */
	private isShared(session: Session, key: string, item: PlannedItem): boolean {
		const outcome = this.outcomes.known(session, key);
		if (outcome !== undefined) this.shared.push({ ...item, outcome });
		const twin = this.sharable.get(session.key + key);
		twin?.items.push(item);
		return outcome !== undefined || twin !== undefined;
	}
}

function previewOfSomeItems(): InputProblem {
	return new InputProblem(
		'Preview Only is on for this item, but not for the first',
		'Turn it on or off in this node without an expression that depends on the item. It counts for all items of a run.',
	);
}
