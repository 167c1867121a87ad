import { ServiceFailure } from '../client/failures';
import { meaningOf } from '../client/meaning';
import type { Session } from '../common/session/session';

/** An input item's call, as far as its outcome is concerned. */
interface CallOfItem {
	session: Pick<Session, 'key'>;
	index: number;
	/** The same for calls that would send the same; whether those share an answer. */
	key: string;
	isShared: boolean;
}

/** What came of a run's calls, in all tries of Retry On Fail: only what was surely not processed is sent again. */
export class CallOutcomes {
	/** By item, whatever is sent for it on a later try, and by the key of calls that are shared. */
	private readonly outcomes = new Map<string, Promise<unknown>>();
	/** How many calls the service processed, or may have processed. */
	sent = 0;
	/** How many of them it answered. */
	answered = 0;

	/** Undefined where no try has made the call. */
	known(itemOrCallKey: string): Promise<unknown> | undefined {
		return this.outcomes.get(itemOrCallKey);
	}

	/** Makes one call for these items and remembers its outcome. Throws what `send` throws. */
	async make(items: readonly CallOfItem[], send: () => Promise<unknown>): Promise<unknown> {
		const ofItems = items.map(({ session, index }) => itemKey(session, index));
		const keys = [...ofItems, ...(items[0].isShared ? [items[0].key] : [])];
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

/** Whether the service surely did nothing, and has not looked at the call either: a key that was refused stays so. */
export function isSurelyUnprocessed(error: unknown): boolean {
	if (!(error instanceof ServiceFailure)) return false;
	const { done, about } = meaningOf(error);
	return done === 'no' && about !== 'credential';
}
