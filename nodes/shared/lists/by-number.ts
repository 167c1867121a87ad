import type { Pagination } from '../client/api';
import { contextIdOf } from '../client/envelope';
import { asServiceFailure, ServiceFailure, type FailureKind } from '../client/failures';
import { assertBounded, countOf, withSelection, isCount, listRequest, pageOf } from './page';
import type { CursorSort, FetchedPage, List, Page } from './page';
import { hasIds, identitiesOf } from './record-identity';
import { RecordFilter, type RecordSelection } from './record-filter';

/** All pages have one size, since where a numbered page begins depends on it. */
export interface NumberPaging extends RecordSelection {
	mode: 'page';
	pageSize: number;
	/** The date that sorts the list, unless a key of the service's own does. */
	sort: CursorSort;
	sortKey?: string;
	firstPage: number;
	/** The service only estimates how many records the list has: then it ends with an empty page. */
	ignoreTotal?: boolean;
}

/** `total` is 0 where that is ignored. */
interface NumberedPage extends Omit<Pagination, 'next_cursor'> {
	identities: string[];
	/** Otherwise, equal records may be different ones. */
	hasIds: boolean;
}

/** Reads a list by page numbers (docs/maintainers/api.md, Paging). Pages that contradict each other are an error. */
export async function* readByNumber(
	{ client, source, limits, signal }: List,
	paging: NumberPaging,
): AsyncGenerator<Page, void> {
	const { pageSize, sort, sortKey, firstPage, ignoreTotal = false } = paging;
	let wanted = new RecordFilter(paging, sort);
	// Where a page begins depends on its size, so the size may only shrink when one page is all there is to read.
	const limit = firstPage === 1 ? Math.min(wanted.maxToRead, pageSize) : pageSize;
	let recordsRead = 0;
	let firstTotal: number | undefined;
	let before: NumberedPage | undefined;
	for (let number = 1; ; number++) {
		const page = firstPage + number - 1;
		try {
			if (!ignoreTotal) assertBounded(recordsRead, firstTotal);
			const sorted = { page, limit, sort: sortKey ?? sort };
			const request = listRequest(source, sorted, sortKey === undefined);
			const fetched = pageOf(await client(request, limits(), signal), limit);
			const found = numbersOf(fetched, ignoreTotal);
			const count = countOf(fetched);
			const selection = wanted.of(fetched);
			const hasMore = ignoreTotal ? count > 0 : found.page * found.page_size < found.total;
			const goesOn = hasMore && !selection.isComplete;
			const isStuck = found.page !== page || (hasMore && count === 0);
			const kind = isStuck ? 'wrongPage' : inconsistencyOf(found, goesOn, before, ignoreTotal);
			const facts = { received: count, total: found.total, ctxId: contextIdOf(fetched.envelope) };
			if (kind !== undefined) throw new ServiceFailure(kind, facts);
			before = found;
			wanted = selection.remaining;
			recordsRead += selection.indexes.length + selection.filtered;
			firstTotal ??= found.total;
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
	const known = ignoreTotal ? 0 : total;
	if (!Number.isSafeInteger(page) || !isCount(page_size) || known === undefined) {
		throw new ServiceFailure('missingPagination', { ctxId: contextIdOf(envelope) });
	}
	const records = { identities: identitiesOf(fetched), hasIds: hasIds(fetched) };
	return { page: page as number, page_size, total: known, ...records };
}

function inconsistencyOf(
	{ page, page_size, total, identities, hasIds: isNamed }: NumberedPage,
	goesOn: boolean,
	before: NumberedPage | undefined,
	ignoreTotal: boolean,
): FailureKind | undefined {
	const count = identities.length;
	if (before !== undefined) {
		if (identities.join() === before.identities.join()) return 'wrongPage';
		if (page_size !== before.page_size || total < before.total) return 'changedList';
		// Records of the pages before have gone to the end, or new ones have come before them.
		if (isNamed && before.identities.includes(identities[0])) return 'changedList';
		const wasShort = before.identities.length < before.page_size;
		if (ignoreTotal && wasShort && count > 0) return 'wrongPage';
	}
	if (goesOn && count > page_size) return 'wrongPage';
	if (ignoreTotal) return undefined;
	const recordsBefore = (page - 1) * page_size;
	const isShort = count < Math.min(page_size, total - recordsBefore);
	const isLong = count > 0 && recordsBefore + count > total;
	return isShort || isLong ? 'wrongPage' : undefined;
}
