import { contextIdOf } from './envelope';
import { ServiceFailure, type FailureKind } from './failures';
import {
	failWithPlace,
	pageOf,
	truncate,
	type FetchedPage,
	type FetchPage,
	type NumberPaging,
	type Page,
	type PageRequest,
} from './pages';

/**
 * Reads a list page by page, by numbers (docs/maintainers/api.md, Paging). A page that contradicts its own numbers or those of the
 * page before is an error: records would be left out or come twice.
 *
 * @throws ServiceFailure with `page` and `recordsRead`
 */
export async function* readByNumber(
	fetchPage: FetchPage,
	{ pageSize, maximum = Infinity, sortKey, firstPage, ignoreTotal = false }: NumberPaging,
): AsyncGenerator<Page, void> {
	// A page's place depends on its size, so the size may only shrink when one page is all there is to read.
	const limit = firstPage === 1 && maximum < pageSize ? maximum : pageSize;
	let page = firstPage;
	let recordsRead = 0;
	let before: NumberedPage | undefined;
	const fetchNumbered = async (request: PageRequest) => {
		const answer = await fetchPage(request, { isWanted: () => true, isTrial: false });
		const fetched = { ...pageOf(answer, limit), nextCursor: undefined };
		return { fetched, numbers: numbersOf(fetched, ignoreTotal) };
	};
	for (let number = 1; ; number++) {
		const place = { page, recordsRead };
		const request = sortKey === undefined ? { page, limit } : { page, limit, sort: sortKey };
		const { fetched, numbers } = await fetchNumbered(request).catch(failWithPlace(place));
		const { envelope } = fetched;
		const { items } = envelope.data;
		// An estimate says nothing: then the list ends with an empty page.
		const hasMore = ignoreTotal
			? items.length > 0
			: numbers.page * numbers.page_size < numbers.total;
		const goesOn = hasMore && recordsRead + items.length < maximum;
		const found: NumberedPage = { ...numbers, items };
		const misfit =
			numbers.page !== page || (hasMore && items.length === 0)
				? 'stuckPage'
				: misfitOf(found, goesOn, before, ignoreTotal);
		if (misfit !== undefined) {
			const { total } = numbers;
			const received = items.length;
			throw new ServiceFailure(misfit, { ...place, received, total, ctxId: contextIdOf(envelope) });
		}
		before = found;
		truncate(fetched, maximum - recordsRead);
		recordsRead += items.length;
		yield { ...fetched, number, recordsRead, isRepeated: false, recordsLeftOut: 0 };
		if (!goesOn) return;
		page = numbers.page + 1;
	}
}

interface PageNumbers {
	page: number;
	page_size: number;
	total: number;
}

/**
 * `page`, `page_size` and `total` as numbers that paging can be trusted to.
 *
 * @throws ServiceFailure `missingPagination`
 */
function numbersOf({ envelope, total }: FetchedPage, ignoreTotal: boolean): PageNumbers {
	const { page, page_size: size } = envelope.meta.pagination;
	const known = ignoreTotal ? 0 : total;
	const usable = Number.isSafeInteger(page) && Number.isSafeInteger(size) && Number(size) > 0;
	if (!usable || known === undefined) {
		throw new ServiceFailure('missingPagination', { ctxId: contextIdOf(envelope) });
	}
	return { page: page as number, page_size: size as number, total: known };
}

interface NumberedPage extends PageNumbers {
	items: ReadonlyArray<Record<string, unknown>>;
}

/** What keeps a page from fitting to its own numbers and to the page before. */
function misfitOf(
	{ page, page_size, total, items }: NumberedPage,
	goesOn: boolean,
	before: NumberedPage | undefined,
	ignoreTotal: boolean,
): FailureKind | undefined {
	if (before !== undefined) {
		if (items.length > 0 && isSame(items, before.items)) return 'stuckPage';
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

/** The page size up to `most` with which the last page is fullest. */
export function bestLimit(total: number, most: number): number {
	if (total <= most) return most;
	const onLastPage = (limit: number): number => ((total - 1) % limit) + 1;
	let best = most;
	for (let limit = most; limit > most / 2; limit--) {
		if (onLastPage(limit) > onLastPage(best)) best = limit;
	}
	return best;
}
