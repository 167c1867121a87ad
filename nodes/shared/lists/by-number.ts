import type { Pagination } from '../client/api';
import { contextIdOf } from '../client/envelope';
import { asServiceFailure, ServiceFailure, type FailureKind } from '../client/failures';
import { assertBounded, countOf, withSelection, isCount, listRequest, pageOf } from './page';
import type { CursorSort, FetchedPage, List, Page } from './page';
import { hasIds, identitiesOf } from './record-identity';
import { RecordFilter, type RecordSelection } from './record-filter';

/** Settings for reading by page number. The page size never changes, because it determines where each page begins. */
export interface NumberPaging extends RecordSelection {
	mode: 'page';
	pageSize: number;
	/** Date field for the date range. The list is also sorted by this field, unless `sortKey` is set. */
	sort: CursorSort;
	sortKey?: string;
	firstPage: number;
	/** True if the service only estimates `total`. The node then reads until it receives an empty page. */
	ignoreTotal?: boolean;
}

/** Pagination numbers and record identities of a page. `total` is 0 if the user chose to ignore the total. */
interface NumberedPage extends Omit<Pagination, 'next_cursor'> {
	identities: string[];
	/** False if the records have no ids. Different records can then look the same. */
	hasIds: boolean;
}

/** Reads a list by page number (docs/maintainers/api.md, Paging). Throws ServiceFailure if pages are inconsistent. */
export async function* readByNumber(
	{ client, source, limits, signal }: List,
	paging: NumberPaging,
): AsyncGenerator<Page, void> {
	const { pageSize, sort, sortKey, firstPage, ignoreTotal = false } = paging;
	let filter = new RecordFilter(paging, sort);
	// Reduce the page size to the user's limit only if reading begins at page 1. A later page would begin at another
	// record if the page size were smaller.
	const limit = firstPage === 1 ? Math.min(filter.maxToRead, pageSize) : pageSize;
	let recordsRead = 0;
	let firstTotal: number | undefined;
	let previous: NumberedPage | undefined;
	for (let number = 1; ; number++) {
		const page = firstPage + number - 1;
		try {
			if (!ignoreTotal) assertBounded(recordsRead, firstTotal);
			const sorted = { page, limit, sort: sortKey ?? sort };
			const request = listRequest(source, sorted, sortKey === undefined);
			const fetched = pageOf(await client(request, limits(), signal), limit);
			const current = numbersOf(fetched, ignoreTotal);
			const count = countOf(fetched);
			const selection = filter.select(fetched);
			const hasMore = ignoreTotal ? count > 0 : current.page * current.page_size < current.total;
			const goesOn = hasMore && !selection.isComplete;
			const isStuck = current.page !== page || (hasMore && count === 0);
			const kind = isStuck ? 'wrongPage' : inconsistencyOf(current, goesOn, previous, ignoreTotal);
			const facts = { received: count, total: current.total, ctxId: contextIdOf(fetched.envelope) };
			if (kind !== undefined) throw new ServiceFailure(kind, facts);
			previous = current;
			filter = selection.remaining;
			recordsRead += selection.indexes.length + selection.filtered;
			firstTotal ??= current.total;
			yield { ...withSelection(fetched, selection), number, recordsRead, isLast: !goesOn };
			if (!goesOn) return;
		} catch (error) {
			throw asServiceFailure(error).with({ page, recordsRead, isByNumber: true });
		}
	}
}

function numbersOf(fetched: FetchedPage, ignoreTotal: boolean): NumberedPage {
	const { envelope, total } = fetched;
	const { page, page_size } = envelope.meta.pagination;
	const knownTotal = ignoreTotal ? 0 : total;
	if (!Number.isSafeInteger(page) || !isCount(page_size) || knownTotal === undefined) {
		throw new ServiceFailure('missingPagination', { ctxId: contextIdOf(envelope) });
	}
	const records = { identities: identitiesOf(fetched), hasIds: hasIds(fetched) };
	return { page: page as number, page_size, total: knownTotal, ...records };
}

function inconsistencyOf(
	{ page, page_size, total, identities, hasIds: areIdentified }: NumberedPage,
	goesOn: boolean,
	previous: NumberedPage | undefined,
	ignoreTotal: boolean,
): FailureKind | undefined {
	const count = identities.length;
	if (previous !== undefined) {
		if (identities.join() === previous.identities.join()) return 'wrongPage';
		if (page_size !== previous.page_size || total < previous.total) return 'changedList';
		// If the page begins with a record of the previous page, records were added or moved between the two requests.
		if (areIdentified && previous.identities.includes(identities[0])) return 'changedList';
		const wasShort = previous.identities.length < previous.page_size;
		if (ignoreTotal && wasShort && count > 0) return 'wrongPage';
	}
	if (goesOn && count > page_size) return 'wrongPage';
	if (ignoreTotal) return undefined;
	const recordsBefore = (page - 1) * page_size;
	const isShort = count < Math.min(page_size, total - recordsBefore);
	const isLong = count > 0 && recordsBefore + count > total;
	return isShort || isLong ? 'wrongPage' : undefined;
}
