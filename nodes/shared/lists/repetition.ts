import { digestOf } from '../client/exact-json';
import { pick } from '../client/raw-records';
import { countOf, recordsOf, type CursorSort, type FetchedPage } from './page';
import type { RequestedPage, Position } from './position';
import { hasIds, identitiesOf, identityAt } from './record-identity';

/** A page as it was received, before the wanted records are selected. */
export type ReceivedPage = FetchedPage & Pick<RequestedPage, 'usesKnownCursor' | 'fingerprint'>;

/** Recognizes cursors, pages and records that the service has returned before in this list. */
export class Repetition {
	private readonly sort: CursorSort;
	private readonly cursors: Set<string | undefined>;
	/** Digest of the first record of each page, in page order. Pages whose records have no ids are left out. */
	private readonly firstRecords = new Set<string>();

	constructor(sort: CursorSort, startCursor?: string) {
		this.sort = sort;
		this.cursors = new Set([startCursor]);
	}

	/** Returns a digest that identifies the first record of a page. */
	firstOf(page: FetchedPage): string {
		return digestOf(identityAt(page, 0, this.sort));
	}

	/** Remembers the first record and the next cursor of a page. Called if another page follows. */
	add(page: FetchedPage): void {
		this.cursors.add(page.nextCursor);
		if (hasIds(page)) this.firstRecords.add(this.firstOf(page));
	}

	usesKnownCursor({ nextCursor }: FetchedPage): boolean {
		return nextCursor !== undefined && this.cursors.has(nextCursor);
	}

	/** Checks whether an earlier page began with the same record as this page. */
	beginsAsBefore(page: FetchedPage): boolean {
		return hasIds(page) && this.firstRecords.has(this.firstOf(page));
	}

	repeatsPrevious({ fingerprint, total = 0 }: Position, page: ReceivedPage): boolean {
		const count = countOf(page);
		// An equal page does not count as a repetition if at least a whole page of records was added. With offset
		// cursors, new records at the front of the list move the records of the previous page onto this page.
		const added = page.usesKnownCursor ? 0 : (page.total ?? total) - total;
		return count > 0 && added < count && page.fingerprint === fingerprint;
	}

	/**
	 * Checks whether the service has started over after the end of the list, so that this page repeats earlier records.
	 * Not valid if reading began at a start cursor.
	 */
	startsOver(position: Position, page: ReceivedPage): boolean {
		const { recordsBefore, number, lastPage, fingerprint } = position;
		const { total = position.total, usesKnownCursor } = page;
		if (countOf(page) === 0) return false;
		if (total === undefined) {
			const [first] = this.firstRecords;
			// Skip this check for the second page. If it equals the first page, the service ignores cursors. So the
			// node reports an error instead.
			return number > 2 && hasIds(page) && this.firstOf(page) === first;
		}
		const isOver = recordsBefore >= total;
		if (lastPage) {
			if (page.fingerprint === fingerprint) return true;
			// The service may return the final page a second time. The two copies can differ, because records may have
			// been added or deleted between the requests. So one shared record is enough to count as a repetition,
			// unless a new next cursor and a larger total show that more records follow.
			if ((usesKnownCursor || isOver) && this.overlaps(lastPage, page)) return true;
		}
		return isOver && this.beginsAsBefore(page);
	}

	/** Returns the identities of the records with the page's last date. Some services repeat them on the next page. */
	tailOf(page: FetchedPage): string[] {
		if (!hasIds(page)) return [];
		const { items } = page.envelope.data;
		const date = items[items.length - 1][this.sort];
		const start = date ? items.findLastIndex((item) => item[this.sort] !== date) + 1 : -1;
		const indexes = [...items.keys()].slice(start);
		return indexes.map((index) => identityAt(page, index, this.sort));
	}

	/**
	 * Removes records from the beginning of a page that were already at the end of the previous page
	 * (docs/maintainers/assumptions.md, A4).
	 */
	withoutOverlap({ tail = [], fingerprint }: Position, page: ReceivedPage): ReceivedPage {
		if (tail.length === 0 || !hasIds(page) || page.fingerprint === fingerprint) return page;
		const indexes = [...page.envelope.data.items.keys()];
		const isKnown = (index: number) => tail.includes(identityAt(page, index, this.sort));
		const first = indexes.find((index) => !isKnown(index));
		return first === 0 ? page : withRecords(page, indexes.slice(first ?? indexes.length));
	}

	/** Checks whether the first or the last record of a page is also on `lastPage`. */
	private overlaps(lastPage: FetchedPage, page: FetchedPage): boolean {
		if (!hasIds(page)) return false;
		const identities = identitiesOf(lastPage, this.sort);
		const ends = [0, countOf(page) - 1].map((index) => identityAt(page, index, this.sort));
		return ends.some((identity) => identities.includes(identity));
	}
}

/** Returns the page with only the records at these indexes. */
export function withRecords(page: ReceivedPage, indexes: readonly number[]): ReceivedPage {
	const { data } = page.envelope;
	const items = indexes.map((index) => data.items[index]);
	const envelope = { ...page.envelope, data: { ...data, items } };
	return { ...page, envelope, records: pick(recordsOf(page), indexes) };
}
