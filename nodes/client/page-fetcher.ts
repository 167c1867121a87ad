import { bodyWithAllDigits } from './exact-json';
import { isRejection, ServiceFailure } from './failures';
import type { PageSize } from './page-size';
import {
	follows,
	pageOf,
	type CursorPaging,
	type EndsOfPage,
	type FetchedPage,
	type FetchPage,
} from './pages';

/** How a list is read by cursors. */
export interface CursorReading extends Omit<CursorPaging, 'mode' | 'pageSize'> {
	sizes: PageSize;
	/** A page ends wherever so many records, or a multiple of them, have been read: there a file ends. */
	boundary?: number;
	/** Asks for the next page while one is handled. */
	readsAhead?: boolean;
	/** What an earlier reading has shown, see `PageFetcher`. */
	shown?: { limit: number; records: number };
	/** Milliseconds that have gone by since some moment. */
	now: () => number;
}

/** The place of a page in its list, by what was read before it. */
export interface PlaceOfPage {
	cursor?: string;
	recordsRead: number;
	/** The `limit` of the page before, which the cursor came with; undefined where the reading begins. */
	limit?: number;
	/** The page before, by its first and its last record; undefined where none had any. */
	ends?: EndsOfPage;
}

/** Fetches the pages of one list, each by the size that is due, and proves its end. */
export class PageFetcher {
	private readonly fetchPage: FetchPage;
	private readonly reading: CursorReading;
	private readonly isWanted: () => boolean;
	/** The largest `limit` that came with a next cursor, and the most records of such a page. */
	private shown: { limit: number; records: number };

	constructor(fetchPage: FetchPage, reading: CursorReading, isWanted: () => boolean) {
		this.fetchPage = fetchPage;
		this.reading = reading;
		this.isWanted = isWanted;
		this.shown = reading.shown ?? { limit: 0, records: 0 };
		reading.sizes.restart();
	}

	/** The page at this place. A size that fails is followed by a smaller one, with the same cursor. */
	async fetch(place: PlaceOfPage): Promise<FetchedPage> {
		const { sizes } = this.reading;
		let refusal: unknown;
		for (;;) {
			const limit = Math.min(sizes.size, this.mostAt(place.recordsRead));
			const isOther = place.limit !== undefined && place.limit !== limit && !sizes.isProven;
			if (isOther) return await this.fetchByOtherLimit(place, limit);
			try {
				return await this.request(place, limit);
			} catch (error) {
				if (!sizes.failed(limit, error, place.limit)) {
					if (refusal !== undefined) sizes.forget();
					throw refusal ?? error;
				}
				// The first size says best what is wrong where every size is refused.
				if (place.limit === undefined) refusal ??= error;
			}
		}
	}

	/** Reads what may be a last page again by a smaller size. `isIncomplete`: by its own total, more records follow. */
	async proveEnd(place: PlaceOfPage, page: FetchedPage) {
		if (page.nextCursor !== undefined) return { page, isIncomplete: false };
		const { sizes } = this.reading;
		const missing = this.missing(place, page);
		const limit = this.limitOfProof(page, missing);
		const again =
			limit < page.limit ? await this.request(place, limit).catch(unlessRejected) : undefined;
		const showsMore =
			again !== undefined && (again.nextCursor !== undefined || countOf(again) > countOf(page));
		if (!showsMore || !this.isSamePlace(place, again, page)) {
			return { page, isIncomplete: missing > 0 };
		}
		sizes.keepBelow(page.limit, limit);
		return { page: again, isIncomplete: this.missing(place, again) > 0 };
	}

	/** How many records are missing after a last page, by the list's total; NaN where there is none. */
	private missing({ recordsRead }: PlaceOfPage, page: FetchedPage): number {
		const { startCursor, ignoreTotal, maximum = Infinity } = this.reading;
		const { total = NaN } = page;
		const read = recordsRead + countOf(page);
		if (read >= maximum) return 0;
		return startCursor !== undefined || ignoreTotal === true ? NaN : total - read;
	}

	/** By what size a last page is to be asked for again; its own, or a larger one, where it can be believed. */
	private limitOfProof(page: FetchedPage, missing: number): number {
		const { sizes, startCursor } = this.reading;
		const { limit } = page;
		if (missing > 0) return sizes.smallest;
		const isShown = limit <= this.shown.limit && countOf(page) <= this.shown.records;
		if (missing === 0 || isShown) return limit;
		// A list that is followed has a last page with every request: there, the first size is believed.
		return startCursor === undefined ? sizes.smallest : sizes.trusted;
	}

	/** Whether the same cursor leads to the same records by two limits. */
	private isSamePlace(place: PlaceOfPage, again: FetchedPage, page: FetchedPage): boolean {
		if (place.cursor === undefined || this.reading.sizes.isProven) return true;
		return countOf(page) === 0 ? place.limit === undefined : beginsAlike(again, page);
	}

	/**
	 * A cursor may lead elsewhere with another limit (docs/assumptions.md, A4). So a larger page is compared with one of the
	 * limit before, and a smaller one with the last record before it; what does not prove itself is not used.
	 */
	private async fetchByOtherLimit(place: PlaceOfPage, limit: number): Promise<FetchedPage> {
		const { sizes, sort } = this.reading;
		const { ends, limit: before = limit } = place;
		if (limit < before) {
			const shorter = await this.request(place, limit).catch(unlessRejected);
			// For this page alone: pages that are counted lead to the right place now and then.
			const isRight = shorter !== undefined && (ends === undefined || follows(shorter, ends, sort));
			return isRight ? shorter : await this.request(place, before);
		}
		// One after the other: a cursor may be good for one use, and then this page is the one to have.
		const page = await this.request(place, before);
		if (page.nextCursor === undefined || countOf(page) === 0) return page;
		const larger = await this.request(place, limit).catch((error: unknown) => {
			if (!sizes.failed(limit, error, before)) throw error;
			return undefined;
		});
		if (larger === undefined) return page;
		sizes.isProven = provesCursors(place, page, larger);
		if (sizes.isProven) return larger;
		sizes.keepBelow(limit);
		return page;
	}

	private async request({ cursor }: PlaceOfPage, limit: number): Promise<FetchedPage> {
		const { sort, sizes } = this.reading;
		const request = cursor === undefined ? { limit, sort } : { limit, cursor };
		const answer = await this.fetchPage(request, sizes.isTrial(limit), this.isWanted);
		const page = pageOf(answer, limit);
		sizes.came(page);
		// An empty page shows nothing of how many records come with a cursor.
		if (page.nextCursor !== undefined && countOf(page) > 0) {
			const { limit: largest, records } = this.shown;
			this.shown = { limit: Math.max(largest, limit), records: Math.max(records, countOf(page)) };
		}
		return page;
	}

	/** The most records that the next page may hold. */
	private mostAt(recordsRead: number): number {
		const { maximum = Infinity, boundary } = this.reading;
		const untilBoundary = boundary === undefined ? Infinity : boundary - (recordsRead % boundary);
		return Math.min(maximum - recordsRead, untilBoundary);
	}
}

function countOf({ envelope }: FetchedPage): number {
	return envelope.data.items.length;
}

/**
 * Whether one page is the beginning of another: then their cursor leads to one place by any limit. A service that counts
 * pages gives the same one twice, and the beginning of a list by any limit: those prove nothing.
 */
function provesCursors({ recordsRead }: PlaceOfPage, page: FetchedPage, longer: FetchedPage) {
	return recordsRead > 0 && countOf(page) < countOf(longer) && beginsAlike(page, longer);
}

/** Whether two pages begin with the same record, by its id: other fields may differ from one answer to the next. */
function beginsAlike(page: FetchedPage, other: FetchedPage): boolean {
	const id = firstIdOf(page);
	return id !== undefined && id === firstIdOf(other);
}

/** With all its digits, since ids may be numbers beyond 2^53. */
function firstIdOf({ envelope, text }: FetchedPage): string | undefined {
	const exact = bodyWithAllDigits({ body: envelope, text }) as FetchedPage['envelope'];
	const id: unknown = exact.data.items[0]?.id;
	return id === null ? undefined : JSON.stringify(id);
}

/** Just before, the same was answered with another limit: 401 and 403 say as little of the credential as 400 does. */
function unlessRejected(error: unknown): undefined {
	const isFailure = error instanceof ServiceFailure;
	if (isFailure && (isRejection(error) || [401, 403].includes(error.facts.statusCode ?? 0))) return;
	throw error;
}
