import { sleep } from 'n8n-workflow';

import type { ApiRequest } from '../../client/api';
import type { RequestLimits } from '../../client/request';
import { canonicalJson } from '../../common/digests';
import { InputProblem } from '../../common/errors';
import { readOptions } from '../../common/parameters';
import type { Session } from '../../common/session';
import { readForm, type OutputForm } from '../answer';
import type { Task } from '../task';
import { keptUnder, type Keeping, type KeptResults } from './kept-results';
import type { PaidCalls } from './paid-calls';
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

/** An item that asks for a call, before it is known whether one has to be made. */
interface Asking {
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
	/** By an earlier try of n8n's Retry On Fail, and by a call of an earlier try for an identical item. */
	readonly known: AnsweredItem[] = [];
	readonly shared: AnsweredItem[] = [];
	/** By a kept result of an earlier execution. */
	readonly kept: AnsweredItem[] = [];
	readonly refused: Array<{ index: number; error: unknown }> = [];
	/** The items past Max Calls, and what that says for the last of them. */
	readonly skipped: number[] = [];
	maxCalls = 0;
	/** How many different calls all items ask for; counted for a preview only. */
	readonly different = new Set<string>();
	/** Of earlier executions, and where those of this one go. */
	readonly results: KeptResults;
	private readonly paid: PaidCalls;
	private readonly isPreview: boolean;
	private readonly sharable = new Map<string, PlannedCall>();
	private readonly asking: Asking[] = [];

	constructor(paid: PaidCalls, results: KeptResults, isPreview: boolean) {
		this.paid = paid;
		this.results = results;
		this.isPreview = isPreview;
	}

	/**
	 * Reads what an item asks for.
	 *
	 * @throws what makes it one that is not to be sent
	 */
	read(task: Task): void {
		const { itemIndex: index, get, operation, session } = task;
		const known = this.paid.known(session, index);
		if (known !== undefined) {
			this.known.push({ index, form: readForm(readOptions(get), operation), outcome: known });
			return;
		}
		const { parameters, request, content } = prepareCall(task);
		const { form, limits, maxCalls, sendIdenticalOnce, reuseResultsFor: days } = parameters;
		if (parameters.previewOnly && !this.isPreview) throw previewOfSomeItems();
		const isSharable = sendIdenticalOnce || days !== undefined;
		const contentKey = isSharable || this.isPreview ? canonicalJson(content) : undefined;
		if (this.isPreview && contentKey !== undefined) this.different.add(session.key + contentKey);
		const key = isSharable ? contentKey : undefined;
		const keeping = days && key ? { key: keptUnder(session, key), days } : undefined;
		const call = { session, request, limits, key, keeping };
		this.asking.push({ item: { index, form }, call, maxCalls });
	}

	/** Works out what the items that were read come to. */
	async decide(): Promise<void> {
		await this.results.lookUp(this.asking.flatMap(({ call }) => call.keeping?.key ?? []));
		for (const asking of this.asking.splice(0)) {
			try {
				this.add(asking);
			} catch (error) {
				this.refused.push({ index: asking.item.index, error });
			}
		}
	}

	private add({ item, call, maxCalls }: Asking): void {
		const { session, key, keeping } = call;
		if (key !== undefined && this.isShared(session, key, item)) return;
		const result = keeping && this.results.find(keeping);
		if (result !== undefined) {
			this.kept.push({ ...item, outcome: Promise.resolve(result.answer) });
			return;
		}
		if (this.paid.sent + this.calls.length >= (maxCalls ?? Infinity)) {
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
		const outcome = this.paid.known(session, key);
		if (outcome !== undefined) this.shared.push({ ...item, outcome });
		const twin = this.sharable.get(session.key + key);
		twin?.items.push(item);
		return outcome !== undefined || twin !== undefined;
	}
}

/**
 * Works out what every item comes to: a call of its own, an answer that is there already, or none. Sends nothing.
 *
 * @param plan an empty one; changed and given back
 * @param taskOf the task of one item; throws what makes it one that is not to be sent
 */
export async function planCalls(
	plan: Plan,
	count: number,
	taskOf: (index: number) => Promise<Task>,
): Promise<Plan> {
	for (let index = 0; index < count; index++) {
		if (index % ITEMS_IN_A_ROW === ITEMS_IN_A_ROW - 1) await sleep(0);
		try {
			plan.read(await taskOf(index));
		} catch (error) {
			plan.refused.push({ index, error });
		}
	}
	await plan.decide();
	return plan;
}

function previewOfSomeItems(): InputProblem {
	return new InputProblem(
		'Preview Only is on for this item, but not for the first',
		'It holds for all items of a run. Turn it on or off in this node without an expression that depends on the item.',
	);
}
