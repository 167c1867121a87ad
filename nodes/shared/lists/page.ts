import type { ApiRequest, Client, JsonResponse, ListEnvelope, RequestLimits } from '../client/api';
import { contextIdOf, readListEnvelope } from '../client/envelope';
import { ServiceFailure, type FailureFacts } from '../client/failures';
import { findRecords, type RawRecords } from '../client/raw-records';

/** Dates by which a list with cursors can be sorted (docs/maintainers/api.md, List parameters). */
export type CursorSort = 'updated_at' | 'created_at';

/** Paging parameters of a list request. A cursor excludes `page` and `sort`. */
export type PageRequest =
	| { limit: number; sort: string }
	| { limit: number; cursor: string }
	| { limit: number; page: number; sort: string };

/** A list of the service, with the parameters of every page request. */
export interface ListSource {
	endpoint: Readonly<Pick<ApiRequest, 'method' | 'path'>>;
	/** Object type of the records query. */
	objectType?: string;
	/** Additional parameters that the user has set. */
	additional?: Readonly<Record<string, unknown>>;
}

/** Everything that a reader needs to read a list. */
export interface List {
	client: Client;
	source: ListSource;
	/** Returns the limits of the next request. */
	limits: () => RequestLimits;
	/** Aborted when the run ends. The list then ends with ServiceFailure `cancelled`. */
	signal?: AbortSignal;
}

/** Reserved parameter names of lists and the records query (docs/maintainers/api.md, List parameters). */
export const LIST_PARAMETERS = ['page', 'limit', 'sort', 'cursor', 'object_type'] as const;

/**
 * Creates the request for a page.
 * @param sortsByDate whether `sort` is a date: the records query needs its namespace and direction
 */
export function listRequest(source: ListSource, page: PageRequest, sortsByDate = true): ApiRequest {
	const { endpoint, objectType, additional } = source;
	const { method, path } = endpoint;
	if (method === 'GET') {
		const query = { ...additional, ...page } as ApiRequest['query'];
		return { method, path, query, repeat: 'safe', expects: 'list', list: source };
	}
	const body: Record<string, unknown> = { object_type: objectType, ...additional, ...page };
	if ('sort' in page && sortsByDate) body.sort = `standard:${page.sort}:asc`;
	return { method, path, body, repeat: 'safe', expects: 'list', list: source };
}

/** A page of a list as the service returned it. */
export interface FetchedPage {
	envelope: ListEnvelope;
	/** Response text, which has all digits of integers above 2^53. */
	text: string;
	/** Positions of the records in `text`, found by `recordsOf`. */
	records?: RawRecords;
	/** The service's clock when it responded, in ms since 1970. */
	dateMs?: number;
	/** The requested page size. */
	pageSize: number;
	/** Number of records in the whole list. Undefined if the response has no total. */
	total?: number;
	nextCursor?: string;
}

/** A page of a list with the wanted records only. */
export interface Page extends FetchedPage {
	/** Index of each record of `envelope.data.items` in `recordsOf(page)`, from 0. */
	indexes: number[];
	/** Number of records on the page outside the date range. */
	filtered: number;
	/** Number of the page in this reading, from 1. */
	number: number;
	/**
	 * Number of records read so far, inside and outside the date range. Records of this page that exceed the limit do
	 * not count.
	 */
	recordsRead: number;
	/**
	 * Cursor of this page, or after empty pages, the cursor that the last page with records returned. It is valid only
	 * with `pageSize`. Undefined at the beginning of the list and for numbered pages.
	 */
	cursor?: string;
	/** Cursor of the next page. Undefined for numbered pages, at the end, and if records were left out. */
	nextCursor?: string;
	isLast: boolean;
	/**
	 * Number of records that are missing at the end of a list according to the total of an earlier page, if the last
	 * page has no total. Set only if the list is read by cursor.
	 */
	recordsMissing?: number;
	/**
	 * Number of records that no cursor leads to. They exceed the limit on this page, or they follow this page according
	 * to the total.
	 */
	recordsLeftOut: number;
}

/**
 * Reads a response as a page (docs/maintainers/api.md, Envelope). Ignores an empty or null next cursor.
 * @throws ServiceFailure as `readListEnvelope` does, or `missingPagination` if the next cursor is not a string
 */
export function pageOf(
	{ body, text, dateMs }: Pick<JsonResponse, 'body' | 'text' | 'dateMs'>,
	pageSize: number,
): FetchedPage {
	const envelope = readListEnvelope(body);
	const { total, next_cursor: next } = envelope.meta.pagination as Record<string, unknown>;
	if (next !== undefined && next !== null && typeof next !== 'string') {
		throw new ServiceFailure('missingPagination', { ctxId: contextIdOf(envelope) });
	}
	const validTotal = isCount(total) || total === 0 ? total : undefined;
	return { envelope, text, dateMs, pageSize, total: validTotal, nextCursor: next || undefined };
}

/** Checks whether a value is a positive integer. */
export function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && (value as number) > 0;
}

/** Returns the positions of a page's records in its text. Searches the text on the first call only. */
export function recordsOf(page: FetchedPage): RawRecords {
	return (page.records ??= findRecords(page.text));
}

export function countOf({ envelope }: FetchedPage): number {
	return envelope.data.items.length;
}

/** Number of records that a list may have in addition to twice its first total. */
const MAX_UNEXPECTED_RECORDS = 1_000;

/** Throws ServiceFailure `endlessList` if a list has returned far more records than its first total. */
export function assertBounded(
	recordsRead: number,
	firstTotal = Infinity,
	facts: FailureFacts = {},
): void {
	if (recordsRead <= 2 * firstTotal + MAX_UNEXPECTED_RECORDS) return;
	throw new ServiceFailure('endlessList', { ...facts, recordsRead, total: firstTotal });
}

/** Returns a page with the selected records. Its envelope contains `nextCursor` and the number of records left out. */
export function withSelection(
	page: FetchedPage,
	{ indexes, filtered, recordsLeftOut }: Pick<Page, 'indexes' | 'filtered' | 'recordsLeftOut'>,
	nextCursor?: string,
) {
	const { data, meta } = page.envelope;
	const { next_cursor: cursor, ...pagination } = meta.pagination;
	if (nextCursor !== undefined)
		Object.assign(pagination, { next_cursor: cursor, pageSize: page.pageSize });
	if (recordsLeftOut > 0) Object.assign(pagination, { recordsLeftOut });
	const items = indexes.map((index) => data.items[index]);
	const envelope = { ...page.envelope, data: { ...data, items }, meta: { ...meta, pagination } };
	return { ...page, envelope, indexes, filtered, recordsLeftOut, nextCursor };
}
