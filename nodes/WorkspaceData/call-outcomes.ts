import { ServiceFailure } from '../client/failures';
import { meaningOf } from '../client/meaning';
import type { Session } from '../common/session/session';

/** An input item's call, as far as its outcome is concerned. */
interface CallOfItem {
	session: Pick<Session, 'owner'>;
	index: number;
	/** The same for calls that would send the same; whether those share an answer. */
	key: string;
	isShared: boolean;
}

/** What came of a run's calls, in all tries of Retry On Fail: only what was surely not processed is sent again. */
export class CallOutcomes {
	/** By item, whatever is sent for it on a later try and with which key, and by the key of calls that are shared. */
	private readonly outcomes = new Map<string, Promise<unknown>>();
	/** How many calls the service processed, or may have processed. */
	sent = 0;
	/** How many of them it answered. */
	answered = 0;

	/** Of an item; undefined where no try has made its call. */
	ofItem({ session, index }: Pick<CallOfItem, 'session' | 'index'>): Promise<unknown> | undefined {
		return this.outcomes.get(itemKey(index)) ?? this.outcomes.get(refusedKey(session, index));
	}

	/** Of a call that is shared, by its key. */
	ofCall(key: string): Promise<unknown> | undefined {
		return this.outcomes.get(key);
	}

	/** Makes one call for these items and remembers its outcome. Throws what `send` throws. */
	async make(items: readonly CallOfItem[], send: () => Promise<unknown>): Promise<unknown> {
		const ofItems = items.map(({ index }) => itemKey(index));
		const keys = [...ofItems, ...(items[0].isShared ? [items[0].key] : [])];
		const outcome = send();
		this.sent += 1;
		for (const one of keys) this.outcomes.set(one, outcome);
		await outcome.then(
			() => (this.answered += 1),
			(error: unknown) => this.noteFailure(error, items, keys),
		);
		return await outcome;
	}

	private noteFailure(error: unknown, items: readonly CallOfItem[], keys: readonly string[]): void {
		if (isSurelyUnprocessed(error)) {
			this.sent -= 1;
			for (const one of keys) this.outcomes.delete(one);
		} else if (isOfCredential(error)) {
			for (const { session, index } of items) {
				const outcome = this.outcomes.get(itemKey(index));
				this.outcomes.delete(itemKey(index));
				if (outcome) this.outcomes.set(refusedKey(session, index), outcome);
			}
		}
	}
}

function itemKey(index: number): string {
	return `item ${index}`;
}

/** Of an item whose credential was refused, which another one may not be. */
function refusedKey({ owner }: Pick<Session, 'owner'>, index: number): string {
	return `${owner} ${index}`;
}

/** Whether the service has refused the credential, and done nothing. */
function isOfCredential(error: unknown): boolean {
	return isUndone(error) && meaningOf(error).about === 'credential';
}

/** Whether the service surely did nothing, and has not looked at the call either: a key that was refused stays so. */
export function isSurelyUnprocessed(error: unknown): boolean {
	return isUndone(error) && meaningOf(error).about !== 'credential';
}

function isUndone(error: unknown): error is ServiceFailure {
	return error instanceof ServiceFailure && meaningOf(error).done === 'no';
}
