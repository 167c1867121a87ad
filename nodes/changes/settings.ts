import type { ListEnvelope } from '../client/api';
import type { ServiceFailure } from '../client/failures';
import type { Page } from '../client/pages';
import type { Owner, TriggerState } from './state';
import type { Version } from './version';

/** Everything that decides what a poll does, besides the stored state and the service. */
export interface PollSettings {
	/** What a new state is bound to. */
	fingerprint: string;
	/** Whose records are read. */
	owner: Owner;
	/** `now` passes over what exists when the trigger starts. */
	startFrom: 'now' | 'beginning';
	/** The most records that one poll delivers, at least 1. */
	maxRecordsPerPoll: number;
	/** How much older than the newest record a late one may be to still arrive, in ms by the service's dates. */
	overlapMs: number;
	/** The most records that are kept for reading again; bounds the state and the requests of a quiet poll. */
	windowRecords: number;
	/**
	 * Asked before every request but the first: false when the time of this poll is used up.
	 *
	 * @param collected new records so far
	 */
	mayContinue: (collected: number) => boolean;
}

/** How a poll reaches the service. Everything throws ServiceFailure. */
export interface Reader {
	/** Pages in ascending order of the date, from a cursor or (null) from the beginning, until one has no next cursor. */
	pages(cursor: string | null): AsyncIterable<Page>;
	/** The first records in ascending order, with the total. */
	first(limit: number): Promise<ListEnvelope>;
	/** The size that this reader's lists begin with, by what it has found out. */
	firstSize(): number;
	/** A numbered page in the same order (docs/maintainers/api.md, Paging). */
	numbered(page: number, limit: number): Promise<ListEnvelope>;
	/** The version of a record that this reader has given. */
	versionOf(record: Record<string, unknown>): Version;
}

/** What a person who reads the log should know about a poll. */
export type PollNote =
	/** The service refused a stored cursor; the place is looked for by the date field, or by the last records before it. */
	| { kind: 'cursorRefused'; failure: ServiceFailure }
	/** The place was found again. */
	| { kind: 'cursorFound' }
	/** A request failed after others had succeeded; what they gave is kept and the next poll goes on. */
	| { kind: 'stoppedEarly'; failure: ServiceFailure }
	/** The newest record could not be asked for, so `startFrom: now` begins when the whole list has been read. */
	| { kind: 'newestUnknown' }
	/** Everything that existed at the start has been passed over. */
	| { kind: 'seeded' }
	/** More records lie within the overlap than are kept for reading again. */
	| { kind: 'windowShortened' }
	/** More records without a date stand at the end of the list than are kept for reading again. */
	| { kind: 'gapBegan' };

/** A place in the list that was remembered is not there any more. */
export type Lost =
	/** The service said no to its cursor. */
	| { lost: 'checkpoint' | 'gap'; failure: ServiceFailure }
	/** Nothing that was remembered of the gap is in the list. */
	| { lost: 'gapForGood' };

/** What a poll gives. */
export interface PollResult {
	/** New record versions, in the service's order. */
	records: Array<Record<string, unknown>>;
	/** To be stored together with delivering the records. */
	state: TriggerState;
	notes: PollNote[];
	/** True when the last page of the list was read to its end. */
	reachedEnd: boolean;
}
