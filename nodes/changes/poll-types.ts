import type { ServiceFailure } from '../client/failures';
import type { CursorSort, Page } from '../client/pages';
import type { Version } from '../common/version';
import type { Shortcut, State } from './state';

/** Everything that decides how changes are read, besides what is remembered and the service. */
export interface ChangesSettings {
	/** How much later than its date a change may be seen for the first time and still be given, in ms. */
	overlapMs: number;
	/** The time by the clock of n8n, in ms. It may differ from that of the service. */
	now: () => number;
	/** The most versions that are remembered one by one; bounds the state. 2,000 where it is undefined. */
	mostRemembered?: number;
	/** Asked before each stretch: the most records that it may give, at first at least 1. Without room, reading ends. */
	room: () => number;
	/**
	 * Asked after each page but the first: false when the time of a poll is used up. Without it, there is no next poll to
	 * count on: a failure before any record is thrown also where the place has moved.
	 */
	mayContinue?: () => boolean;
}

/** How a poll reaches the service. Everything throws ServiceFailure. */
export interface Reader {
	/** The date that the list is in the order of. */
	field: CursorSort;
	/** Pages in ascending order of the date, from a shortcut or (undefined) from the beginning, until the proven end. */
	pages(from: Shortcut | undefined): AsyncGenerator<Page, void>;
	/** The first records in ascending order. */
	first(limit: number): Promise<Array<Record<string, unknown>>>;
	/** The page size that the list begins with, by what this reader has found out. */
	firstSize(): number;
	/** The version of a record that this reader has given. */
	versionOf(record: Record<string, unknown>): Version;
}

/** What a person should know about a poll; `tellNote` has the words. */
export type PollNote =
	/** The list is read again from its beginning; a request failed after others had succeeded, and what they gave is kept. */
	| { kind: 'cursorRefused' | 'stoppedEarly'; failure: ServiceFailure }
	/**
	 * The cursor leads elsewhere now; all that existed at the start has been passed over; more records lie within the
	 * overlap than can be remembered.
	 */
	| { kind: 'cursorMoved' | 'started' | 'overlapShortened' };

/** What a poll gives, or a stretch of a stream. */
export interface PollResult {
	/** New record versions, in the service's order. */
	records: Array<Record<string, unknown>>;
	/** To be stored together with giving out the records. */
	state: State;
	notes: PollNote[];
	/** True when the list was read to its proven end. */
	reachedEnd: boolean;
	/** The date of the last record that was read, in ms; null where none had a date. */
	readUpTo: number | null;
}
