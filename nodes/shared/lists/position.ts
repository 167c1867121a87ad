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
	/**
	 * Set if `total` is an estimate of the service. The total is then ignored, because it does not show the end of the
	 * list.
	 */
	ignoreTotal?: boolean;
}

/** The user's choices and the node's own settings. */
export interface CursorSettings extends Omit<CursorPaging, 'mode'> {
	/** Maximum page size, because a file must hold a whole page. */
	maxPerPage?: number;
	/** Requests the next page while a page is processed. */
	readsAhead?: boolean;
	/**
	 * True if a later poll continues at the end of the list and finds missing records. A repeated page then ends the
	 * list without an error.
	 */
	isFollowed?: boolean;
}

/** The cursor of a page, and facts about the pages before it. */
export interface Position {
	/**
	 * Cursor of the page. Undefined at the beginning of the list. `pageSize` is undefined there too, unless the user
	 * chose a page size.
	 */
	cursor?: string;
	pageSize?: number;
	/**
	 * Cursor to continue from after a failure, with its page size. It is the last cursor that a page with records
	 * returned.
	 */
	resume: { nextCursor?: string; pageSize?: number };
	/** Number of the page, from 1. */
	number: number;
	/** Number of records on all earlier pages, also records that the filter does not select. */
	recordsBefore: number;
	filter: RecordFilter;
	/** Fingerprint of the previous page. Undefined if the previous page was empty. */
	fingerprint?: string;
	/** Identities of the records at the end of the previous page that share the last date. */
	tail?: readonly string[];
	/** Latest total that a page has returned. */
	total?: number;
	/** First total that a page has returned. */
	firstTotal?: number;
	/** The previous page, if as many records as the total had arrived with it. */
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
	/**
	 * True if the list had ended before this page, and the page repeated earlier records. The repeated records are left
	 * out.
	 */
	isAfterEnd: boolean;
	/**
	 * True if the page began with records of the previous page, and all its records have the same date. The repeated
	 * records are left out.
	 */
	isAtOneDate: boolean;
}
