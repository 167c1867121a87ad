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

/** How often the end of a list is read from which records go meanwhile. */
const MAX_ATTEMPTS = 3;

/** A page of the end of a list, and what of it is wanted. */
type TailPage = FetchedPage & Selection;

/**
 * The newest records of a list, newest first, each once: one request says how many there are, then come the numbered
 * pages from the last one downwards. What is added meanwhile is not looked for. Where records go, others move to lower
 * pages, so some come again and none is missed (docs/maintainers/assumptions.md, A2).
 * @throws ServiceFailure `unnumbered` when the service does not lead to them, `changedList` when too many go,
 * `notAscending` and `undatedList` when their dates show no order
 */
export async function readNewest(list: List, paging: CursorPaging): Promise<Page[]> {
	for (let attempt = 1; ; attempt++) {
		try {
			return outputOf(await readTail(list, paging), paging);
		} catch (error) {
			const failure = asServiceFailure(error);
			const { kind, facts } = failure;
			// What changes may also look like another order, but not be refused.
			const isInOrder = kind !== 'unnumbered' || facts.statusCode !== undefined;
			if (attempt === MAX_ATTEMPTS || (kind !== 'changedList' && isInOrder)) throw failure;
		}
	}
}

/** The last pages, the newest first: enough of them, or all. */
async function readTail(list: List, paging: CursorPaging): Promise<TailPage[]> {
	const { sort, pageSize } = paging;
	const settings = { sort, pageSize, maxPerPage: pageSize ?? USUAL_PAGE_SIZE };
	const begun = await new CursorReader(list, settings).pages().next();
	const first = begun.value as Page;
	const numbered = numberedPagesOf(first);
	const oldest = identityAt(first, 0, sort);
	const unseen = new UnseenRecords(sort);
	const pages: TailPage[] = [];
	let wanted = new RecordFilter(paging, sort);
	for (let number = numbered.last; number > 0 && !pages.at(-1)?.isComplete; number--) {
		const page = numbered.isOne ? first : await readPage(list, sort, { number, ...numbered });
		// A service may give the first page whatever number it is asked for.
		if (number > 1 && identityAt(page, 0, sort) === oldest) throw unnumbered(page);
		const selection = wanted.ofFromEnd(page, unseen.of(page));
		pages.push({ ...page, ...selection });
		wanted = selection.remaining;
	}
	assertInOrder(first, pages, sort);
	return pages;
}

/** The records that no page before has brought, since others have moved down the list meanwhile. */
class UnseenRecords {
	private readonly sort: string;
	private readonly seen = new Set<string>();
	/** The newest date of the first page with records: what is newer has changed since, and so stands elsewhere by now. */
	private newest: number | undefined;

	constructor(sort: string) {
		this.sort = sort;
	}

	/** Where they stand on the next page, the newest first. */
	of(page: FetchedPage): number[] {
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

/** By its first page: how large the numbered pages of a list are, and which one is the last. Throws `unnumbered`. */
function numberedPagesOf(first: Page) {
	const count = countOf(first);
	const { total = count === 0 ? 0 : undefined } = first;
	const isOne = first.isLast && total !== undefined && total <= count;
	if (!isOne && !isCount(total)) throw unnumbered(first);
	// A service may give fewer records than it was asked for, and need not say so.
	const size = Math.min(first.pageSize, count || first.pageSize, sizeOf(first));
	return { isOne, size, last: isOne ? 1 : Math.ceil((total ?? 0) / size) };
}

/** By their dates, of which there are some: pages in another order must not pass for the newest records. */
function assertInOrder(first: Page, pages: TailPage[], sort: string): void {
	const [oldest = -Infinity] = timesIn(first, sort);
	const read = pages.flatMap((page) => {
		const times = timesIn(page, sort);
		return page.indexes.map((index) => times[index]);
	});
	const isOne = pages.length === 1 && pages[0].text === first.text;
	const isDated = isOne || read.length === 0 || read.some(Number.isFinite);
	if (isDated && !goesDown([oldest, ...read.reverse()])) return;
	throw isOne ? new ServiceFailure('notAscending') : unnumbered();
}

/** The dates of a page; -Infinity where there is none, since a service may sort such records before all others. */
function timesIn({ envelope }: FetchedPage, sort: string): number[] {
	return timesOf(envelope.data.items, sort).map((time) => time ?? -Infinity);
}

/** A page, which is full unless it is the last one. Throws ServiceFailure `changedList` where records are missing. */
async function readPage(
	{ client, source, limits, signal }: List,
	sort: string,
	{ number, size, last }: { number: number; size: number; last: number },
): Promise<FetchedPage> {
	const request = listRequest(source, { limit: size, sort, page: number });
	try {
		const page = pageOf(await client(request, limits(), signal), size);
		const { total } = page;
		const isAsked = page.envelope.meta.pagination.page === number && sizeOf(page) === size;
		if (!isAsked || total === undefined) throw unnumbered(page);
		const expected = number === last ? Math.min(size, total - (number - 1) * size) : size;
		if (countOf(page) < expected || countOf(page) > size) throw new ServiceFailure('changedList');
		return page;
	} catch (error) {
		const failure = asServiceFailure(error).with({ page: number, recordsRead: 0 });
		throw isRejection(failure) ? new ServiceFailure('unnumbered', failure.facts) : failure;
	}
}

/** A service may give fewer records a page than it is asked for, and say so. */
function sizeOf({ envelope, pageSize }: FetchedPage): number {
	const { page_size: size } = envelope.meta.pagination;
	return isCount(size) ? size : pageSize;
}

/** Only with all pages is it known which one is the last, and whether any record had a date. */
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
