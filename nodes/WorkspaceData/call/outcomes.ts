import type { IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../../client/envelope';
import { ServiceFailure } from '../../client/failures';
import { wasNotProcessed } from '../../client/retry';
import type { Session } from '../../common/session';
import type { Operation } from '../operation-row';
import type { ItemCall } from './parameters';

/**
 * The outcomes of the calls of one run of the node, over all tries that n8n's Retry On Fail makes of it. No call that
 * may have been processed is made twice: the next try gets the same answer, or the same failure. Calls that were surely
 * not processed are forgotten.
 */
export class CallOutcomes {
	/** By the place of each item, whatever is sent for it on a later try; and by the key of calls that are shared. */
	private readonly outcomes = new Map<string, Promise<unknown>>();
	/** How many calls the service processed, or may have processed. */
	sent = 0;
	/** How many of them it answered. */
	answered = 0;

	/** The outcome for an item, or for what was sent; undefined where no try has made that call. */
	known(itemOrCallKey: string): Promise<unknown> | undefined {
		return this.outcomes.get(itemOrCallKey);
	}

	/** Makes one call for these items and remembers its outcome. Throws what `send` throws. */
	async make(items: readonly ItemCall[], send: () => Promise<unknown>): Promise<unknown> {
		const keys = items.flatMap(({ session, index, key, isShared }) => [
			itemKey(session, index),
			...(isShared ? [key] : []),
		]);
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

/** The outcomes of this run, those of earlier tries among them where repeating a call would change or cost something. */
export function outcomesOf(context: IExecuteFunctions, operation: Operation): CallOutcomes {
	const key = operation.repeat === 'safe' ? undefined : runOf(context);
	const outcomes = (key && remembered.get(key)) ?? new CallOutcomes();
	if (key !== undefined) remembered.set(key, outcomes);
	return outcomes;
}

/** What all tries of this run have in common, and no other run: n8n hands each the same execution data. */
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

/**
 * True where the service surely did nothing: refused before any work, or never sent, since it was given up while it
 * waited for its turn, or refused by n8n or by its own side of a connection.
 */
export function isSurelyUnprocessed(error: unknown): boolean {
	if (!(error instanceof ServiceFailure)) return false;
	return ['cancelled', 'blocked', 'insecure'].includes(error.kind) || wasNotProcessed(error);
}
