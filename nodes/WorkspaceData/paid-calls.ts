import type { ServiceResponse } from '../shared/client/api';
import { ServiceFailure } from '../shared/client/failures';
import { failureClassOf } from '../shared/client/failure-classes';

type Response = Promise<ServiceResponse>;

/** The call of one input item. */
interface CallOfItem {
	index: number;
	/** Key of the call. Calls with the same data have the same key. */
	key: string;
	/** True if calls with the same key share one response. */
	isShared: boolean;
}

/** Calls of all unfinished node runs in this n8n process that use the option Keep Results. */
const running = new Set<PaidCalls>();

/**
 * Remembers the calls of a node run that were billed, or may have been, so that no call is paid for twice: by later
 * attempts of Retry On Fail or, with Keep Results, by other executions that run at the same time.
 */
export class PaidCalls {
	/** Number of calls that the service has processed, or may have processed. */
	sent = 0;
	/** Number of sent calls that have a response. */
	answered = 0;
	/** Number of responses that Keep Results has stored (`kept`) and has not stored (`uncached`), with the reasons. */
	kept = 0;
	uncached = 0;
	readonly whyUncached = new Set<string>();
	/** Responses of this run by the index of each input item, and by the key of a shared call. */
	private readonly own = new Map<number | string, Response>();
	/** Response to the latest call of any running execution, for each call key of this attempt. */
	private latest = new Map<string, Response | undefined>();

	/** Returns the response to a call of this run. Finds the call by the index of its input item, or by its key. */
	find(indexOrKey: number | string): Response | undefined {
		return this.own.get(indexOrKey);
	}

	/** Shares calls with other executions. Call this before looking up kept results, to miss no call in between. */
	share(keys: readonly string[]): void {
		const others = [...running];
		const latestOf = (key: string) =>
			others.find((run) => run.latest.get(key) !== undefined)?.latest.get(key);
		this.latest = new Map(keys.map((key) => [key, latestOf(key)]));
		running.add(this);
	}

	/** Stops sharing calls with other executions. Call this after the results of this run have been stored. */
	unshare(): void {
		running.delete(this);
		this.latest.clear();
	}

	/**
	 * Returns the response (perhaps in flight) to another execution's latest call with this key, or undefined. The
	 * caller must then send its own call at once, so that other waiting executions find it.
	 * @param useless an earlier result that the caller cannot use, for example because the call failed
	 */
	findInOtherExecutions(key: string, useless?: Response): Response | undefined {
		const latest = this.latest.get(key);
		return latest === useless ? undefined : latest;
	}

	/** Records the call of these items, so that no later attempt sends the call again. */
	add(items: readonly CallOfItem[], response: Response): void {
		this.sent += 1;
		for (const name of lookupKeysOf(items)) this.own.set(name, response);
		const [{ key }] = items;
		const others = running.has(this) ? running : [];
		for (const { latest } of others) if (latest.has(key)) latest.set(key, response);
	}

	/** Removes a call that was certainly not billed, so that another attempt can send it. */
	remove(items: readonly CallOfItem[]): void {
		this.sent -= 1;
		for (const name of lookupKeysOf(items)) this.own.delete(name);
	}
}

/** Returns the keys that find a call: its items' indexes, and its own key if the call is shared. */
function lookupKeysOf(items: readonly CallOfItem[]): Array<number | string> {
	const [{ key, isShared }] = items;
	return [...items.map(({ index }) => index), ...(isShared ? [key] : [])];
}

/** Checks whether an error shows that the service did not process a call, for example because it was throttled. */
export function isUnpaid(error: unknown): boolean {
	return error instanceof ServiceFailure && failureClassOf(error).processed === 'no';
}
