import type { CursorSort, FetchedPage } from './page';
import type { Selection, RecordFilter, RecordSelection } from './record-filter';

/** How a list is read by cursors, as the user has chosen. */
export interface CursorPaging extends RecordSelection {
	mode: 'cursor';
	/** Chosen on the first page where it is undefined. */
	pageSize?: number;
	sort: CursorSort;
	/** Where to begin. It needs the `pageSize` that it came with. */
	startCursor?: string;
	/** The service only estimates how many records the list has, so its `total` says nothing of the end. */
	ignoreTotal?: boolean;
}

/** The same, with what the node knows and needs. */
export interface CursorSettings extends Omit<CursorPaging, 'mode'> {
	/** No page is asked for with more records: a file has to hold a whole one. */
	maxPerPage?: number;
	/** Asks for the next page while one is handled. */
	readsAhead?: boolean;
	/** What leads nowhere after a Start Cursor is the end: the next reading goes on from there, and sees what is missing. */
	isFollowed?: boolean;
}

/** From where a page is asked for, and what came before it. */
export interface Position {
	/** Both undefined at the beginning of a list, without a Page Size. */
	cursor?: string;
	pageSize?: number;
	/** The last cursor that came with records, and its limit: from there the list can be continued. */
	resume: { nextCursor?: string; pageSize?: number };
	/** From 1. */
	number: number;
	/** All records of the pages before, wanted or not. */
	recordsBefore: number;
	wanted: RecordFilter;
	/** Of the page before; undefined if it was empty. */
	fingerprint?: string;
	/** Identities of the last records of the page before that have the same date. */
	tail?: readonly string[];
	/** The latest total that a page gave, and the first one. */
	total?: number;
	firstTotal?: number;
	/** The page before, where as many as its total had come with it. */
	lastPage?: FetchedPage;
	/** How many pages in a row have brought nothing new. */
	pagesWithoutProgress: number;
}

/** A page as it came, and what of it is wanted. */
export interface RequestedPage extends FetchedPage, Selection {
	/** Distinguishes the page as it was received from others; undefined if it is empty. */
	fingerprint?: string;
	/** Its next cursor was used before. */
	usesKnownCursor: boolean;
	/** The list was at its end, and the page returned earlier records once more. They are left out. */
	isRepeated?: boolean;
	/** The page began with records of the page before, which are left out, and all its records have one date. */
	isAtOneDate?: boolean;
}
