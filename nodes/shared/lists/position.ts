import type { CursorSort, FetchedPage } from './page';
import type { Selection, RecordFilter, RecordSelection } from './record-filter';

/** The user's settings for reading a list by cursor. */
export interface CursorPaging extends RecordSelection {
	mode: 'cursor';
	/** Number of records per request. If undefined, the node finds a page size while it reads the first page. */
	pageSize?: number;
	sort: CursorSort;
	/** Cursor of the first page to read. Needs the `pageSize` that was returned with this cursor. */
	startCursor?: string;
	/** True if `total` is only an estimate. The node then does not use `total` to detect the end of the list. */
	ignoreTotal?: boolean;
}

/** Settings for reading a list by cursor: the user's settings, and settings that the node adds. */
export interface CursorSettings extends Omit<CursorPaging, 'mode'> {
	/** Maximum page size, for example because a whole page must fit into an export file. */
	maxPerPage?: number;
	/** True to request the next page while the caller processes the current page. */
	readsAhead?: boolean;
	/**
	 * True for the trigger and Sync. A repeated page then ends the list without an error, because the next poll
	 * continues at the end of the list and finds missing records.
	 */
	isFollowed?: boolean;
}

/** Position in a list: the cursor of a page, and information about the pages before it. */
export interface Position {
	/** Cursor and page size of the request. Both can be undefined at the beginning of the list. */
	cursor?: string;
	pageSize?: number;
	/** Cursor and page size to continue with after a failure, from the most recent page that had records. */
	resume: { nextCursor?: string; pageSize?: number };
	/** Number of the page, from 1. */
	number: number;
	/** Number of records on all earlier pages, including records that the filter does not select. */
	recordsBefore: number;
	filter: RecordFilter;
	/** String that identifies the previous page. Undefined if the previous page was empty. */
	fingerprint?: string;
	/** Identities of the records with the last date on the previous page. The current page may repeat these records. */
	tail?: readonly string[];
	/** Latest total that a page has returned. */
	total?: number;
	firstTotal?: number;
	/** The previous page. Set only if `total` records had arrived by the end of that page. */
	lastPage?: FetchedPage;
	/** Number of consecutive pages without a new record. */
	pagesWithoutProgress: number;
}

/** A page that was received, with the indexes of its wanted records. */
export interface RequestedPage extends FetchedPage, Selection {
	/** String that identifies the page as it was received. Undefined if the page was empty. */
	fingerprint?: string;
	/** True if the page's next cursor was already used to request a page. */
	usesKnownCursor: boolean;
	/** True if the list had ended before this page. The page only repeated earlier records, so they were removed. */
	isAfterEnd: boolean;
	/**
	 * True if the page began with records of the previous page (now removed), and all records on the page had the same
	 * date.
	 */
	isAtOneDate: boolean;
}
