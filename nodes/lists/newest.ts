import { contextIdOf } from '../client/envelope';
import { asServiceFailure, ServiceFailure, type FailureKind } from '../client/failures';
import { isRejection } from '../client/meaning';
import { CursorReader } from './by-cursor';
import { goesDown, timesOf } from './dates';
import { countOf, givenPage, isCount, listRequest, pageOf } from './page';
import type { FetchedPage, List, Page } from './page';
import { listSizes } from './page-size';
import type { CursorPaging } from './place';
import { endsOf } from './version';
import { Wanted, type Selection } from './wanted';

/** How often the end of a list is read that changes meanwhile. */
const MOST_ATTEMPTS = 3;
const ENDS_AN_ATTEMPT: FailureKind[] = ['changedList', 'unnumbered'];

/** How many of the newest records are wanted, by which date, and of which date range. */
export type NewestPaging = CursorPaging & { maximum: number };

/** A page of the end of a list, and what of it is wanted. */
type TailPage = FetchedPage & Selection;

/**
 * The newest records of a list, newest first, each once: the reverse of its order, as the list was at one moment, as far
 * as its total and its last page tell. They are read by numbered pages from the end.
 * @throws ServiceFailure `unnumbered` when the service does not lead to them, `changedList` when they keep changing,
 * `notAscending` and `undatedList` when their dates show no order
 */
export async function readNewest(list: List, paging: NewestPaging): Promise<Page[]> {
	const pages = await new Tail(list, paging).read();
	const given: Page[] = [];
	let recordsRead = 0;
	for (const [index, page] of pages.entries()) {
		recordsRead += countOf(page) - page.recordsLeftOut;
		const place = { number: index + 1, recordsRead, isLast: index === pages.length - 1 };
		given.push({ ...givenPage(page, page.indexes, 0, undefined), ...place });
	}
	const isUndated = pages[pages.length - 1].rest.isUndated;
	if (isUndated && recordsRead > 0) {
		throw new ServiceFailure('undatedList', { dateField: paging.sort });
	}
	return given;
}

/** The end of a list that may change while it is read. */
class Tail {
	private readonly list: List;
	private readonly paging: NewestPaging;
	private readonly wanted: Wanted;
	/** The date of the first record: what comes at the end may not be older. */
	private oldest: number | null = null;
	private total = 0;
	/** The largest page that the service is known to give. */
	private largest = 0;

	constructor(list: List, paging: NewestPaging) {
		this.list = list;
		this.paging = paging;
		this.wanted = new Wanted(paging, paging.sort);
	}

	/** The last pages, the newest first: enough of them, or all. */
	async read(): Promise<TailPage[]> {
		const { sort, pageSize } = this.paging;
		const settings = { sort, pageSize, sizes: { ...listSizes(), wereTried: true } };
		const begun = await new CursorReader(this.list, settings).pages().next();
		const { isLast, ...first } = begun.value as Page;
		const count = countOf(first);
		const { total = count === 0 ? 0 : undefined } = first;
		const times = timesOf(first.envelope.data.items, sort);
		if (isLast && total !== undefined && total <= count) {
			// A single page shows its order too: a service that gives its newest records first must not pass for another.
			if (goesDown(times)) throw new ServiceFailure('notAscending');
			return [{ ...first, ...this.wanted.ofFromEnd(first) }];
		}
		if (!isCount(total)) throw unnumbered(first);
		this.oldest = times[0] ?? null;
		this.total = total;
		// A service may give fewer records than it was asked for, and need not say so.
		this.largest = Math.min(first.limit, count || first.limit, sizeOf(first));
		for (let attempt = 1; ; attempt++) {
			try {
				return await this.readTail();
			} catch (error) {
				const failure = asServiceFailure(error);
				if (attempt === MOST_ATTEMPTS || !ENDS_AN_ATTEMPT.includes(failure.kind)) throw failure;
			}
		}
	}

	/** One attempt: all pages have one total, and the last page is the same before and after the others. */
	private async readTail(): Promise<TailPage[]> {
		const { total, largest } = this;
		const number = Math.ceil(total / largest);
		const last = await this.readPage(number, largest);
		this.largest = Math.min(largest, sizeOf(last));
		const isWhole = countOf(last) > 0 && (number - 1) * largest + countOf(last) === total;
		if (sizeOf(last) !== largest || !isWhole) throw unnumbered(last);
		const pages = await this.readBack(last, number);
		if (number > 1) await this.assertNothingAfter(number, largest);
		if (pages.length > 1) {
			const { sort } = this.paging;
			const again = await this.readPage(number, largest);
			const isSame = countOf(again) > 0 && endsOf(again, sort) === endsOf(last, sort);
			if (!isSame) throw new ServiceFailure('changedList');
		}
		if (number > 1 && !this.isInOrder(pages)) throw unnumbered();
		return pages;
	}

	/** From the last page backwards, until there is enough. */
	private async readBack(last: FetchedPage, number: number): Promise<TailPage[]> {
		const pages = [{ ...last, ...this.wanted.ofFromEnd(last) }];
		for (let before = number - 1; before > 0 && !pages[pages.length - 1].isEnough; before--) {
			const page = await this.readPage(before, this.largest);
			if (countOf(page) !== this.largest) throw new ServiceFailure('changedList');
			pages.push({ ...page, ...pages[pages.length - 1].rest.ofFromEnd(page) });
		}
		return pages;
	}

	/** A service may estimate its total, or give the first page whatever number it is asked for. */
	private async assertNothingAfter(last: number, limit: number): Promise<void> {
		const after = await this.readPage(last + 1, limit).catch((error: unknown) => {
			if (asServiceFailure(error).kind !== 'unnumbered') throw error;
		});
		if (after && countOf(after) > 0) throw unnumbered(after);
	}

	/** By their dates, of which there are some: pages in another order must not pass for the newest records. */
	private isInOrder(pages: FetchedPage[]): boolean {
		const read = pages
			.toReversed()
			.flatMap(({ envelope }) => timesOf(envelope.data.items, this.paging.sort));
		// A service may sort records without a date before all others.
		const times = [this.oldest, ...read].map((time) => time ?? -Infinity);
		return !goesDown(times) && times.some(Number.isFinite);
	}

	private async readPage(number: number, limit: number): Promise<FetchedPage> {
		const { client, source, limits, signal } = this.list;
		const request = listRequest(source, { limit, sort: this.paging.sort, page: number }, true);
		try {
			const fetched = pageOf(await client(request, limits(), signal), limit);
			const { page } = fetched.envelope.meta.pagination;
			if (page !== number || !isCount(fetched.total)) throw unnumbered(fetched);
			const isChanged = fetched.total !== this.total;
			this.total = fetched.total;
			if (isChanged) throw new ServiceFailure('changedList');
			return fetched;
		} catch (error) {
			const failure = asServiceFailure(error).with({ page: number, recordsRead: 0 });
			throw isRejection(failure) ? new ServiceFailure('unnumbered', failure.facts) : failure;
		}
	}
}

/** The page size that a page says it has. */
function sizeOf({ envelope, limit }: FetchedPage): number {
	const { page_size: size } = envelope.meta.pagination;
	return isCount(size) ? size : limit;
}

const unnumbered = (page?: FetchedPage): ServiceFailure =>
	new ServiceFailure('unnumbered', { ctxId: contextIdOf(page?.envelope) });
