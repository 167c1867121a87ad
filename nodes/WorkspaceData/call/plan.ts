import { sleep } from 'n8n-workflow';

import type { ApiRequest } from '../../client/api';
import type { RequestLimits } from '../../client/request';
import { canonicalJson } from '../../common/canonical-json';
import { InputProblem } from '../../common/errors';
import { readOptions } from '../../common/parameters';
import type { Session } from '../../common/session';
import { readForm, type OutputForm } from '../answer';
import type { Task } from '../task';
import type { PaidCalls } from './paid-calls';
import { prepareCall } from './prepare';

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
	readonly refused: Array<{ index: number; error: unknown }> = [];
	/** The items past Max Calls, and what that says for the last of them. */
	readonly skipped: number[] = [];
	maxCalls = 0;
	/** How many different calls all items ask for; counted for a preview only. */
	readonly different = new Set<string>();
	private readonly paid: PaidCalls;
	private readonly isPreview: boolean;
	private readonly sharable = new Map<string, PlannedCall>();

	constructor(paid: PaidCalls, isPreview: boolean) {
		this.paid = paid;
		this.isPreview = isPreview;
	}

	/** @throws what makes the item one that is not to be sent */
	add(task: Task): void {
		const { itemIndex: index, get, operation, session } = task;
		const known = this.paid.known(session, index);
		if (known !== undefined) {
			this.known.push({ index, form: readForm(readOptions(get), operation), outcome: known });
			return;
		}
		const { parameters, request, content } = prepareCall(task);
		const { form, limits, maxCalls, sendIdenticalOnce } = parameters;
		if (parameters.previewOnly && !this.isPreview) throw previewOfSomeItems();
		const contentKey = sendIdenticalOnce || this.isPreview ? canonicalJson(content) : undefined;
		if (this.isPreview && contentKey !== undefined) this.different.add(session.key + contentKey);
		const key = sendIdenticalOnce ? contentKey : undefined;
		const item = { index, form };
		if (key !== undefined && this.isShared(session, key, item)) return;
		if (this.paid.sent + this.calls.length >= (maxCalls ?? Infinity)) {
			this.skipped.push(index);
			this.maxCalls = maxCalls ?? 0;
			return;
		}
		const call: PlannedCall = { items: [item], session, request, limits, key };
		this.calls.push(call);
		if (key !== undefined) this.sharable.set(session.key + key, call);
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
 * @param taskOf the task of one item; throws what makes it one that is not to be sent
 */
export async function planCalls(
	count: number,
	taskOf: (index: number) => Promise<Task>,
	{ paid, isPreview }: { paid: PaidCalls; isPreview: boolean },
): Promise<Plan> {
	const plan = new Plan(paid, isPreview);
	for (let index = 0; index < count; index++) {
		if (index % ITEMS_IN_A_ROW === ITEMS_IN_A_ROW - 1) await sleep(0);
		try {
			plan.add(await taskOf(index));
		} catch (error) {
			plan.refused.push({ index, error });
		}
	}
	return plan;
}

function previewOfSomeItems(): InputProblem {
	return new InputProblem(
		'Preview Only is on for this item, but not for the first',
		'It holds for all items of a run. Turn it on or off in this node without an expression that depends on the item.',
	);
}
