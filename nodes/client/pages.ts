import type { ApiRequest, HttpMethod, ListEnvelope } from './api';
import { contextIdOf, readListEnvelope } from './envelope';
import { ServiceFailure, type FailureFacts } from './failures';
import type { Answer } from './request';

/** Date sorts that cursor pagination supports (docs/maintainers/api.md, List parameters). */
export type CursorSort = 'updated_at' | 'created_at';

/** How a list is read by cursors. */
export interface CursorPaging {
	mode: 'cursor';
	/** The exact number of records wanted; undefined means all. */
	maximum?: number;
	/** Records asked for per request, at least 1; found out while reading where it is undefined. */
	pageSize?: number;
	sort: CursorSort;
	startCursor?: string;
	/** The service only estimates how many records the list has, so its `total` proves nothing. */
	ignoreTotal?: boolean;
}

/** How a list is read by page numbers. */
export interface NumberPaging extends Pick<CursorPaging, 'maximum' | 'ignoreTotal'> {
	mode: 'page';
	pageSize: number;
	sortKey?: string;
	firstPage: number;
}

export type PagingOptions = CursorPaging | NumberPaging;

/** What one list request carries; a new object for every request. Never `page` with `cursor`, never `sort` with `cursor`. */
export type PageRequest =
	| { limit: number; sort: string }
	| { limit: number; cursor: string }
	| { limit: number; page: number; sort?: string };

/** A list of the service, and what every request for a page of it carries. */
export interface ListSource {
	endpoint: { readonly method: HttpMethod; readonly path: string };
	/** For the records query: which records. */
	objectType?: string;
	/** Parameters of the user's own, sent with every page. */
	additional?: Readonly<Record<string, unknown>>;
}

/** Names that lists and the records query need for themselves (docs/maintainers/api.md, List parameters). */
export const LIST_PARAMETERS = ['page', 'limit', 'sort', 'cursor', 'object_type'] as const;

/**
 * The request for one page of a list. Lists have their parameters in the address, the records query in its body.
 *
 * @param sortsByDate whether `page.sort` is a date, which needs its namespace and direction in the records query
 */
export function listRequest(
	{ endpoint, objectType, additional }: ListSource,
	page: PageRequest,
	sortsByDate = !('page' in page),
): ApiRequest {
	const { method, path } = endpoint;
	if (method === 'GET') {
		return {
			method,
			path,
			query: { ...additional, ...page } as ApiRequest['query'],
			risk: 'safe',
			reads: 'list',
		};
	}
	const body: Record<string, unknown> = { object_type: objectType, ...additional, ...page };
	if ('sort' in page && sortsByDate) body.sort = `standard:${page.sort}:asc`;
	return { method, path, body, risk: 'safe', reads: 'list' };
}

/** Asks the service for one page; on trial, a failure only leads to a smaller one (see `limitsOfPage`). */
export type FetchPage = (
	request: PageRequest,
	isTrial?: boolean,
	isWanted?: () => boolean,
) => Promise<Answer>;

/** One page as it was fetched. */
export interface FetchedPage extends Omit<Answer, 'body'> {
	/**
	 * The answer as it came. Where `maximum` is reached inside this page, `data.items` is truncated there, and the
	 * pagination says `records_left_out` in the place of its next cursor.
	 */
	envelope: ListEnvelope;
	/** The `limit` that it was asked for with. */
	limit: number;
	/** How many records the list has by this answer; undefined where it does not say. */
	total?: number;
	/** Where the list continues; undefined on the last page, on a truncated one, and in page mode. */
	nextCursor?: string;
}

/** One page of a list, with its place in the whole. */
export interface Page extends FetchedPage {
	/** From 1, counted from where this run began. */
	number: number;
	/** Records of all pages so far, this one included. */
	recordsRead: number;
	/** The cursor this page was asked for with; undefined for the first request and in page mode. */
	cursor?: string;
	/** The next cursor came before: it leads nowhere new, and an error follows this page. */
	isRepeated: boolean;
	/** Cursor mode: how many records of this page come after `maximum`. No cursor leads to them. */
	recordsLeftOut: number;
}

/** For `catch`: adds the place in the list to whatever goes wrong there. */
export function failWithPlace(
	place: Pick<FailureFacts, 'page' | 'recordsRead' | 'nextCursor'>,
): (error: unknown) => never {
	return (error) => {
		throw error instanceof ServiceFailure ? error.with(place) : error;
	};
}

/**
 * Reads an answer as a page (docs/maintainers/api.md, Envelope). An empty or null next cursor counts as absent.
 * Throws as `readListEnvelope` does, also ServiceFailure `missingPagination` for a next cursor that is no text.
 */
export function pageOf({ body, text, tookMs }: Answer, limit: number): FetchedPage {
	const envelope = readListEnvelope(body);
	const { total, next_cursor: next } = envelope.meta.pagination as Record<string, unknown>;
	if (next !== undefined && next !== null && typeof next !== 'string') {
		throw new ServiceFailure('missingPagination', { ctxId: contextIdOf(envelope) });
	}
	const isTotal = Number.isSafeInteger(total) && (total as number) >= 0;
	const known = { total: isTotal ? (total as number) : undefined, nextCursor: next || undefined };
	return { envelope, text, limit, ...known, tookMs };
}

/** Truncates a page to what is still wanted, without its next cursor, and tells how many records that leaves out. */
export function truncate(page: FetchedPage, wanted: number): number {
	const { data, meta } = page.envelope;
	const leftOut = data.items.length - wanted;
	if (leftOut <= 0) return 0;
	data.items.length = wanted;
	delete meta.pagination.next_cursor;
	meta.pagination.records_left_out = leftOut;
	page.nextCursor = undefined;
	return leftOut;
}

/** The first and the last record of a page. */
export type EndsOfPage = [Record<string, unknown>, Record<string, unknown>];

/**
 * Whether a page surely begins after the last record before it, in the order of cursors (docs/assumptions.md, A1).
 * Where dates and ids do not tell, it may have begun earlier.
 */
export function follows({ envelope }: FetchedPage, [start, last]: EndsOfPage, sort: CursorSort) {
	const [first] = envelope.data.items;
	if (first === undefined) return true;
	// A list that goes down shows it on the page before.
	return isBefore(last, first, sort) && (start === last || isBefore(start, last, sort));
}

function isBefore(last: EndsOfPage[1], first: EndsOfPage[0], sort: CursorSort): boolean {
	if (last[sort] === first[sort]) return isLess(last.id, first.id);
	// One service writes its dates at several lengths, and to the microsecond.
	const differenceMs = Date.parse(String(last[sort])) - Date.parse(String(first[sort]));
	return differenceMs < 0 || (!(differenceMs > 0) && isLess(last[sort], first[sort]));
}

/** Numbers, and texts of the same length: for others nobody knows what their order goes by. */
function isLess(value: unknown, other: unknown): boolean {
	if (typeof value === 'number' && typeof other === 'number') return value < other;
	const areTexts = typeof value === 'string' && typeof other === 'string';
	return areTexts && value.length === other.length && value < other;
}
