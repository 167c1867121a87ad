import type { JsonResponse } from '../client/api';
import { ServiceFailure } from '../client/failures';
import { meaningOf } from '../client/meaning';

/** What the service has answered to a call. */
export type Answer = Pick<JsonResponse, 'statusCode' | 'body'>;

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
	private readonly outcomes = new Map<number | string, Promise<Answer>>();
	/** How many calls the service processed, or may have processed. */
	sent = 0;
	/** How many of them it answered. */
	answered = 0;

	/** Of an item, by its index, or of a call that is shared, by its key; undefined where no try has made it. */
	of(indexOrKey: number | string): Promise<Answer> | undefined {
		return this.outcomes.get(indexOrKey);
	}

	/** Makes one call for these items and remembers its outcome. Throws what `send` throws. */
	async make(items: readonly CallOfItem[], send: () => Promise<Answer>): Promise<Answer> {
		const [{ key, isShared }] = items;
		const known = [...items.map(({ index }) => index), ...(isShared ? [key] : [])];
		const outcome = send();
		this.sent += 1;
		for (const one of known) this.outcomes.set(one, outcome);
		await outcome.then(
			() => (this.answered += 1),
			(error: unknown) => {
				if (!isUnpaid(error)) return;
				this.sent -= 1;
				for (const one of known) this.outcomes.delete(one);
			},
		);
		return await outcome;
	}
}

/** Whether the service surely did nothing for it: it was never sent, refused for a time, for its key or for what it asks. */
export function isUnpaid(error: unknown): boolean {
	return error instanceof ServiceFailure && meaningOf(error).done === 'no';
}
