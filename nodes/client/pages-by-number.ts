import type { ListEnvelope } from './api';
import { contextIdOf } from './envelope';
import { ServiceFailure, type FailureKind } from './failures';
import { at, cut, type FetchPage, type Page, type PagingOptions } from './page';

/** See `readPages`. */
export async function* readByPageNumber(
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
			fetchPage(request, { isWanted: () => true, isLarger: false, onAnswer: () => {} }),
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
