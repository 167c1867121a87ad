import type { ApiRequest, Client, JsonResponse, ListEnvelope, RequestLimits } from '../client/api';
import { contextIdOf, readListEnvelope } from '../client/envelope';
import { ServiceFailure, type FailureFacts } from '../client/failures';
import { findRecords, type RawRecords } from '../client/raw-records';

/** Date sorts that cursor pagination supports (docs/maintainers/api.md, List parameters). */
export type CursorSort = 'updated_at' | 'created_at';

/** What one list request carries: never `page` or `sort` with `cursor`. */
export type PageRequest =
	| { limit: number; sort: string }
	| { limit: number; cursor: string }
	| { limit: number; page: number; sort: string };

/** A list of the service, and what every request for a page of it carries. */
export interface ListSource {
	endpoint: Readonly<Pick<ApiRequest, 'method' | 'path'>>;
	/** For the records query: which records. */
	objectType?: string;
	/** Parameters of the user's own, sent with every page. */
	additional?: Readonly<Record<string, unknown>>;
}

/** A list for as long as it is read. */
export interface List {
	client: Client;
	source: ListSource;
	/** Asked before each request. */
	limits: () => RequestLimits;
	/** Aborted where the run has ended: then the list ends with ServiceFailure `cancelled`. */
	signal?: AbortSignal;
}

/** Names that lists and the records query need for themselves (docs/maintainers/api.md, List parameters). */
export const LIST_PARAMETERS = ['page', 'limit', 'sort', 'cursor', 'object_type'] as const;

/** The request for one page. A date to sort by (`sortsByDate`) needs its namespace and direction in the records query. */
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

/** An answer of a list, read as a page. */
export interface FetchedPage {
	envelope: ListEnvelope;
	/** The answer as the service sent it: nothing else has all digits of an integer beyond 2^53. */
	text: string;
	/** The records in that text, once `recordsOf` has looked for them. */
	records?: RawRecords;
	/** The `limit` that it was asked for with. */
	pageSize: number;
	/** Of the whole list; undefined where the answer does not say. */
	total?: number;
	nextCursor?: string;
}

/** One page of a list as it is given out, with the wanted records only. */
export interface Page extends FetchedPage {
	/** Where each record of `envelope.data.items` stands in `text`, from 0. */
	indexes: number[];
	/** How many records of the page are left out because they are not wanted, wherever they stand. */
	filtered: number;
	/** From 1, counted from where this reading began. */
	number: number;
	/** Of the list so far, wanted or not, those of this page included and those past the maximum not. */
	recordsRead: number;
	/** Leads to this page with `limit`: the last cursor that came with records. Undefined at the start and by number. */
	cursor?: string;
	/** Where to continue after this page, with `limit`. Undefined by number, at the end, and where records were cut off. */
	nextCursor?: string;
	isLast: boolean;
	/** Records that never came by an earlier page's total, if the last page has none. Undefined by number and newest first. */
	recordsMissing?: number;
	/** How many records no cursor leads to: wanted ones of this page past the maximum, or those that come after it by `total`. */
	recordsLeftOut: number;
}

/**
 * Reads an answer as a page (docs/maintainers/api.md, Envelope). An empty or null next cursor counts as absent.
 * Throws as `readListEnvelope` does, also ServiceFailure `missingPagination` for a next cursor that is no text.
 */
export function pageOf(
	{ body, text }: Pick<JsonResponse, 'body' | 'text'>,
	pageSize: number,
): FetchedPage {
	const envelope = readListEnvelope(body);
	const { total, next_cursor: next } = envelope.meta.pagination as Record<string, unknown>;
	if (next !== undefined && next !== null && typeof next !== 'string') {
		throw new ServiceFailure('missingPagination', { ctxId: contextIdOf(envelope) });
	}
	const known = isCount(total) || total === 0 ? total : undefined;
	return { envelope, text, pageSize, total: known, nextCursor: next || undefined };
}

/** True for a whole number from 1 on. */
export function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && (value as number) > 0;
}

/** The records of a page as they were written. Its text is searched for them once. */
export function recordsOf(page: FetchedPage): RawRecords {
	return (page.records ??= findRecords(page.text));
}

export function countOf({ envelope }: FetchedPage): number {
	return envelope.data.items.length;
}

/** A list may have twice as many records as it said first, and so many more. */
const MAX_UNEXPECTED_RECORDS = 1_000;

/** Throws ServiceFailure `endlessList` where so many were read that the list goes round, or grows faster than it is read. */
export function assertBounded(
	recordsRead: number,
	firstTotal = Infinity,
	facts: FailureFacts = {},
): void {
	if (recordsRead <= 2 * firstTotal + MAX_UNEXPECTED_RECORDS) return;
	throw new ServiceFailure('endlessList', { ...facts, recordsRead, total: firstTotal });
}

/** A page with the wanted of its records and this cursor only, also in its envelope, which says how many were left out. */
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
