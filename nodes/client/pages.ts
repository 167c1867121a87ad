import type { ListEnvelope } from './api';
import { contextIdOf } from './envelope';
import { ServiceFailure, type FailureKind } from './failures';

/** Date sorts that cursor pagination supports (docs/api.md, List parameters). */
export type CursorSort = 'updated_at' | 'created_at';

/** How a list is read. `maximum` is the exact number of records wanted; undefined means all. */
export type PagingOptions = {
	/** Records asked for per request, at least 1. */
	pageSize: number;
	maximum?: number;
} & (
	| {
			mode: 'cursor';
			sort: CursorSort;
			startCursor?: string;
			/** A page ends wherever so many records, or a multiple of them, have been read: there a file ends. */
			boundary?: number;
	  }
	| { mode: 'page'; sortKey?: string; firstPage: number }
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

/**
 * Asks the service for one page.
 *
 * @param isWanted false once nobody needs the page any more: then no further attempt is made
 */
export type FetchPage = (request: PageRequest, isWanted: () => boolean) => Promise<ListEnvelope>;

/**
 * Resolves when what was just begun is on its way. With it, the request for the next page leaves before a page is
 * handed over: its cursor is known by then, so nothing is guessed.
 */
export type NextTurn = () => Promise<void>;

/** A service that answers empty pages with ever new cursors must not keep an execution alive for ever. */
const MOST_EMPTY_PAGES = 100;

/**
 * Reads a list page by page (docs/api.md, Paging) and proves its progress: a cursor that came before, a page number
 * that stands still, or an endless row of empty pages ends in an error, never in a loop or a list cut short.
 *
 * @param nextTurn reads one page ahead in cursor mode; without it, a page is asked for when it is wanted
 * @throws ServiceFailure with `page`, `recordsRead` and, in cursor mode, `nextCursor` to resume from
 */
export function readPages(
	fetchPage: FetchPage,
	options: PagingOptions,
	nextTurn?: NextTurn,
): AsyncGenerator<Page, void> {
	return options.mode === 'cursor'
		? readByCursor(fetchPage, options, nextTurn)
		: readByPageNumber(fetchPage, options);
}

async function* readByCursor(
	fetchPage: FetchPage,
	options: Extract<PagingOptions, { mode: 'cursor' }>,
	nextTurn: NextTurn | undefined,
): AsyncGenerator<Page, void> {
	const { maximum = Infinity, sort, startCursor } = options;
	const used = new Set<string>();
	let cursor = startCursor;
	let recordsRead = 0;
	let emptyPages = 0;
	let isWanted = true;
	const begin = async (): Promise<ListEnvelope> => {
		const limit = limitAt(recordsRead, options);
		return await fetchPage(
			cursor === undefined ? { limit, sort } : { limit, cursor },
			() => isWanted,
		);
	};
	let ahead: { page: Promise<ListEnvelope> } | undefined;
	try {
		for (let number = 1; ; number++) {
			const place = { page: number, recordsRead, nextCursor: cursor };
			const envelope = await at(place, ahead?.page ?? begin());
			const asked = cursor;
			if (asked !== undefined) used.add(asked);
			const recordsLeftOut = cut(envelope, maximum - recordsRead);
			const nextCursor = nextCursorOf(envelope, place);
			const isRepeated = nextCursor !== undefined && used.has(nextCursor);
			const items = envelope.data.items.length;
			recordsRead += items;
			emptyPages = items === 0 ? emptyPages + 1 : 0;
			const isEndless = emptyPages >= MOST_EMPTY_PAGES;
			const goesOn = nextCursor !== undefined && !isRepeated && !isEndless && recordsRead < maximum;
			cursor = nextCursor;
			ahead = goesOn && nextTurn !== undefined ? await begun(begin(), nextTurn) : undefined;
			yield {
				envelope,
				number,
				recordsRead,
				cursor: asked,
				nextCursor,
				isRepeated,
				recordsLeftOut,
			};
			if (goesOn) continue;
			const stop = { page: number, recordsRead, ctxId: contextIdOf(envelope) };
			// Also where no more is wanted: whoever goes on from this cursor later would read the same again and again.
			if (isRepeated) throw new ServiceFailure('repeatedCursor', stop);
			if (isEndless && nextCursor !== undefined && recordsRead < maximum) {
				throw new ServiceFailure('emptyPages', { ...stop, nextCursor });
			}
			return;
		}
	} finally {
		isWanted = false;
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
	let before: NumberedPage | undefined;
	for (let number = 1; ; number++) {
		const place = { page, recordsRead };
		const request = sortKey === undefined ? { page, limit } : { page, limit, sort: sortKey };
		const envelope = await at(
			place,
			fetchPage(request, () => true),
		);
		const { items } = envelope.data;
		const numbers = numbersOf(envelope, place);
		const hasMore = numbers.page * numbers.page_size < numbers.total;
		const goesOn = hasMore && recordsRead + items.length < maximum;
		const found: NumberedPage = { ...numbers, items };
		const misfit =
			numbers.page !== page || (hasMore && items.length === 0)
				? 'stuckPage'
				: misfitOf(found, goesOn, before);
		if (misfit !== undefined) {
			const received = items.length;
			throw new ServiceFailure(misfit, { ...place, received, ctxId: contextIdOf(envelope) });
		}
		before = found;
		cut(envelope, maximum - recordsRead);
		recordsRead += items.length;
		yield { envelope, number, recordsRead, isRepeated: false, recordsLeftOut: 0 };
		if (!goesOn) return;
		page = numbers.page + 1;
	}
}

/** The most records that the next page may hold. */
function limitAt(
	recordsRead: number,
	{ pageSize, maximum = Infinity, boundary = Infinity }: PagingOptions & { boundary?: number },
): number {
	const untilBoundary = boundary === Infinity ? Infinity : boundary - (recordsRead % boundary);
	return Math.min(pageSize, maximum - recordsRead, untilBoundary);
}

/** A request that nobody waits for yet: whoever does gets its failure, which must not end n8n's process before. */
async function begun(
	page: Promise<ListEnvelope>,
	nextTurn: NextTurn,
): Promise<{ page: Promise<ListEnvelope> }> {
	page.catch(() => undefined);
	await nextTurn();
	return { page };
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
): PageNumbers {
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

interface PageNumbers {
	page: number;
	page_size: number;
	total: number;
}

interface NumberedPage extends PageNumbers {
	items: ReadonlyArray<Record<string, unknown>>;
}

/**
 * What keeps a page from fitting to its own numbers and to the page before. Numbers lead through a list only while it
 * stands still and its pages are as large as they say; otherwise records would be left out or come twice.
 */
function misfitOf(
	{ page, page_size, total, items }: NumberedPage,
	goesOn: boolean,
	before: NumberedPage | undefined,
): FailureKind | undefined {
	if (before !== undefined) {
		if (items.length > 0 && isSame(items, before.items)) return 'stuckPage';
		if (page_size !== before.page_size || total < before.total) return 'changedList';
	}
	const expected = Math.max(0, Math.min(page_size, total - (page - 1) * page_size));
	if (items.length < expected) return 'incompletePage';
	return goesOn && items.length > page_size ? 'overfullPage' : undefined;
}

/** Compares record by record, so that different pages are told apart by their first one. */
function isSame(one: NumberedPage['items'], other: NumberedPage['items']): boolean {
	return (
		one.length === other.length &&
		one.every((record, index) => JSON.stringify(record) === JSON.stringify(other[index]))
	);
}

/**
 * Cuts a page to what is still wanted and tells how many records that leaves out. The page's next cursor stands
 * behind them, so whoever went on from it would skip them: a page that is cut has none.
 */
function cut({ data, meta }: ListEnvelope, wanted: number): number {
	const leftOut = data.items.length - wanted;
	if (leftOut <= 0) return 0;
	data.items.length = wanted;
	delete meta.pagination.next_cursor;
	meta.pagination.records_left_out = leftOut;
	return leftOut;
}
