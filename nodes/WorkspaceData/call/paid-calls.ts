import { deepCopy, type IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../../client/envelope';
import { ServiceFailure, type FailureKind } from '../../client/failures';
import { wasNotProcessed } from '../../client/retry';
import type { Session } from '../../common/session';
import type { Operation } from '../operation';

/** The items that a call is for, and where identical ones share it, what they have in common. */
export interface Payer {
	/** Who pays: what is paid for with one key is not known to another. */
	session: Pick<Session, 'key'>;
	items: ReadonlyArray<{ index: number }>;
	key?: string;
}

/**
 * What has become of the calls of one run of the node, over all tries that n8n's Retry On Fail makes of it. No call
 * that may have been processed is made twice: who asks again gets the same answer, or the same failure. What was
 * surely not processed is forgotten.
 */
export class PaidCalls {
	/**
	 * By who pays and the index of the input item, whatever is sent for it on a later try; and by who pays and what was
	 * sent, for the option Send Identical Once.
	 */
	private readonly outcomes = new Map<string, Promise<unknown>>();
	/** How many calls the service processed, or may have processed. */
	sent = 0;

	/** The outcome for an item, or for what was sent; undefined where no try has made that call. */
	known(
		{ key }: Pick<Session, 'key'>,
		itemOrContent: number | string,
	): Promise<unknown> | undefined {
		return this.outcomes.get(placeOf(key, itemOrContent));
	}

	/** Makes a call and remembers what comes of it. Throws what `send` throws. */
	async make({ session, items, key }: Payer, send: () => Promise<unknown>): Promise<unknown> {
		const places = [...items.map(({ index }) => index), key].flatMap((it) => it ?? []);
		const outcome = send();
		this.sent += 1;
		for (const place of places) this.outcomes.set(placeOf(session.key, place), outcome);
		return await outcome.catch((error: unknown) => {
			if (isSurelyUnprocessed(error)) {
				this.sent -= 1;
				for (const place of places) this.outcomes.delete(placeOf(session.key, place));
			}
			throw error;
		});
	}
}

function placeOf(payer: string, itemOrContent: number | string): string {
	return `${payer}:${JSON.stringify(itemOrContent)}`;
}

/** Freed by themselves with the objects of n8n that they belong to. */
const remembered = new WeakMap<object, PaidCalls>();

/**
 * The calls of this run, with what is known from earlier tries where repeating one would cost something. n8n hands
 * the same execution data to each try of one run of a node, and other data to every other run.
 */
export function paidCallsOf(context: IExecuteFunctions, operation: Operation): PaidCalls {
	const key = operation.repeat === 'safe' ? undefined : runOf(context);
	const calls = (key && remembered.get(key)) ?? new PaidCalls();
	if (key !== undefined) remembered.set(key, calls);
	return calls;
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

/** Copied, so that a later node that changes one item does not change its twins, or what is remembered. */
export function copied(answer: unknown): unknown {
	return deepCopy(answer as object);
}

/** Given up while it waited for its turn, or refused by n8n or by its own side of a connection. */
const NEVER_SENT: ReadonlySet<FailureKind> = new Set(['cancelled', 'blocked', 'insecure']);

/** True where the service surely did nothing: never sent, or refused before any work. */
export function isSurelyUnprocessed(error: unknown): boolean {
	if (!(error instanceof ServiceFailure)) return false;
	return NEVER_SENT.has(error.kind) || wasNotProcessed(error);
}
