import { ServiceFailure } from '../client/failures';
import { failureClassOf } from '../client/failure-classes';
import type { ServiceResponse } from './response-to-items';

/** An input item's call, as far as its outcome is concerned. */
interface CallOfItem {
	index: number;
	/** The same for calls that would send the same; whether those share an answer. */
	key: string;
	isShared: boolean;
}

/** What came of a run's calls, in all tries of Retry On Fail: only what was surely not paid is sent again. */
export class CallOutcomes {
	/** By item, whatever is sent for it on a later try and with which key, and by the key of calls that are shared. */
	private readonly outcomes = new Map<number | string, Promise<ServiceResponse>>();
	/** How many calls the service processed, or may have processed. */
	sent = 0;
	/** How many of them it answered. */
	answered = 0;

	/** Of an item, by its index, or of a call that is shared, by its key; undefined where no try has made it. */
	of(indexOrKey: number | string): Promise<ServiceResponse> | undefined {
		return this.outcomes.get(indexOrKey);
	}

	/** One call has been sent for these items: no try sends them again. */
	note(items: readonly CallOfItem[], outcome: Promise<ServiceResponse>): void {
		this.sent += 1;
		for (const one of namesOf(items)) this.outcomes.set(one, outcome);
	}

	/** Their call was surely not paid for: another try may send them. */
	forget(items: readonly CallOfItem[]): void {
		this.sent -= 1;
		for (const one of namesOf(items)) this.outcomes.delete(one);
	}
}

/** What a call is found by: its items, and its key where others share it. */
function namesOf(items: readonly CallOfItem[]): Array<number | string> {
	const [{ key, isShared }] = items;
	return [...items.map(({ index }) => index), ...(isShared ? [key] : [])];
}

/** Whether the service surely did nothing for it: it was never sent, refused for a time, for its key or for what it asks. */
export function isUnpaid(error: unknown): boolean {
	return error instanceof ServiceFailure && failureClassOf(error).done === 'no';
}
