import type { ServiceFailure } from '../client/failures';
import type { Page } from '../client/pages';
import type { Shortcut, Start, State } from './state';
import type { OrderField, Version } from '../common/version';

/** Everything that decides what a poll does, besides what is remembered and the service. */
export interface PollSettings extends Start {
	/** The most records that one poll gives, at least 1. It does not bound what is asked for. */
	maxRecordsPerPoll: number;
	/** How much later than its date a change may be seen for the first time and still be given, in ms. */
	overlapMs: number;
	/** The time by the clock of n8n, in ms. It may differ from that of the service. */
	now: () => number;
	/** The most versions that are remembered one by one; bounds the state. 2,000 where it is undefined. */
	mostRemembered?: number;
	/** Asked after each page but the first, with the number of new records: false when the time of this poll is used up. */
	mayContinue: (collected: number) => boolean;
}

/** How changes are read to their end. */
export interface StreamSettings extends Omit<PollSettings, 'maxRecordsPerPoll' | 'mayContinue'> {
	/** Asked before each stretch: the most records that it may give. Reading ends where there is no room. */
	room: () => number;
}

/** How a poll reaches the service. Everything throws ServiceFailure. */
export interface Reader {
	/** The date that the list is in the order of. */
	field: OrderField;
	/** Pages in ascending order of the date, from a shortcut or (undefined) from the beginning, until the proven end. */
	pages(from: Shortcut | undefined): AsyncGenerator<Page, void>;
	/** The first records in ascending order. */
	first(limit: number): Promise<Array<Record<string, unknown>>>;
	/** The page size that the list begins with, by what this reader has found out. */
	firstSize(): number;
	/** The version of a record that this reader has given. */
	versionOf(record: Record<string, unknown>): Version;
}

/** What a person should know about a poll. */
export type PollNote =
	/** The service refused the remembered cursor, so the list is read again from its beginning. Nothing is skipped. */
	| { kind: 'cursorRefused'; failure: ServiceFailure }
	/** The remembered cursor leads elsewhere now, so the list is read again from its beginning. Nothing is skipped. */
	| { kind: 'cursorMoved' }
	/** A request failed after others had succeeded; what they gave is kept, and the next poll continues. */
	| { kind: 'stoppedEarly'; failure: ServiceFailure }
	/** Start from now: all that existed at the start has been passed over. */
	| { kind: 'started' }
	/** More records lie within the overlap than can be remembered, so only the newest of them are read again. */
	| { kind: 'overlapShortened' };

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
