import type { CursorSort, FetchedPage } from './page';
import type { Selection, RecordFilter, RecordSelection } from './record-filter';

/** The user's choices for reading a list by cursors. */
export interface CursorPaging extends RecordSelection {
	mode: 'cursor';
	/** If undefined, the node chooses a page size on the first page. */
	pageSize?: number;
	sort: CursorSort;
	/** Cursor of the first page to read. Needs the `pageSize` that was returned with it. */
	startCursor?: string;
	/** Set if `total` is an estimate of the service: then it does not show the end of the list. */
	ignoreTotal?: boolean;
}

/** The user's choices and the node's own settings. */
export interface CursorSettings extends Omit<CursorPaging, 'mode'> {
	/** Maximum page size: a file must hold a whole page. */
	maxPerPage?: number;
	/** Requests the next page while a page is processed. */
	readsAhead?: boolean;
	/** True if a later reading continues at the end and finds missing records: then a repeated page ends the list. */
	isFollowed?: boolean;
}

/** The cursor of a page, and facts about the pages before it. */
export interface Position {
	/** Undefined at the beginning of the list, like `pageSize` unless the user chose one. */
	cursor?: string;
	pageSize?: number;
	/** The cursor to continue from after a failure: the last one that a page with records returned, with its page size. */
	resume: { nextCursor?: string; pageSize?: number };
	/** Number of the page, from 1. */
	number: number;
	/** Number of records on the pages before, wanted or not. */
	recordsBefore: number;
	filter: RecordFilter;
	/** Fingerprint of the page before. Undefined if it was empty. */
	fingerprint?: string;
	/** Identities of the last records of the page before that have the same date. */
	tail?: readonly string[];
	/** Latest total that a page has returned. */
	total?: number;
	/** First total that a page has returned. */
	firstTotal?: number;
	/** The page before, if all records of the total had arrived with it. */
	lastPage?: FetchedPage;
	/** Number of consecutive pages without a new record. */
	pagesWithoutProgress: number;
}

/** A received page with the selection of its wanted records. */
export interface RequestedPage extends FetchedPage, Selection {
	/** Fingerprint of the page as it was received. Undefined if it is empty. */
	fingerprint?: string;
	/** True if the next cursor was used before. */
	usesKnownCursor: boolean;
	/** True if the list had ended before this page, and the page repeated earlier records. They are left out. */
	isAfterEnd: boolean;
	/** True if all records have the same date, and the page began with records of the page before. They are left out. */
	isAtOneDate: boolean;
}
