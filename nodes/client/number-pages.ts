import type { Pagination } from './api';
import { contextIdOf } from './envelope';
import { ServiceFailure, type FailureKind } from './failures';
import {
	failWithPlace,
	pageOf,
	truncate,
	type FetchPage,
	type NumberPaging,
	type Page,
} from './pages';

/** What a page says of itself; `total` is 0 where that is ignored. */
interface NumberedPage extends Omit<Pagination, 'next_cursor'> {
	items: ReadonlyArray<Record<string, unknown>>;
}

/**
 * Reads a list page by page, by numbers (docs/maintainers/api.md, Paging). A page that contradicts its own numbers or
 * those of the page before is an error: records would be left out or come twice.
 */
export async function* readByNumber(
	fetchPage: FetchPage,
	{ pageSize, maximum = Infinity, sortKey, firstPage, ignoreTotal = false }: NumberPaging,
): AsyncGenerator<Page, void> {
	// A page's place depends on its size, so the size may only shrink when one page is all there is to read.
	const limit = firstPage === 1 ? Math.min(maximum, pageSize) : pageSize;
	const sort = sortKey === undefined ? {} : { sort: sortKey };
	let recordsRead = 0;
	let before: NumberedPage | undefined;
	for (let number = 1; ; number++) {
		const page = firstPage + number - 1;
		const place = { page, recordsRead };
		const fetched = await fetchPage({ page, limit, ...sort })
			.then((answer) => pageOf(answer, limit))
			.catch(failWithPlace(place));
		const { items } = fetched.envelope.data;
		const { page: given, page_size } = fetched.envelope.meta.pagination;
		const total = ignoreTotal ? 0 : fetched.total;
		const ctxId = contextIdOf(fetched.envelope);
		if (!Number.isSafeInteger(given) || !isCount(page_size) || total === undefined) {
			throw new ServiceFailure('missingPagination', { ...place, ctxId });
		}
		const found: NumberedPage = { page: given as number, page_size, total, items };
		// An estimate says nothing: then the list ends with an empty page.
		const hasMore = ignoreTotal ? items.length > 0 : found.page * page_size < total;
		const goesOn = hasMore && recordsRead + items.length < maximum;
		const isStuck = found.page !== page || (hasMore && items.length === 0);
		const kind = isStuck ? 'stuckPage' : inconsistencyOf(found, goesOn, before, ignoreTotal);
		if (kind !== undefined) {
			throw new ServiceFailure(kind, { ...place, received: items.length, total, ctxId });
		}
		before = found;
		truncate(fetched, maximum - recordsRead);
		recordsRead += items.length;
		const ofCursors = { nextCursor: undefined, isRepeated: false, recordsLeftOut: 0 };
		yield { ...fetched, ...ofCursors, number, recordsRead };
		if (!goesOn) return;
	}
}

/** What is inconsistent between a page, its own numbers and the page before. */
function inconsistencyOf(
	{ page, page_size, total, items }: NumberedPage,
	goesOn: boolean,
	before: NumberedPage | undefined,
	ignoreTotal: boolean,
): FailureKind | undefined {
	if (before !== undefined) {
		if (isSame(items, before.items)) return 'stuckPage';
		if (page_size !== before.page_size || total < before.total) return 'changedList';
		const wasShort = before.items.length < before.page_size;
		if (ignoreTotal && wasShort && items.length > 0) return 'incompletePage';
	}
	if (goesOn && items.length > page_size) return 'overfullPage';
	if (ignoreTotal) return undefined;
	const recordsBefore = (page - 1) * page_size;
	if (items.length < Math.min(page_size, total - recordsBefore)) return 'incompletePage';
	return items.length > 0 && recordsBefore + items.length > total ? 'wrongTotal' : undefined;
}

/** Compares record by record, so that different pages are told apart by their first one. */
function isSame(one: NumberedPage['items'], other: NumberedPage['items']): boolean {
	return (
		one.length === other.length &&
		one.every((record, index) => JSON.stringify(record) === JSON.stringify(other[index]))
	);
}

/** A whole number from 1 on. */
export function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && (value as number) > 0;
}
