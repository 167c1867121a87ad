import { contextIdOf } from '../../client/envelope';
import { bodyWithAllDigits } from '../../client/exact-json';
import { asServiceFailure, isRejection, ServiceFailure } from '../../client/failures';
import type { ListEnvelope } from '../../client/api';
import { versionOf, type Version } from '../../lists/version';
import { isCount } from '../../lists/by-number';
import { isWithin } from '../../lists/date-range';
import { goesDown, timeOf } from '../../lists/dates';
import { givenPage, listRequest, pageOf } from '../../lists/page';
import type { FetchedPage, List, Page } from '../../lists/page';
import { isOfLimit, type CursorPaging } from '../../lists/page-questions';
import { FIRST_PAGE_SIZE, smallerThan } from '../../lists/page-size';

/** How often the last page is looked for, and how often the list is read again because it has changed meanwhile. */
const MOST_ATTEMPTS = 10;

/** How many of the newest records are wanted, by which date, and of which stretch of time. */
export type NewestPaging = CursorPaging & { maximum: number };

/** A numbered page, or the first one by cursor, with the versions of its records. */
interface TailPage {
	/** 1 for the first page by cursor. */
	number: number;
	fetched: FetchedPage;
	versions: Version[];
	/** How many records its size is, by its own numbers. */
	size: number;
}

/**
 * The newest records of a list, newest first: exactly the reverse of its order, each record once, as the list was at one
 * moment. They are read by numbered pages from the end, all over again where the list changes meanwhile.
 *
 * @throws ServiceFailure `unnumbered` when the service does not lead to them, `changedList` when they keep changing,
 * `notAscending` and `undatedList` when their dates show no order
 */
export async function readNewest(list: List, paging: NewestPaging): Promise<Page[]> {
	const { maximum, sort, range = {} } = paging;
	const tail = new Tail(list, paging);
	const pages = await tail.read();
	const times = pages.flatMap(({ versions }) => versions.map(({ time }) => time));
	if (paging.range !== undefined && times.length > 0 && times.every((time) => time === null)) {
		throw new ServiceFailure('undatedList', { dateField: sort });
	}
	let left = maximum;
	return pages.map(({ fetched, versions }, index) => {
		const wanted = [...versions.keys()].filter((place) => isWithin(versions[place].time, range));
		const places = wanted.reverse().slice(0, left);
		left -= places.length;
		const recordsRead = maximum - left;
		const isLast = index === pages.length - 1;
		return { ...givenPage(fetched, places, 0, undefined), number: index + 1, recordsRead, isLast };
	});
}

/** The end of a list that may change while it is read. */
class Tail {
	private readonly list: List;
	private readonly paging: NewestPaging;
	/** The beginning of the list: what comes at its end may not be older. */
	private first: Version[] = [];
	/** As the last answer said. */
	private total = 0;
	/** The largest page that the service gives, as far as that is known. */
	private largest = FIRST_PAGE_SIZE;

	constructor(list: List, paging: NewestPaging) {
		this.list = list;
		this.paging = paging;
	}

	/** The last pages of the list, the newest first: enough of them, or all. */
	async read(): Promise<TailPage[]> {
		const first = await this.fetchFirst();
		const { fetched, versions } = first;
		const count = versions.length;
		const { total = count === 0 ? 0 : undefined, nextCursor } = fetched;
		if (nextCursor === undefined && total !== undefined && total <= count) {
			// A single page shows its order too: a service that gives its newest records first must not pass for another.
			if (goesDown(versions.map(({ time }) => time))) throw new ServiceFailure('notAscending');
			return [first];
		}
		if (!isCount(total)) throw unnumbered(fetched.envelope);
		this.first = versions;
		this.total = total;
		// A service may give fewer records than it was asked for, and need not say so.
		this.largest = Math.min(fetched.limit, count || fetched.limit, first.size);
		for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
			const pages = await this.readBack();
			if (pages === undefined || !(await this.areUnchanged(pages))) continue;
			if (!this.isAfterFirst(pages)) throw unnumbered();
			return pages;
		}
		throw new ServiceFailure('changedList');
	}

	/** Reads from the last page backwards, until there are enough. Undefined where the list has changed meanwhile. */
	private async readBack(): Promise<TailPage[] | undefined> {
		const { maximum, range = {} } = this.paging;
		const pages: TailPage[] = [];
		let found = 0;
		for (let page = await this.findLast(); ; ) {
			pages.push(page);
			found += page.versions.filter(({ time }) => isWithin(time, range)).length;
			const oldest = page.versions[0]?.time ?? null;
			const isOlder = oldest !== null && oldest <= (range.after ?? -Infinity);
			if (isOlder || found >= maximum || page.number === 1) return pages;
			const next = await this.readPage(page.number - 1, page.size);
			if (next.size !== page.size || next.versions.length !== page.size) return undefined;
			page = next;
		}
	}

	/** Pages that are the same a second time were so at one moment: after the first time, and before the second. */
	private async areUnchanged(pages: TailPage[]): Promise<boolean> {
		if (pages.length === 1) return true;
		for (const page of pages) {
			const again = await this.readPage(page.number, page.size);
			if (again.fetched.total !== page.fetched.total || keyOf(again) !== keyOf(page)) return false;
		}
		return true;
	}

	/** The last page: no page follows it. */
	private async findLast(): Promise<TailPage> {
		for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
			const limit = this.largest;
			const last = await this.readPage(Math.ceil(this.total / limit), limit);
			const { number, versions, size } = last;
			const { total } = this;
			this.largest = Math.min(limit, size);
			const isLast = versions.length > 0 && (number - 1) * limit + versions.length === total;
			if (size !== limit || !isLast) continue;
			if (number === 1) return last;
			const onFirst = new Set(this.first.slice(0, limit).map(({ digest }) => digest));
			// A service that ignores the number of the page gives the first one again, whatever number it says.
			const isFirst = versions.every(({ digest }) => onFirst.has(digest));
			if (isFirst || !this.isAfterFirst([last])) throw unnumbered();
			const following = await this.readPage(number + 1, limit).catch((error: unknown) => {
				if (error instanceof ServiceFailure && error.kind === 'unnumbered') return undefined;
				throw error;
			});
			if (following === undefined || following.versions.length === 0) return last;
			if (this.total <= total) throw unnumbered();
		}
		throw unnumbered();
	}

	/** In the order of their dates, of which there are some: pages in another order must not pass for the newest records. */
	private isAfterFirst(pages: TailPage[]): boolean {
		const inOrder = pages.toReversed().flatMap(({ versions }) => versions);
		// A service may sort records without a date before all others.
		const times = [...this.first.slice(0, 1), ...inOrder].map(({ time }) => time ?? -Infinity);
		return !goesDown(times) && times.some(Number.isFinite);
	}

	private async fetchFirst(): Promise<TailPage> {
		const { pageSize } = this.paging;
		const limits = [FIRST_PAGE_SIZE, ...smallerThan(FIRST_PAGE_SIZE)];
		let refusal: ServiceFailure | undefined;
		for (const limit of pageSize === undefined ? limits : [pageSize]) {
			try {
				return await this.fetch(limit);
			} catch (error) {
				const failure = asServiceFailure(error);
				if (!isOfLimit(failure)) throw failure;
				refusal ??= failure;
			}
		}
		throw refusal ?? unnumbered();
	}

	private async readPage(number: number, limit: number): Promise<TailPage> {
		try {
			const page = await this.fetch(limit, number);
			const { pagination } = page.fetched.envelope.meta;
			const { total } = page.fetched;
			if (pagination.page !== number || !isCount(total)) {
				throw unnumbered(page.fetched.envelope);
			}
			this.total = total;
			return page;
		} catch (error) {
			const failure = asServiceFailure(error).with({ page: number, recordsRead: 0 });
			throw isRejection(failure) ? new ServiceFailure('unnumbered', failure.facts) : failure;
		}
	}

	private async fetch(limit: number, page?: number): Promise<TailPage> {
		const { client, source, limits } = this.list;
		const { sort } = this.paging;
		const request = page === undefined ? { limit, sort } : { limit, sort, page };
		const fetched = pageOf(await client(listRequest(source, request, true), limits()), limit);
		const { envelope, text } = fetched;
		// Two ids may differ in the last digits only.
		const exact = bodyWithAllDigits({ body: envelope, text }) as ListEnvelope;
		const versions = envelope.data.items.map((record, place) =>
			versionOf(record, sort, exact.data.items[place], timeOf),
		);
		const { page_size: size } = envelope.meta.pagination;
		return { number: page ?? 1, fetched, versions, size: isCount(size) ? size : limit };
	}
}

function keyOf({ versions }: TailPage): string {
	return versions.map(({ digest }) => digest).join();
}

function unnumbered(envelope?: ListEnvelope): ServiceFailure {
	return new ServiceFailure('unnumbered', { ctxId: contextIdOf(envelope) });
}
