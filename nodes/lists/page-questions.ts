import { ServiceFailure, isRateLimit, isRejection } from '../client/failures';
import { wasNotProcessed } from '../client/retry';
import { recordsWithin, type DateRange } from './dates';
import { bringsMore, countOf, isSamePosition, type CursorSort, type FetchedPage } from './page';
import {
	evenly,
	FIRST_PAGE_SIZE,
	largerThan,
	smallerThan,
	SMALLEST_PAGE_SIZE,
	TOO_MANY_CHARACTERS,
	type ListSizes,
} from './page-size';

/** How a list is read by cursors. */
export interface CursorPaging {
	mode: 'cursor';
	/** All where it is undefined. */
	maximum?: number;
	/** Chosen on the first page where it is undefined. */
	pageSize?: number;
	sort: CursorSort;
	/** Where to begin. It needs the `pageSize` that it came with. */
	startCursor?: string;
	/** The service only estimates how many records the list has, so its `total` proves nothing. */
	ignoreTotal?: boolean;
	range?: DateRange;
}

/** How a list is read by cursors, besides what the user has chosen. */
export interface CursorReading extends Omit<CursorPaging, 'mode'> {
	sizes: ListSizes;
	/** No page is asked for with more records: a file has to hold a whole one. */
	mostPerPage?: number;
	/** The end is proven also where the maximum is reached: what comes out says where to continue, or that nothing follows. */
	saysEnd?: boolean;
	/** Asks for the next page while one is handled. */
	readsAhead?: boolean;
	/** In ms since some moment. */
	now: () => number;
}

/** Where a reading has come to: what the next page comes after. */
export interface Position {
	/** Both undefined at the beginning of a list. */
	cursor?: string;
	limit?: number;
	/** The last cursor that came with records, and its limit: from there the list can be continued. */
	resume: { nextCursor?: string; limit?: number };
	/** From 1. */
	number: number;
	/** Records of the pages before. */
	recordsRead: number;
	recordsGiven: number;
	/** The date of the last dated record; looked at only where a date range is wanted. */
	lastTime: number | null;
	/** What tells the page before from others, undefined where it was empty; and the total that it gave. */
	ends?: string;
	total?: number;
	emptySinceMs?: number;
}

/** Says which page to fetch next, until it has what it looks for. A trial tries a larger limit and is not retried. */
type Questions<Answer> = Generator<
	{ cursor?: string; limit: number; isTrial?: boolean },
	Answer,
	FetchedPage | ServiceFailure
>;

/** A page, and why the list is not whole where that cannot be proven. */
export interface Found {
	page: FetchedPage;
	failure?: ServiceFailure;
}

/**
 * Which requests a page of a list takes: pure, without the client and the clock. The limit of a list is chosen on its
 * first page, where no cursor exists yet that could be bound to it; its end is proven (docs/assumptions.md, A3 and A4).
 */
export class PageQuestions {
	private readonly reading: CursorReading;
	/** So many records came with a next cursor by this limit: the service cuts no page below that. */
	private proven: { limit?: number; records: number } = { records: 0 };

	constructor(reading: CursorReading) {
		this.reading = reading;
		// A Start Cursor came from a page of this limit, so the limit is proven for any number of records.
		if (reading.startCursor !== undefined)
			this.proven = { limit: reading.pageSize, records: Infinity };
	}

	/** The requests for the page at this position. */
	*at(position: Position): Questions<Found> {
		const { cursor, limit } = position;
		const page =
			limit === undefined ? yield* this.first(position) : this.came(yield { cursor, limit });
		return page.nextCursor === undefined ? yield* this.provenEnd(position, page) : { page };
	}

	/** Which records of a page are wanted, and whether the reading ends with it, however the list goes on. */
	select({ recordsGiven, lastTime }: Position, page: FetchedPage) {
		const { maximum = Infinity, range, sort, startCursor } = this.reading;
		const { indexes, isPast, ...dates } =
			range === undefined
				? { indexes: [...page.envelope.data.items.keys()], lastTime, isPast: false }
				: recordsWithin(page, sort, range, lastTime);
		const left = maximum - recordsGiven;
		const given = indexes.slice(0, left);
		const recordsLeftOut = indexes.length - given.length;
		// Until a date was read, the list may have none: reading goes on after the maximum, and gives nothing more.
		const isUndated = range !== undefined && startCursor === undefined && dates.lastTime === null;
		const isEnough = isPast || (indexes.length >= left && !isUndated);
		// What follows on the page itself is not given out, so its cursor leads past records.
		const isCut = isPast || recordsLeftOut > 0;
		return { ...dates, indexes: given, recordsLeftOut, isCut, isEnough, isUndated };
	}

	private came(page: FetchedPage | ServiceFailure): FetchedPage {
		if (page instanceof ServiceFailure) throw page;
		const { limit, nextCursor } = page;
		const records = countOf(page);
		// An empty page shows nothing of how many records come by this limit.
		if (nextCursor === undefined || records === 0) return page;
		const most = this.proven.limit === limit ? this.proven.records : limit;
		this.proven = { limit, records: Math.max(most, records) };
		return page;
	}

	private *first(position: Position): Questions<FetchedPage> {
		const { sizes, pageSize, maximum = Infinity, range, mostPerPage = Infinity } = this.reading;
		if (pageSize !== undefined) return this.came(yield { limit: Math.min(pageSize, mostPerPage) });
		// In a date range, nobody knows how many pages hold so many records.
		const wanted = range === undefined ? maximum : Infinity;
		const begin = Math.min(sizes.first, mostPerPage);
		const page = yield* this.accepted(new Set([evenly(begin, wanted), ...smallerThan(begin)]));
		if (page.limit > FIRST_PAGE_SIZE && page.text.length > TOO_MANY_CHARACTERS) {
			sizes.first = FIRST_PAGE_SIZE;
			return this.came(yield { limit: evenly(FIRST_PAGE_SIZE, wanted) });
		}
		const isShort = page.nextCursor === undefined || this.select(position, page).isEnough;
		return sizes.wereTried || isShort ? page : yield* this.larger(position, page, wanted);
	}

	/** The beginning by the first limit that is accepted. Where none is, the first refusal says best why. */
	private *accepted(limits: Set<number>): Questions<FetchedPage> {
		const [first] = limits;
		let refusal: ServiceFailure | undefined;
		for (const limit of limits) {
			const page = yield { limit };
			if (!(page instanceof ServiceFailure && isOfLimit(page))) {
				const accepted = this.came(page);
				// Of a maximum that was too small, later lists learn nothing.
				if (limit < first) Object.assign(this.reading.sizes, { first: limit, wereTried: true });
				return accepted;
			}
			refusal ??= page;
		}
		throw refusal;
	}

	/** The beginning again, by the largest limit that the service accepts and that the list is long enough for. */
	private *larger(position: Position, first: FetchedPage, wanted: number): Questions<FetchedPage> {
		const { sizes, ignoreTotal, mostPerPage = Infinity } = this.reading;
		const total = ignoreTotal ? Infinity : (first.total ?? Infinity);
		let below = Infinity;
		for (const limit of largerThan(first, sizes.larger, { total, wanted, most: mostPerPage })) {
			if (limit >= below) continue;
			const page = yield { limit, isTrial: true };
			const isFailure = page instanceof ServiceFailure;
			// What the service has not looked at says nothing of the limit.
			sizes.wereTried ||= !(isFailure && (wasNotProcessed(page) || page.kind === 'noTurn'));
			if (isFailure || countOf(page) <= sizes.first) continue;
			if (page.nextCursor !== undefined || this.missing(position, page) === 0) {
				sizes.first = limit;
				return this.came(page);
			}
			// The service may have cut it there without a word.
			below = countOf(page);
		}
		return first;
	}

	/** How many of the wanted records are missing after a last page, by the total; undefined where that does not tell. */
	private missing(position: Position, page: FetchedPage): number | undefined {
		const { startCursor, ignoreTotal, saysEnd } = this.reading;
		const { isEnough, isCut } = this.select(position, page);
		if (isEnough && (isCut || !saysEnd)) return 0;
		const { total = -1 } = page;
		const missing = total - position.recordsRead - countOf(page);
		return startCursor !== undefined || ignoreTotal || missing < 0 ? undefined : missing;
	}

	private *provenEnd(position: Position, last: FetchedPage): Questions<Found> {
		const { cursor } = position;
		let page = last;
		// Also by the same limit: a record may have come or gone between the count and the rows.
		for (const limit of [last.limit, ...smallerThan(last.limit)]) {
			if (!this.missing(position, page)) break;
			const again = yield* this.again(position, limit);
			if (again === undefined || !isSamePosition(cursor, again, page)) continue;
			if (bringsMore(again, page) || this.missing(position, again) === 0) page = again;
			if (page.nextCursor !== undefined) return { page };
		}
		const missing = this.missing(position, page);
		if (missing === undefined) return yield* this.provenWithoutTotal(position, page);
		if (missing === 0) return { page };
		return { page, failure: new ServiceFailure('incompleteList', { total: page.total }) };
	}

	/** A service that cuts pages below their limit gives no next cursor with it, but does so with a smaller limit. */
	private *provenWithoutTotal(position: Position, last: FetchedPage): Questions<Found> {
		const count = countOf(last);
		const { limit: provenLimit, records } = this.proven;
		if (provenLimit === last.limit && count <= records) return { page: last };
		// An empty page is asked for again by the smallest size.
		const limits = smallerThan(count > 0 ? count : Math.min(last.limit, SMALLEST_PAGE_SIZE + 1));
		let page = last;
		let isProven = limits.length === 0;
		for (const limit of limits) {
			const again = yield* this.again(position, limit);
			if (again === undefined) continue;
			// A cursor may go by the limit that it was given for: more records than that prove nothing, nor do none.
			const came = countOf(again);
			const isOdd = came > limit || (came === 0 && count > 0);
			if (again.nextCursor === undefined && isOdd) continue;
			isProven = isSamePosition(position.cursor, again, page);
			if (!isProven || !bringsMore(again, page)) break;
			page = again;
			if (page.nextCursor !== undefined) break;
		}
		return isProven ? { page } : { page, failure: new ServiceFailure('unprovenEnd') };
	}

	/** The same page by another limit; undefined where the service refuses that. */
	private *again({ cursor }: Position, limit: number): Questions<FetchedPage | undefined> {
		const page = yield { cursor, limit };
		return page instanceof ServiceFailure && isRefused(page) ? undefined : this.came(page);
	}
}

/** What a service may say to a `limit` that it does not accept. */
export function isOfLimit({ kind, facts }: ServiceFailure): boolean {
	return kind === 'unsuccessful' || [400, 413, 422].includes(facts.statusCode ?? 0);
}

/** The same request was accepted with another limit a moment ago, so 401 and 403 are about the limit too. */
function isRefused(failure: ServiceFailure): boolean {
	const isOfKey = [401, 403].includes(failure.facts.statusCode ?? 0);
	return isRejection(failure) || (isOfKey && !isRateLimit(failure.facts));
}
