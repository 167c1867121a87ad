import { contextIdOf } from '../../client/envelope';
import { asServiceFailure, isRejection, ServiceFailure } from '../../client/failures';
import { CursorReader } from '../../lists/by-cursor';
import { goesDown, isWithin, timeOf } from '../../lists/dates';
import { givenPage, isCount, listRequest, pageOf } from '../../lists/page';
import type { FetchedPage, List, Page } from '../../lists/page';
import type { CursorPaging } from '../../lists/page-questions';
import { listSizes } from '../../lists/page-size';
import { versionsOf, type Version } from '../../lists/version';

/** How often the list may change while its end is read. */
const MOST_ATTEMPTS = 10;

/** How many of the newest records are wanted, by which date, and of which date range. */
export type NewestPaging = CursorPaging & { maximum: number };

interface TailPage extends FetchedPage {
	number: number;
	versions: Version[];
	/** The page size that it says it has. */
	size: number;
}

/**
 * The newest records of a list, newest first: exactly the reverse of its order, each record once, as the list was at one
 * moment. They are read by numbered pages from the end, all over again where the list changes meanwhile.
 * @throws ServiceFailure `unnumbered` when the service does not lead to them, `changedList` when they keep changing,
 * `notAscending` and `undatedList` when their dates show no order
 */
export async function readNewest(list: List, paging: NewestPaging): Promise<Page[]> {
	const { maximum, sort, range = {} } = paging;
	const pages = await new Tail(list, paging).read();
	const times = timesOf(pages);
	if (paging.range !== undefined && times.length > 0 && times.every((time) => time === null)) {
		throw new ServiceFailure('undatedList', { dateField: sort });
	}
	const given: Page[] = [];
	let recordsRead = 0;
	for (const [index, { versions, ...page }] of pages.entries()) {
		const wanted = [...versions.keys()].filter((one) => isWithin(versions[one].time, range));
		const indexes = wanted.reverse().slice(0, maximum - recordsRead);
		recordsRead += indexes.length;
		const position = { number: index + 1, recordsRead, isLast: index === pages.length - 1 };
		given.push({ ...givenPage(page, indexes, 0, undefined), ...position });
	}
	return given;
}

/** The end of a list that may change while it is read. */
class Tail {
	private readonly list: List;
	private readonly paging: NewestPaging;
	/** The date of the first record: what comes at the end may not be older. */
	private oldest: number | null = null;
	private total = 0;
	/** The largest page that the service is known to give. */
	private largest = 0;

	constructor(list: List, paging: NewestPaging) {
		this.list = list;
		this.paging = paging;
	}

	/** The last pages, the newest first: enough of them, or all. */
	async read(): Promise<TailPage[]> {
		const { isLast, ...page } = await this.readFirst();
		const first = this.tailPage(page, 1);
		const { versions, size, limit } = first;
		const count = versions.length;
		const { total = count === 0 ? 0 : undefined } = page;
		if (isLast && total !== undefined && total <= count) {
			// A single page shows its order too: a service that gives its newest records first must not pass for another.
			if (goesDown(timesOf([first]))) throw new ServiceFailure('notAscending');
			return [first];
		}
		if (!isCount(total)) throw unnumbered(first);
		this.oldest = versions[0]?.time ?? null;
		this.total = total;
		// A service may give fewer records than it was asked for, and need not say so.
		this.largest = Math.min(limit, count || limit, size);
		let failure = unnumbered();
		for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
			const last = await this.findLast();
			if (last === undefined) continue;
			failure = new ServiceFailure('changedList');
			const pages = await this.readBack(last);
			if (pages === undefined || !(await this.areUnchanged(pages))) continue;
			if (!this.isInOrder(pages)) throw unnumbered();
			return pages;
		}
		throw failure;
	}

	/** Undefined where the list has changed, or its pages are smaller than thought. */
	private async findLast(): Promise<TailPage | undefined> {
		const limit = this.largest;
		const last = await this.readPage(Math.ceil(this.total / limit), limit);
		const { number, versions, size } = last;
		const { total } = this;
		this.largest = Math.min(limit, size);
		const isLast = versions.length > 0 && (number - 1) * limit + versions.length === total;
		if (size !== limit || !isLast) return undefined;
		if (number === 1) return last;
		if (!this.isInOrder([last])) throw unnumbered();
		// A service may estimate its total, or give the first page whatever number it is asked for.
		const following = await this.readPage(number + 1, limit).catch(noneWhereUnnumbered);
		if (following === undefined || following.versions.length === 0) return last;
		if (this.total <= total) throw unnumbered();
		return undefined;
	}

	/** Reads from the last page backwards, until there are enough. Undefined where the list has changed meanwhile. */
	private async readBack(last: TailPage): Promise<TailPage[] | undefined> {
		const { maximum, range = {} } = this.paging;
		const pages = [last];
		let wanted = 0;
		for (let page = last; page.number > 1; pages.push(page)) {
			wanted += page.versions.filter(({ time }) => isWithin(time, range)).length;
			const oldest = page.versions[0].time;
			const isOlder = oldest !== null && oldest <= (range.after ?? -Infinity);
			if (isOlder || wanted >= maximum) break;
			page = await this.readPage(page.number - 1, last.size);
			if (page.size !== last.size || page.versions.length !== last.size) return undefined;
		}
		return pages;
	}

	/** Pages that read the same twice existed together at some moment in between. */
	private async areUnchanged(pages: TailPage[]): Promise<boolean> {
		if (pages.length === 1) return true;
		for (const page of pages) {
			const again = await this.readPage(page.number, page.size);
			if (again.total !== page.total || digestsOf(again) !== digestsOf(page)) return false;
		}
		return true;
	}

	/** By their dates, of which there are some: pages in another order must not pass for the newest records. */
	private isInOrder(pages: TailPage[]): boolean {
		// A service may sort records without a date before all others.
		const times = [this.oldest, ...timesOf(pages.toReversed())].map((time) => time ?? -Infinity);
		return !goesDown(times) && times.some(Number.isFinite);
	}

	/** The beginning of the list, by the first limit that the service accepts. */
	private async readFirst(): Promise<Page> {
		const { sort, pageSize } = this.paging;
		const sizes = { ...listSizes(), wereTried: true };
		const reader = new CursorReader(this.list, { sort, pageSize, sizes, now: () => 0 });
		return (await reader.pages().next()).value as Page;
	}

	private async readPage(number: number, limit: number): Promise<TailPage> {
		const { client, source, limits } = this.list;
		const request = listRequest(source, { limit, sort: this.paging.sort, page: number }, true);
		try {
			const fetched = pageOf(await client(request, limits()), limit);
			const { page } = fetched.envelope.meta.pagination;
			if (page !== number || !isCount(fetched.total)) throw unnumbered(fetched);
			this.total = fetched.total;
			return this.tailPage(fetched, number);
		} catch (error) {
			const failure = asServiceFailure(error).with({ page: number, recordsRead: 0 });
			throw isRejection(failure) ? new ServiceFailure('unnumbered', failure.facts) : failure;
		}
	}

	private tailPage(fetched: FetchedPage, number: number): TailPage {
		const { page_size: size } = fetched.envelope.meta.pagination;
		const versions = versionsOf(fetched, this.paging.sort, timeOf);
		return { ...fetched, number, versions, size: isCount(size) ? size : fetched.limit };
	}
}

const timesOf = (pages: TailPage[]): Array<number | null> =>
	pages.flatMap(({ versions }) => versions.map(({ time }) => time));

const digestsOf = ({ versions }: TailPage): string => versions.map(({ digest }) => digest).join();

const unnumbered = (page?: FetchedPage): ServiceFailure =>
	new ServiceFailure('unnumbered', { ctxId: contextIdOf(page?.envelope) });

function noneWhereUnnumbered(error: unknown): undefined {
	if (!(error instanceof ServiceFailure) || error.kind !== 'unnumbered') throw error;
}
