import type { ServiceResponse } from '../shared/client/api';
import { ServiceFailure } from '../shared/client/failures';
import { failureClassOf } from '../shared/client/failure-classes';

type Response = Promise<ServiceResponse>;

/** The call of an input item. */
interface CallOfItem {
	index: number;
	/** Equal for calls that would send the same. */
	key: string;
	/** Whether calls with an equal key share a response. */
	isShared: boolean;
}

/** Runs in this n8n process that keep results and have not ended. */
const running = new Set<PaidCalls>();

/**
 * Calls of a run of the node that are paid for, or may be, so that none is sent twice: by any attempt of Retry On Fail, nor,
 * if results are kept, by two executions at the same moment.
 */
export class PaidCalls {
	/** Number of calls that the service processed, or may have processed. */
	sent = 0;
	/** Number of them that have a response. */
	answered = 0;
	/** By item, whatever a later attempt would send for it, and by the key of shared calls. */
	private readonly own = new Map<number | string, Response>();
	/** The latest call of any running execution, by the keys of this attempt. */
	private latest = new Map<string, Response | undefined>();

	/** Returns the response of a call of this run, by the index of its item or by its key. */
	find(indexOrKey: number | string): Response | undefined {
		return this.own.get(indexOrKey);
	}

	/** Begins to share calls with other executions. Call it before kept results are looked up, so that no call is missed. */
	share(keys: readonly string[]): void {
		const others = [...running];
		const latestOf = (key: string) => others.find((run) => run.latest.get(key))?.latest.get(key);
		this.latest = new Map(keys.map((key) => [key, latestOf(key)]));
		running.add(this);
	}

	/** Ends sharing. Call it when the results of this run are kept. */
	unshare(): void {
		running.delete(this);
		this.latest.clear();
	}

	/**
	 * Returns the latest call of another execution, in flight or with a response.
	 * @param useless a call that failed, or whose response is of no use: if it is the latest one, the caller sends its own at
	 * once, and all others that wait get that call
	 */
	findOfOthers(key: string, useless?: Response): Response | undefined {
		const latest = this.latest.get(key);
		return latest === useless ? undefined : latest;
	}

	/** Records a call for these items: no attempt sends it again. */
	add(items: readonly CallOfItem[], response: Response): void {
		this.sent += 1;
		for (const name of namesOf(items)) this.own.set(name, response);
		const [{ key }] = items;
		const others = running.has(this) ? running : [];
		for (const { latest } of others) if (latest.has(key)) latest.set(key, response);
	}

	/** Removes a call that was certainly not paid for: another attempt may send it. */
	remove(items: readonly CallOfItem[]): void {
		this.sent -= 1;
		for (const name of namesOf(items)) this.own.delete(name);
	}
}

/** Returns the names that find a call: its items, and its key if it is shared. */
function namesOf(items: readonly CallOfItem[]): Array<number | string> {
	const [{ key, isShared }] = items;
	return [...items.map(({ index }) => index), ...(isShared ? [key] : [])];
}

/** Checks whether the service certainly did not process a call: it was not sent, or it was throttled or rejected. */
export function isUnpaid(error: unknown): boolean {
	return error instanceof ServiceFailure && failureClassOf(error).processed === 'no';
}
