import { pick } from '../client/raw-records';
import { countOf, recordsOf, type CursorSort, type FetchedPage } from './page';
import type { RequestedPage, Position } from './position';
import { hasIds, identitiesOf, identityAt } from './record-identity';

type ReceivedPage = FetchedPage & Pick<RequestedPage, 'usesKnownCursor' | 'fingerprint'>;

/** Recognizes cursors, pages and records that a list has returned before. */
export class Repetition {
	private readonly sort: CursorSort;
	private readonly cursors: Set<string | undefined>;
	/** The first record of each page, if the page's records have ids. */
	private readonly starts = new Set<string>();

	constructor(sort: CursorSort, startCursor?: string) {
		this.sort = sort;
		this.cursors = new Set([startCursor]);
	}

	/** Remembers a page from which the list goes on. */
	add(page: FetchedPage): void {
		this.cursors.add(page.nextCursor);
		if (hasIds(page)) this.starts.add(identityAt(page, 0, this.sort));
	}

	/** Checks whether the next cursor of a page was used before. */
	usesKnownCursor({ nextCursor }: FetchedPage): boolean {
		return nextCursor !== undefined && this.cursors.has(nextCursor);
	}

	/** Checks whether an earlier page began with the same record. */
	beginsAsBefore(page: FetchedPage): boolean {
		return hasIds(page) && this.starts.has(identityAt(page, 0, this.sort));
	}

	/** Checks whether the list is at its end, and this page only returns what came before. For reading from the beginning. */
	isRoundAgain(position: Position, page: ReceivedPage): boolean {
		const { recordsBefore, number, lastPage, fingerprint } = position;
		const { total = position.total, usesKnownCursor } = page;
		if (countOf(page) === 0) return false;
		if (total === undefined) {
			// If the second page is the first one again, the service may ignore cursors.
			const [beginning] = this.starts;
			return number > 2 && hasIds(page) && identityAt(page, 0, this.sort) === beginning;
		}
		const isOver = recordsBefore >= total;
		if (lastPage && page.fingerprint === fingerprint) return true;
		// A page that leads to itself may have new records at its end.
		if (lastPage && (usesKnownCursor || isOver) && this.overlaps(lastPage, page)) return true;
		return isOver && this.beginsAsBefore(page);
	}

	/** Checks whether the page before came once more, and not because as many new records moved its records on. */
	isRepeated({ fingerprint, total = 0 }: Position, page: ReceivedPage): boolean {
		const count = countOf(page);
		const grownBy = page.usesKnownCursor ? 0 : (page.total ?? total) - total;
		return count > 0 && grownBy < count && page.fingerprint === fingerprint;
	}

	/** Checks whether a page begins or ends with a record of the last page. */
	private overlaps(lastPage: FetchedPage, page: FetchedPage): boolean {
		// Records without an id may be equal without being the same.
		if (!hasIds(page)) return false;
		const identities = identitiesOf(lastPage, this.sort);
		const ends = [0, countOf(page) - 1].map((index) => identityAt(page, index, this.sort));
		return ends.some((identity) => identities.includes(identity));
	}

	/** Returns the last records of a page that have the same date: the next page begins with them if cursors are inclusive. */
	tailOf(page: FetchedPage): string[] {
		if (!hasIds(page)) return [];
		const { items } = page.envelope.data;
		const date = items[items.length - 1][this.sort];
		const tail: string[] = [];
		for (let index = items.length - 1; index >= 0 && items[index][this.sort] === date; index--) {
			tail.push(identityAt(page, index, this.sort));
			if (!date) break;
		}
		return tail;
	}

	/** Removes records at the beginning of a page that the page before ended with (A4). */
	withoutOverlap<Page extends ReceivedPage>(
		{ tail = [], fingerprint }: Position,
		page: Page,
	): Page {
		const { sort } = this;
		if (tail.length === 0 || !hasIds(page) || page.fingerprint === fingerprint) return page;
		const indexes = [...page.envelope.data.items.keys()];
		const first = indexes.find((index) => !tail.includes(identityAt(page, index, sort)));
		if (first === 0) return page;
		return withRecords(page, indexes.slice(first ?? indexes.length));
	}
}

/** Returns the page with the records at these indexes only. */
export function withRecords<Fetched extends FetchedPage>(
	page: Fetched,
	indexes: readonly number[],
): Fetched {
	const { data } = page.envelope;
	const items = indexes.map((index) => data.items[index]);
	const envelope = { ...page.envelope, data: { ...data, items } };
	return { ...page, envelope, records: pick(recordsOf(page), indexes) };
}
