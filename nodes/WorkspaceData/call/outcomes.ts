import type { IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../../client/envelope';
import { ServiceFailure } from '../../client/failures';
import { wasNotProcessed } from '../../client/retry';
import type { Session } from '../../common/session';
import type { Operation } from '../operation';

/** An item of a call, and what it is known by: its session, its index and, where identical ones share it, its content. */
interface ItemOfCall {
	session: Payer;
	index: number;
	key?: string;
}

type Payer = Pick<Session, 'key'>;

/**
 * The outcomes of the calls of one run of the node, over all tries that n8n's Retry On Fail makes of it. No call that
 * may have been processed is made twice: the next try gets the same answer, or the same failure. Calls that were surely
 * not processed are forgotten.
 */
export class CallOutcomes {
	/**
	 * Each call by its session and the index of its input item, whatever is sent for that item on a later try; and by
	 * its session and content, for the option Send Identical Once.
	 */
	private readonly outcomes = new Map<string, Promise<unknown>>();
	/** How many calls the service processed, or may have processed. */
	sent = 0;
	/** How many of them it answered. */
	answered = 0;

	/** The outcome for an item, or for what was sent; undefined where no try has made that call. */
	known(session: Payer, itemOrContent: number | string): Promise<unknown> | undefined {
		return this.outcomes.get(placeOf(session, itemOrContent));
	}

	/** Makes one call for these items and remembers its outcome. Throws what `send` throws. */
	async make(items: readonly ItemOfCall[], send: () => Promise<unknown>): Promise<unknown> {
		const places = items.flatMap(({ session, index, key }) => [
			placeOf(session, index),
			...(key === undefined ? [] : [placeOf(session, key)]),
		]);
		const outcome = send();
		this.sent += 1;
		for (const place of places) this.outcomes.set(place, outcome);
		try {
			const answer = await outcome;
			this.answered += 1;
			return answer;
		} catch (error) {
			if (isSurelyUnprocessed(error)) {
				this.sent -= 1;
				for (const place of places) this.outcomes.delete(place);
			}
			throw error;
		}
	}
}

function placeOf({ key }: Payer, itemOrContent: number | string): string {
	return `${key}:${JSON.stringify(itemOrContent)}`;
}

/** Freed by themselves with the objects of n8n that they belong to. */
const remembered = new WeakMap<object, CallOutcomes>();

/**
 * The outcomes of this run, those of earlier tries among them where repeating a call would change or cost something. n8n hands
 * the same execution data to each try of one run of a node, and other data to every other run.
 */
export function outcomesOf(context: IExecuteFunctions, operation: Operation): CallOutcomes {
	const key = operation.repeat === 'safe' ? undefined : runOf(context);
	const outcomes = (key && remembered.get(key)) ?? new CallOutcomes();
	if (key !== undefined) remembered.set(key, outcomes);
	return outcomes;
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

/**
 * True where the service surely did nothing: refused before any work, or never sent, since it was given up while it
 * waited for its turn, or refused by n8n or by its own side of a connection.
 */
export function isSurelyUnprocessed(error: unknown): boolean {
	if (!(error instanceof ServiceFailure)) return false;
	return ['cancelled', 'blocked', 'insecure'].includes(error.kind) || wasNotProcessed(error);
}
