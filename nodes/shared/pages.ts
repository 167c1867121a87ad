import type { ListEnvelope } from './api';
import { contextIdOf } from './envelope';
import { ServiceFailure } from './failures';

/** Date sorts that cursor pagination supports (spec section 4.1). */
export type CursorSort = 'updated_at' | 'created_at';

/** How a list is read. `maximum` is the exact number of records wanted; undefined means all. */
export type PagingOptions = {
	/** Records asked for per request, at least 1. */
	pageSize: number;
	maximum?: number;
} & (
	| { mode: 'cursor'; sort: CursorSort; startCursor?: string }
	| { mode: 'page'; sortKey?: string; firstPage: number }
);

/** What one list request carries; a new object for every request. Never `page` with `cursor`, never `sort` with `cursor`. */
export type PageRequest =
	| { limit: number; sort: string }
	| { limit: number; cursor: string }
	| { limit: number; page: number; sort?: string };

/** One page of a list, with its place in the whole. */
export interface Page {
	/** The answer as it came; `data.items` is cut only where `maximum` is reached inside this page. */
	envelope: ListEnvelope;
	/** From 1, counted from where this run began. */
	number: number;
	/** Records of all pages so far, this one included. */
	recordsRead: number;
	/** The cursor this page was asked for with; undefined for the first request and in page mode. */
	cursor?: string;
	/** Where to go on; undefined on the last page and in page mode. */
	nextCursor?: string;
}

/**
 * The request that will follow this one, if its page has so many records and this next cursor; undefined where the
 * page ends the list. For those who read ahead: what comes is decided anew once the page is there.
 */
export type Following = (nextCursor: string, records: number) => PageRequest | undefined;

/** Asks the service for one page. `following` is given in cursor mode only. */
export type FetchPage = (request: PageRequest, following?: Following) => Promise<ListEnvelope>;

/** A service that answers empty pages with ever new cursors must not keep an execution alive for ever. */
const MOST_EMPTY_PAGES = 100;

/**
 * Reads a list page by page (spec section 4.3) and proves its progress: a cursor that came before, a page number
 * that stands still, or an endless row of empty pages ends in an error, never in a loop or a list cut short.
 *
 * @throws ServiceFailure with `page`, `recordsRead` and, in cursor mode, `nextCursor` to resume from
 */
export function readPages(
	fetchPage: FetchPage,
	options: PagingOptions,
): AsyncGenerator<Page, void> {
	return options.mode === 'cursor'
		? readByCursor(fetchPage, options)
		: readByPageNumber(fetchPage, options);
}

async function* readByCursor(
	fetchPage: FetchPage,
	options: Extract<PagingOptions, { mode: 'cursor' }>,
): AsyncGenerator<Page, void> {
	const { pageSize, maximum = Infinity, sort, startCursor } = options;
	const used = new Set<string>();
	let cursor = startCursor;
	let recordsRead = 0;
	let emptyPages = 0;
	for (let number = 1; ; number++) {
		const place = { page: number, recordsRead, nextCursor: cursor };
		const limit = Math.min(pageSize, maximum - recordsRead);
		const readBefore = recordsRead;
		const following: Following = (next, records) => {
			const left = maximum - readBefore - records;
			if (left <= 0 || next === cursor || used.has(next)) return undefined;
			return { limit: Math.min(pageSize, left), cursor: next };
		};
		const request = cursor === undefined ? { limit, sort } : { limit, cursor };
		const envelope = await at(place, fetchPage(request, following));
		if (cursor !== undefined) used.add(cursor);
		const nextCursor = nextCursorOf(envelope, place);
		const items = cut(envelope, maximum - recordsRead);
		recordsRead += items;
		emptyPages = items === 0 ? emptyPages + 1 : 0;
		yield { envelope, number, recordsRead, cursor, nextCursor };
		if (nextCursor === undefined || recordsRead >= maximum) return;
		const stop = { page: number, recordsRead, nextCursor, ctxId: contextIdOf(envelope) };
		if (used.has(nextCursor)) throw new ServiceFailure('repeatedCursor', stop);
		if (emptyPages >= MOST_EMPTY_PAGES) throw new ServiceFailure('emptyPages', stop);
		cursor = nextCursor;
	}
}

async function* readByPageNumber(
	fetchPage: FetchPage,
	options: Extract<PagingOptions, { mode: 'page' }>,
): AsyncGenerator<Page, void> {
	const { pageSize, maximum = Infinity, sortKey, firstPage } = options;
	// A page's place depends on its size, so the size may only shrink when one page is all there is to read.
	const limit = firstPage === 1 && maximum < pageSize ? maximum : pageSize;
	let page = firstPage;
	let recordsRead = 0;
	for (let number = 1; ; number++) {
		const place = { page, recordsRead };
		const request = sortKey === undefined ? { page, limit } : { page, limit, sort: sortKey };
		const envelope = await at(place, fetchPage(request));
		const received = envelope.data.items.length;
		const pagination = numbersOf(envelope, place);
		const more = pagination.page * pagination.page_size < pagination.total;
		if (pagination.page !== page || (more && received === 0)) {
			throw new ServiceFailure('stuckPage', { ...place, ctxId: contextIdOf(envelope) });
		}
		// A service that caps the page size without saying so would have records skipped between the pages.
		if (received < recordsOnPage(pagination)) {
			throw new ServiceFailure('incompletePage', {
				...place,
				received,
				ctxId: contextIdOf(envelope),
			});
		}
		recordsRead += cut(envelope, maximum - recordsRead);
		yield { envelope, number, recordsRead };
		if (!more || recordsRead >= maximum) return;
		page = pagination.page + 1;
	}
}

/** Adds the place in the list to whatever goes wrong while a page is fetched. */
async function at<T>(
	place: { page: number; recordsRead: number; nextCursor?: string },
	work: Promise<T>,
): Promise<T> {
	try {
		return await work;
	} catch (error) {
		throw error instanceof ServiceFailure ? error.with(place) : error;
	}
}

/** The next cursor; an empty or null one counts as absent, anything that is not text is an error. */
function nextCursorOf(
	envelope: ListEnvelope,
	place: { page: number; recordsRead: number; nextCursor?: string },
): string | undefined {
	const next: unknown = envelope.meta.pagination.next_cursor;
	if (next === undefined || next === null || next === '') return undefined;
	if (typeof next === 'string') return next;
	throw new ServiceFailure('missingPagination', { ...place, ctxId: contextIdOf(envelope) });
}

/** `page`, `page_size` and `total` as numbers that paging can be trusted to. */
function numbersOf(
	envelope: ListEnvelope,
	place: { page: number; recordsRead: number },
): { page: number; page_size: number; total: number } {
	const { page, page_size, total } = envelope.meta.pagination;
	const usable =
		Number.isSafeInteger(page) &&
		Number.isSafeInteger(page_size) &&
		Number.isSafeInteger(total) &&
		(page_size as number) > 0 &&
		(total as number) >= 0;
	if (!usable) {
		throw new ServiceFailure('missingPagination', { ...place, ctxId: contextIdOf(envelope) });
	}
	return { page: page as number, page_size: page_size as number, total: total as number };
}

/** How many records a page must hold by its own numbers. */
function recordsOnPage({
	page,
	page_size,
	total,
}: {
	page: number;
	page_size: number;
	total: number;
}): number {
	return Math.max(0, Math.min(page_size, total - (page - 1) * page_size));
}

/** Cuts a page to what is still wanted and tells how many records it holds then. */
function cut(envelope: ListEnvelope, wanted: number): number {
	if (envelope.data.items.length > wanted) envelope.data.items.length = wanted;
	return envelope.data.items.length;
}
