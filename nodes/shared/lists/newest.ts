import { contextIdOf } from '../client/envelope';
import { asServiceFailure, ServiceFailure } from '../client/failures';
import { isRejection } from '../client/failure-classes';
import { CursorReader } from './by-cursor';
import { goesDown, timesOf } from './dates';
import { countOf, isCount, listRequest, pageOf, withSelection } from './page';
import type { FetchedPage, List, Page } from './page';
import { USUAL_PAGE_SIZE } from './page-size';
import type { CursorPaging } from './position';
import { identitiesOf, identityAt } from './record-identity';
import { RecordFilter, type Selection } from './record-filter';

/** Maximum number of attempts to read the newest records. An attempt can fail if the list changes while it is read. */
const MAX_ATTEMPTS = 3;

/** A page near the end of a list, with the indexes of its wanted records. */
type TailPage = FetchedPage & Selection;

/**
 * Returns the newest records of a list, newest first. The first request finds the total. Further requests read numbered
 * pages backwards, beginning with the final page (docs/maintainers/assumptions.md, A2). Records that are added during
 * reading are left out.
 * @throws ServiceFailure `unnumbered` (no usable page numbers), `changedList` (too many deletions during reading),
 * `notAscending` (dates descend) or `undatedList` (date range, but no record has a date)
 */
export async function readNewest(list: List, paging: CursorPaging): Promise<Page[]> {
	for (let attempt = 1; ; attempt++) {
		try {
			return outputOf(await readTail(list, paging), paging);
		} catch (error) {
			const failure = asServiceFailure(error);
			const { kind, facts } = failure;
			// Retry if the list may have changed while it was read (`changedList`, `unnumbered`). Do not retry if the
			// service rejected the request, because it would reject the request again.
			const isFinal = kind !== 'unnumbered' || facts.statusCode !== undefined;
			if (attempt === MAX_ATTEMPTS || (kind !== 'changedList' && isFinal)) throw failure;
		}
	}
}

/** Reads pages backwards from the final page, until enough records are selected. */
async function readTail(list: List, paging: CursorPaging): Promise<TailPage[]> {
	const { sort, pageSize } = paging;
	const settings = { sort, pageSize, maxPerPage: pageSize ?? USUAL_PAGE_SIZE };
	const { value } = await new CursorReader(list, settings).pages().next();
	const first = value as Page;
	const numbers = pageNumbersOf(first);
	const oldest = identityAt(first, 0, sort);
	const unseen = new UnseenRecords(sort);
	const pages: TailPage[] = [];
	let filter = new RecordFilter(paging, sort);
	for (let number = numbers.last; number > 0 && !pages.at(-1)?.isComplete; number--) {
		const page = numbers.hasOnePage ? first : await readPage(list, sort, { number, ...numbers });
		// Throw if a later page begins like page 1, because the service then ignores page numbers.
		if (number > 1 && identityAt(page, 0, sort) === oldest) throw unnumbered(page);
		const selection = filter.selectFromEnd(page, unseen.indexesOn(page));
		pages.push({ ...page, ...selection });
		filter = selection.remaining;
	}
	assertInOrder(first, pages, sort);
	return pages;
}

/**
 * Selects the records of a page that no earlier page contained. Deletions move records to pages with lower numbers. The
 * node reads these pages later, so it can receive the same record twice.
 */
class UnseenRecords {
	private readonly sort: string;
	private readonly seen = new Set<string>();
	/** Newest date (ms since 1970) on the first non-empty page read. Newer records were added later, so skip them. */
	private newest: number | undefined;

	constructor(sort: string) {
		this.sort = sort;
	}

	/** Returns the indexes of the records that were neither received before nor added during reading, newest first. */
	indexesOn(page: FetchedPage): number[] {
		const identities = identitiesOf(page);
		const times = timesIn(page, this.sort);
		if (times.length > 0) this.newest ??= Math.max(...times);
		const latest = this.newest ?? Infinity;
		const isUnseen = (index: number) => !this.seen.has(identities[index]) && times[index] <= latest;
		const indexes = [...identities.keys()].filter(isUnseen).reverse();
		for (const identity of identities) this.seen.add(identity);
		return indexes;
	}
}

/**
 * Returns the page size, and the number of the final page, which is calculated from the total. Throws ServiceFailure
 * `unnumbered` if the list has no total.
 */
function pageNumbersOf(first: Page) {
	const count = countOf(first);
	const { total = count === 0 ? 0 : undefined } = first;
	const hasOnePage = first.isLast && total !== undefined && total <= count;
	if (!hasOnePage && !isCount(total)) throw unnumbered(first);
	// A service may return smaller pages than it reports. So use the number of received records if it is smaller.
	const size = Math.min(first.pageSize, count || first.pageSize, sizeOf(first));
	return { hasOnePage, size, last: hasOnePage ? 1 : Math.ceil((total ?? 0) / size) };
}

/**
 * Throws ServiceFailure if dates descend, or if no record has a date. In both cases, the newest records may be on other
 * pages.
 */
function assertInOrder(first: Page, pages: TailPage[], sort: string): void {
	const [oldest = -Infinity] = timesIn(first, sort);
	const readTimes = pages.flatMap((page) => {
		const times = timesIn(page, sort);
		return page.indexes.map((index) => times[index]);
	});
	const isFirst = pages.length === 1 && pages[0].text === first.text;
	const isDated = isFirst || readTimes.length === 0 || readTimes.some(Number.isFinite);
	if (isDated && !goesDown([oldest, ...readTimes.reverse()])) return;
	throw isFirst ? new ServiceFailure('notAscending') : unnumbered();
}

/**
 * Returns the dates on a page in ms since 1970. The date of an undated record is -Infinity, because a service may sort
 * undated records first.
 */
function timesIn({ envelope }: FetchedPage, sort: string): number[] {
	return timesOf(envelope.data.items, sort).map((time) => time ?? -Infinity);
}

/**
 * Requests a page by its number. Throws ServiceFailure `changedList` if the page has too few or too many records, and
 * `unnumbered` if the service rejects the request, or if the page's number, size or total is wrong or missing.
 */
async function readPage(
	{ client, source, limits, signal }: List,
	sort: string,
	{ number, size, last }: { number: number; size: number; last: number },
): Promise<FetchedPage> {
	const request = listRequest(source, { limit: size, sort, page: number });
	try {
		const page = pageOf(await client(request, limits(), signal), size);
		const { total } = page;
		const isRequested = page.envelope.meta.pagination.page === number && sizeOf(page) === size;
		if (!isRequested || total === undefined) throw unnumbered(page);
		const expected = number === last ? Math.min(size, total - (number - 1) * size) : size;
		if (countOf(page) < expected || countOf(page) > size) throw new ServiceFailure('changedList');
		return page;
	} catch (error) {
		const failure = asServiceFailure(error).with({ page: number, recordsRead: 0 });
		throw isRejection(failure) ? new ServiceFailure('unnumbered', failure.facts) : failure;
	}
}

/** Returns the page size that the service reports, or the requested page size if the service does not report any. */
function sizeOf({ envelope, pageSize }: FetchedPage): number {
	const { page_size: size } = envelope.meta.pagination;
	return isCount(size) ? size : pageSize;
}

/**
 * Returns the pages with their selected records, numbered from 1. Throws ServiceFailure `undatedList` if a date range
 * is set and no record has a date.
 */
function outputOf(pages: readonly TailPage[], { sort }: CursorPaging): Page[] {
	let recordsRead = 0;
	const output = pages.map((page, index) => {
		recordsRead += page.indexes.length + page.filtered;
		const isLast = index === pages.length - 1;
		const selection = { ...page, recordsLeftOut: 0 };
		return { ...withSelection(page, selection), number: index + 1, recordsRead, isLast };
	});
	if (pages.at(-1)?.remaining.isUndated === true && recordsRead > 0)
		throw new ServiceFailure('undatedList', { dateField: sort });
	return output;
}

const unnumbered = (page?: FetchedPage): ServiceFailure =>
	new ServiceFailure('unnumbered', { ctxId: contextIdOf(page?.envelope) });
