import type { ListEnvelope } from './api';
import { ServiceFailure } from './failures';
import type { PageSize } from './page-size';
import type { AnswerSize } from './request';

/** Date sorts that cursor pagination supports (docs/api.md, List parameters). */
export type CursorSort = 'updated_at' | 'created_at';

/** How a list is read. `maximum` is the exact number of records wanted; undefined means all. */
export type PagingOptions = { maximum?: number } & (
	| {
			mode: 'cursor';
			/** Records asked for per request, at least 1; found out while reading where it is undefined. */
			pageSize?: number;
			/** What other lists of the run have found out about it. */
			found?: PageSize;
			sort: CursorSort;
			startCursor?: string;
			/** A page ends wherever so many records, or a multiple of them, have been read: there a file ends. */
			boundary?: number;
	  }
	| { mode: 'page'; pageSize: number; sortKey?: string; firstPage: number }
);

/** What one list request carries; a new object for every request. Never `page` with `cursor`, never `sort` with `cursor`. */
export type PageRequest =
	| { limit: number; sort: string }
	| { limit: number; cursor: string }
	| { limit: number; page: number; sort?: string };

/** One page of a list, with its place in the whole. */
export interface Page {
	/**
	 * The answer as it came. Where `maximum` is reached inside this page, `data.items` is cut there, and the
	 * pagination says `records_left_out` in the place of its next cursor.
	 */
	envelope: ListEnvelope;
	/** From 1, counted from where this run began. */
	number: number;
	/** Records of all pages so far, this one included. */
	recordsRead: number;
	/** The cursor this page was asked for with; undefined for the first request and in page mode. */
	cursor?: string;
	/** Where to go on; undefined on the last page, on a page that was cut, and in page mode. */
	nextCursor?: string;
	/** The next cursor came before: it leads nowhere new, and an error follows this page. */
	isRepeated: boolean;
	/** Cursor mode: how many records of this page are behind `maximum`. No cursor leads to them. */
	recordsLeftOut: number;
}

/** How a page is asked for, and whom to tell how it came. */
export interface PageHooks {
	/** False once nobody needs the page any more: then no further attempt is made. */
	isWanted: () => boolean;
	/** True where a failure only leads to a smaller page: see `limitsOfPage`. */
	isLarger: boolean;
	/** To be told how long the answer took, in ms, and how long its text is. */
	onAnswer: (answer: AnswerSize) => void;
	/** To be told the next cursor where it is known before the records are parsed, which waits for this. */
	onNextCursor?: (nextCursor: string, answer: AnswerSize) => Promise<void>;
}

/** Asks the service for one page. */
export type FetchPage = (request: PageRequest, hooks: PageHooks) => Promise<ListEnvelope>;

/**
 * Resolves when what was just begun is on its way. With it, the request for the next page leaves before a page is
 * handed over, or even parsed: as soon as its cursor is known, so that nothing is guessed.
 */
export type NextTurn = () => Promise<void>;

/** Adds the place in the list to whatever goes wrong while a page is fetched. */
export async function at<T>(
	place: { page: number; recordsRead: number; nextCursor?: string },
	work: Promise<T>,
): Promise<T> {
	try {
		return await work;
	} catch (error) {
		throw error instanceof ServiceFailure ? error.with(place) : error;
	}
}

/**
 * Cuts a page to what is still wanted and tells how many records that leaves out. The page's next cursor stands
 * behind them, so whoever went on from it would skip them: a page that is cut has none.
 */
export function cut({ data, meta }: ListEnvelope, wanted: number): number {
	const leftOut = data.items.length - wanted;
	if (leftOut <= 0) return 0;
	data.items.length = wanted;
	delete meta.pagination.next_cursor;
	meta.pagination.records_left_out = leftOut;
	return leftOut;
}
