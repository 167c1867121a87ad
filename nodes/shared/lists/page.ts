import type { ApiRequest, Client, JsonResponse, ListEnvelope, RequestLimits } from '../client/api';
import { contextIdOf, readListEnvelope } from '../client/envelope';
import { ServiceFailure, type FailureFacts } from '../client/failures';
import { findRecords, type RawRecords } from '../client/raw-records';

/** Date fields by which a list read by cursor can be sorted (docs/maintainers/api.md, List parameters). */
export type CursorSort = 'updated_at' | 'created_at';

/** Paging parameters of a list request. A request with a cursor has no `page` and no `sort`. */
export type PageRequest =
	| { limit: number; sort: string }
	| { limit: number; cursor: string }
	| { limit: number; page: number; sort: string };

/** A list that the service offers: the list's endpoint, and the parameters that are sent with every page request. */
export interface ListSource {
	endpoint: Readonly<Pick<ApiRequest, 'method' | 'path'>>;
	/** Type of the records to query. Set only for the endpoint that queries records. */
	objectType?: string;
	/** Parameters that the user has added with the option Filters. */
	additional?: Readonly<Record<string, unknown>>;
}

/** Everything that is needed to request the pages of a list. */
export interface List {
	client: Client;
	source: ListSource;
	/** Returns the limits of the next request, for example its timeout. */
	limits: () => RequestLimits;
	/** Signal that is aborted when the run ends. Reading the list then fails with ServiceFailure `cancelled`. */
	signal?: AbortSignal;
}

/** Parameters that the node sets. Users cannot set them in Filters (docs/maintainers/api.md, List parameters). */
export const LIST_PARAMETERS = ['page', 'limit', 'sort', 'cursor', 'object_type'] as const;

/** Creates the request for a page. The records query (POST) expects date fields in `sort` as `standard:<field>:asc`. */
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
	/** Text of the response. Unlike `envelope`, it has all digits of integers above 2^53. */
	text: string;
	/** Start and end of each record in `text`. Undefined until `recordsOf` has found the records. */
	records?: RawRecords;
	/** Time of the response by the service's clock (Date header), in ms since 1970. */
	dateMs?: number;
	/** The requested page size. */
	pageSize: number;
	/** Number of records in the whole list, as the service reports it. Undefined if the response has no total. */
	total?: number;
	nextCursor?: string;
}

/** A page of a list with the wanted records only. */
export interface Page extends FetchedPage {
	/** Index of each wanted record among all records that the service returned on this page, from 0. */
	indexes: number[];
	/** Number of records on the page that are outside the date range. */
	filtered: number;
	/** Number of the page, counted from 1 at the first page that was read. */
	number: number;
	/** Number of records read so far, including those outside the date range, without those beyond the user's limit. */
	recordsRead: number;
	/**
	 * Cursor that leads to this page, or to the first of the empty pages before this page. Valid only with `pageSize`.
	 * Undefined at the beginning of the list and for numbered pages.
	 */
	cursor?: string;
	/**
	 * Cursor of the next page. Undefined for numbered pages, at the end of the list, and if records on this page are
	 * left out, because the cursor would skip them.
	 */
	nextCursor?: string;
	isLast: boolean;
	/** Number of records missing at the list's end, compared with its latest total. Undefined for numbered pages. */
	recordsMissing?: number;
	/**
	 * Number of records that cannot be read by continuing from a cursor: those beyond the user's limit on this page, or
	 * those that should follow according to the total, although there is no next cursor.
	 */
	recordsLeftOut: number;
}

/**
 * Reads a response as a page (docs/maintainers/api.md, Envelope). Treats an empty or null next cursor as missing.
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

/** Returns the start and end of each record in the text of a page. Searches the text only on the first call. */
export function recordsOf(page: FetchedPage): RawRecords {
	return (page.records ??= findRecords(page.text));
}

export function countOf({ envelope }: FetchedPage): number {
	return envelope.data.items.length;
}

/** A list counts as endless if it returns more than twice its first total plus this number of records. */
const MAX_UNEXPECTED_RECORDS = 1_000;

/** Throws ServiceFailure `endlessList` if a list has returned more than twice its first total plus 1,000 records. */
export function assertBounded(
	recordsRead: number,
	firstTotal = Infinity,
	facts: FailureFacts = {},
): void {
	if (recordsRead <= 2 * firstTotal + MAX_UNEXPECTED_RECORDS) return;
	throw new ServiceFailure('endlessList', { ...facts, recordsRead, total: firstTotal });
}

/** Returns a page with only the selected records. Its envelope has the next cursor only if `nextCursor` is set. */
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
