import { deepCopy, type IExecuteFunctions } from 'n8n-workflow';

import { canonicalJson } from '../../common/canonical-json';
import { isObject } from '../../client/envelope';
import { InputProblem } from '../../common/errors';
import { ServiceFailure } from '../../client/failures';
import { wasNotTaken } from '../../client/retry';
import type { Operation } from '../operation';
import { spendingHint, type Spending } from './spending';

/** What has become of the calls of one run of the node, over all tries that n8n's Retry On Fail makes of it. */
interface Memory {
	/** By the index of the input item: whatever is sent for it on a later try, it has been paid for. */
	items: Map<number, Promise<unknown>>;
	/** By what was sent, for the option Send Identical Once. */
	contents: Map<string, Promise<unknown>>;
	/** How many calls the service took, or may have taken. */
	sent: number;
}

/** Freed by themselves with the objects of n8n that they belong to. */
const memories = new WeakMap<object, Memory>();

/** One call that an item asks for. */
export interface PaidCall {
	itemIndex: number;
	/** Items of the same content share one call; undefined where this one is not to be shared. */
	content?: unknown;
	/** Most calls of this run of the node; undefined for any number. */
	maxCalls?: number;
	send: () => Promise<unknown>;
}

/** Thrown for an item past Max Calls; how many there are is known, and said, when all items are done. */
export class LeftUnsent extends Error {
	override name = 'LeftUnsent';
}

/**
 * The calls of one try of one run of the node. No call that may have been processed is made twice, by this try or by
 * another: who asks again gets the same answer, or the same failure. What was surely not taken is forgotten.
 */
export class PaidCalls {
	private readonly memory: Memory;
	private readonly spending: Spending = { sent: 0, reused: 0, shared: 0, notTaken: 0 };
	private readonly leftItems: number[] = [];
	private maxCalls: number | undefined;

	constructor(memory: Memory = emptyMemory()) {
		this.memory = memory;
	}

	/** What an earlier try got for this item: the answer, or a rejection; undefined where it is still to be called. */
	known(itemIndex: number): Promise<unknown> | undefined {
		const outcome = this.memory.items.get(itemIndex);
		if (outcome === undefined) return undefined;
		this.spending.reused += 1;
		return copied(outcome);
	}

	/**
	 * Makes the call, or shares the one of an item with the same content.
	 *
	 * @throws LeftUnsent past Max Calls; otherwise what `send` throws
	 */
	async once({ itemIndex, content, maxCalls, send }: PaidCall): Promise<unknown> {
		const { items, contents } = this.memory;
		const key = content === undefined ? undefined : canonicalJson(content);
		const twin = key === undefined ? undefined : contents.get(key);
		if (twin === undefined && maxCalls !== undefined && this.memory.sent >= maxCalls) {
			this.leftItems.push(itemIndex);
			this.maxCalls = maxCalls;
			throw new LeftUnsent();
		}
		const outcome = twin ?? this.begin(send);
		const way = twin === undefined ? 'sent' : 'shared';
		this.spending[way] += 1;
		items.set(itemIndex, outcome);
		if (key !== undefined) contents.set(key, outcome);
		const result = outcome.catch((error: unknown) => {
			if (isSurelyNotTaken(error)) {
				this.spending[way] -= 1;
				this.spending.notTaken += 1;
				items.delete(itemIndex);
				if (key !== undefined) contents.delete(key);
			}
			throw error;
		});
		return await (key === undefined ? result : copied(result));
	}

	/** The items that were not sent because of Max Calls, in order. */
	get left(): readonly number[] {
		return this.leftItems;
	}

	/** What to tell the user of an item that was left. */
	leftProblem(keepsOutput: boolean): InputProblem {
		const { length } = this.leftItems;
		const lost =
			keepsOutput || this.memory.sent === 0
				? ''
				: ' n8n does not keep the results of the calls that were sent, because this node stops on errors: set On Error to Continue in its settings first to keep them.';
		return new InputProblem(
			`Max Calls (${this.maxCalls}) is reached, and ${length} ${length === 1 ? 'item is' : 'items are'} left`,
			`Nothing was sent for ${length === 1 ? 'it' : 'them'}. To send more, raise Max Calls in this node or remove it.${lost}`,
		);
	}

	/** What this run has spent, for the user, once all of its items are done. */
	hint(items: number): string {
		const before = this.memory.sent - this.spending.sent;
		return spendingHint({ ...this.spending, before, left: this.leftItems.length, items });
	}

	private begin(send: () => Promise<unknown>): Promise<unknown> {
		this.memory.sent += 1;
		return send().catch((error: unknown) => {
			if (isSurelyNotTaken(error)) this.memory.sent -= 1;
			throw error;
		});
	}
}

/**
 * The calls of this try, with what is known from earlier tries where repeating one would cost something. n8n hands
 * the same execution data to each try of one run of a node, and other data to every other run.
 */
export function paidCallsOf(context: IExecuteFunctions, operation: Operation): PaidCalls {
	const key = operation.repeat === 'safe' ? undefined : runOf(context);
	if (key === undefined) return new PaidCalls();
	const memory = memories.get(key) ?? emptyMemory();
	memories.set(key, memory);
	return new PaidCalls(memory);
}

/** An object that all tries of this run have in common, and that nothing else has; undefined where n8n gives none. */
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

function emptyMemory(): Memory {
	return { items: new Map(), contents: new Map(), sent: 0 };
}

/** Copied, so that a later node that changes one item does not change its twins, or what is remembered. */
async function copied(outcome: Promise<unknown>): Promise<unknown> {
	return deepCopy((await outcome) as object);
}

/** What was given up while it waited for its turn was not sent either; after a cancel by the user nothing follows. */
function isSurelyNotTaken(error: unknown): boolean {
	if (!(error instanceof ServiceFailure)) return false;
	return error.kind === 'cancelled' || wasNotTaken({ kind: error.kind, ...error.facts });
}
