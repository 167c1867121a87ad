import type { ServiceResponse } from '../shared/client/api';
import { ServiceFailure } from '../shared/client/failures';
import { failureClassOf } from '../shared/client/failure-classes';

type Response = Promise<ServiceResponse>;

/** The call of one input item. */
interface CallOfItem {
	index: number;
	/** Equal for calls that send the same request. */
	key: string;
	/** True if calls with an equal key share a response. */
	isShared: boolean;
}

/** Unfinished runs in this n8n process that keep results. */
const running = new Set<PaidCalls>();

/**
 * Calls of a node run that have been paid for, or may have been. Finding them here prevents a second payment. No
 * attempt of Retry On Fail sends such a call again. If results are kept, two simultaneous executions share it.
 */
export class PaidCalls {
	/** Number of calls that the service has processed, or may have processed. */
	sent = 0;
	/** Number of these calls that have a response. */
	answered = 0;
	/** Number of responses that Keep Results has kept, and has not kept, with the reasons. */
	kept = 0;
	uncached = 0;
	readonly whyUncached = new Set<string>();
	/** Calls of this run, by the index of each item and by the key of a shared call. */
	private readonly own = new Map<number | string, Response>();
	/** The latest call of any running execution, for each key of this attempt. */
	private latest = new Map<string, Response | undefined>();

	/** Returns the response of a call of this run, by the index of its item or by its key. */
	find(indexOrKey: number | string): Response | undefined {
		return this.own.get(indexOrKey);
	}

	/** Starts to share calls with other executions. Call this before looking up kept results, to miss no call. */
	share(keys: readonly string[]): void {
		const others = [...running];
		const latestOf = (key: string) =>
			others.find((run) => run.latest.get(key) !== undefined)?.latest.get(key);
		this.latest = new Map(keys.map((key) => [key, latestOf(key)]));
		running.add(this);
	}

	/** Stops sharing. Call this when the results of this run have been kept. */
	unshare(): void {
		running.delete(this);
		this.latest.clear();
	}

	/**
	 * Returns the latest call of another execution, in flight or completed.
	 * @param useless a call that failed, or whose response the caller cannot use. If no later call exists, the result
	 * is undefined: the caller must send its own call at once, and all other waiting executions find that call.
	 */
	findOfOthers(key: string, useless?: Response): Response | undefined {
		const latest = this.latest.get(key);
		return latest === useless ? undefined : latest;
	}

	/** Records a call for these items, so that no attempt sends it again. */
	add(items: readonly CallOfItem[], response: Response): void {
		this.sent += 1;
		for (const name of namesOf(items)) this.own.set(name, response);
		const [{ key }] = items;
		const others = running.has(this) ? running : [];
		for (const { latest } of others) if (latest.has(key)) latest.set(key, response);
	}

	/** Removes a call that was certainly not paid for, so that another attempt may send it. */
	remove(items: readonly CallOfItem[]): void {
		this.sent -= 1;
		for (const name of namesOf(items)) this.own.delete(name);
	}
}

/** Returns the keys under which a call is found: the indexes of its items, and its key if the call is shared. */
function namesOf(items: readonly CallOfItem[]): Array<number | string> {
	const [{ key, isShared }] = items;
	return [...items.map(({ index }) => index), ...(isShared ? [key] : [])];
}

/** Checks whether the service certainly did not process a call: the call was not sent, throttled or rejected. */
export function isUnpaid(error: unknown): boolean {
	return error instanceof ServiceFailure && failureClassOf(error).processed === 'no';
}
