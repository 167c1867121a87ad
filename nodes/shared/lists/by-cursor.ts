// nodes/shared/lists/: reads the pages of a list by cursor or by page number. Does not use n8n.

import { contextIdOf } from '../client/envelope';
import { asServiceFailure, ServiceFailure } from '../client/failures';
import { rejectsPageSize, isRejection } from '../client/failure-classes';
import { assertBounded, countOf, listRequest, pageOf, withSelection } from './page';
import type { FetchedPage, List, Page } from './page';
import { PageSizeSearch, USUAL_PAGE_SIZE } from './page-size';
import type { RequestedPage, CursorSettings, Position } from './position';
import { Repetition, withRecords, type ReceivedPage } from './repetition';
import { fingerprintOf, hasIds } from './record-identity';
import { RecordFilter } from './record-filter';

/** Maximum number of consecutive pages without a new record before the list counts as endless. */
const MAX_PAGES_WITHOUT_PROGRESS = 10_000;
/** Number of consecutive empty pages that end a list if its total has decreased while the list was read. */
const EMPTY_PAGES_AT_END = 100;

/** Reads a list page by page. Each page has the cursor of the next page (docs/maintainers/how-a-list-is-read.md). */
export class CursorReader {
	private readonly list: List;
	private readonly settings: CursorSettings;
	private readonly repetition: Repetition;
	private readonly ended = new AbortController();
	/** Signal that cancels all requests. It is aborted when the run ends, or when reading the list ends. */
	private readonly signal: AbortSignal;

	constructor(list: List, settings: CursorSettings) {
		this.list = list;
		this.settings = settings;
		this.repetition = new Repetition(settings.sort, settings.startCursor);
		const signals = [this.ended.signal, list.signal];
		this.signal = AbortSignal.any(signals.filter((signal) => signal !== undefined));
	}

	/**
	 * Returns the pages in order. Throws a ServiceFailure with the page number, the number of records read, and the
	 * cursor to continue from.
	 */
	async *pages(): AsyncGenerator<Page, void> {
		let position = this.start();
		let nextPage: Promise<RequestedPage> | undefined;
		try {
			for (;;) {
				const { pageSize } = position;
				nextPage ??=
					pageSize === undefined ? this.requestFirst(position) : this.request(position, pageSize);
				const received = await nextPage;
				const isShort = !received.isComplete && this.missingAfter(position, received) > 0;
				const complete = isShort ? await this.requestAgain(position, received) : received;
				const page = this.withoutTrailingCursor(position, complete);
				const next = this.nextPosition(position, page);
				nextPage = next && this.settings.readsAhead ? this.request(next, next.pageSize) : undefined;
				// Mark a rejected promise as handled, because an unhandled rejection would end n8n's process.
				nextPage?.catch(() => undefined);
				yield this.outputOf(position, page, next === undefined);
				if (next === undefined) {
					this.assertWhole(position, page);
					return;
				}
				if (!this.settings.ignoreTotal)
					assertBounded(next.recordsBefore, next.firstTotal, next.resume);
				position = next;
			}
		} catch (error) {
			throw this.failureAt(position, asServiceFailure(error));
		} finally {
			this.ended.abort();
		}
	}

	private start(): Position {
		const { startCursor: cursor, pageSize: chosen, maxPerPage = Infinity, sort } = this.settings;
		const pageSize = chosen === undefined ? undefined : Math.min(chosen, maxPerPage);
		const resume = { nextCursor: cursor, pageSize: cursor === undefined ? undefined : pageSize };
		const filter = new RecordFilter(this.settings, sort);
		const counts = { number: 1, recordsBefore: 0, pagesWithoutProgress: 0 };
		return { cursor, pageSize, resume, filter, ...counts };
	}

	/** Requests a page, selects its wanted records, and checks whether it repeats an earlier page. */
	private async request(
		position: Position,
		pageSize: number,
		limits = this.list.limits(),
	): Promise<RequestedPage> {
		const { client, source } = this.list;
		const { sort, ignoreTotal } = this.settings;
		const { cursor, filter } = position;
		const place = cursor === undefined ? { sort } : { cursor };
		const request = listRequest(source, { limit: pageSize, ...place });
		const response = pageOf(await client(request, limits, this.signal), pageSize);
		if (ignoreTotal) response.total = undefined;
		const fingerprint = countOf(response) === 0 ? undefined : fingerprintOf(response, sort);
		const usesKnownCursor = this.repetition.usesKnownCursor(response);
		const received = { ...response, fingerprint, usesKnownCursor };
		const page = this.repetition.withoutOverlap(position, received);
		const { items } = response.envelope.data;
		const isAtOneDate = page !== received && items.at(0)?.[sort] === items.at(-1)?.[sort];
		const isAfterEnd = this.isAfterEnd(position, page);
		// Remove repeated records before filtering, because their older dates would make the list look unsorted.
		const rest = isAfterEnd ? withRecords(page, []) : page;
		return { ...rest, ...filter.select(rest), isAfterEnd, isAtOneDate };
	}

	/** Requests the first page. Tries smaller page sizes until one works, and uses this size for the whole list. */
	private async requestFirst(position: Position): Promise<RequestedPage> {
		const { maxPerPage = Infinity } = this.settings;
		const search = new PageSizeSearch(maxPerPage, position.filter.maxToRead);
		for (;;) {
			try {
				const limits = search.limitsOf(this.list.limits());
				const page = await this.request(position, search.pageSize, limits);
				if (search.accepts(page)) return page;
			} catch (error) {
				search.failed(asServiceFailure(error));
			}
		}
	}

	/**
	 * Requests the final page again, because the list may have changed after the service counted its records. Returns
	 * the more complete of the two responses.
	 */
	private async requestAgain(position: Position, page: RequestedPage): Promise<RequestedPage> {
		const again = await this.request(position, page.pageSize).catch((error: unknown) => {
			// Keep the first response if the second request is rejected, because some cursors can be used only once.
			if (isRejection(asServiceFailure(error))) return page;
			throw error;
		});
		// Keep the first response's total if the second response has none, so that missing records are still an error.
		const second = { ...again, total: again.total ?? page.total };
		const { repetition } = this;
		const hadRecords = position.cursor !== undefined && countOf(page) > 0;
		// Use the second response only if it begins with the same record as the first. If the list has changed, a
		// cursor that is an offset can lead to other records.
		const isSamePlace = !hadRecords || repetition.firstOf(page) === repetition.firstOf(second);
		const isBetter = countOf(second) > countOf(page) || this.missingAfter(position, second) === 0;
		return isSamePlace && isBetter ? second : page;
	}

	/**
	 * Returns the number of records missing at the list's end, compared with its latest total. Returns 0 if the page
	 * has a next cursor, or if reading began at a start cursor, because the total includes the records before it.
	 */
	private missingAfter({ recordsBefore, total = 0 }: Position, page: FetchedPage): number {
		if (page.nextCursor !== undefined || this.settings.startCursor !== undefined) return 0;
		return Math.max(0, (page.total ?? total) - recordsBefore - countOf(page));
	}

	/** Checks whether the list had already ended before this page, so that the page only repeats earlier records. */
	private isAfterEnd(position: Position, page: ReceivedPage): boolean {
		const { startCursor, isFollowed } = this.settings;
		if (startCursor === undefined) return this.repetition.startsOver(position, page);
		const isSame = hasIds(page) && this.repetition.repeatsPrevious(position, page);
		return isSame && isFollowed === true && page.total !== undefined;
	}

	/** Removes the next cursor that many services return on the final page (docs/maintainers/assumptions.md, A3). */
	private withoutTrailingCursor(position: Position, page: RequestedPage): RequestedPage {
		const end = { ...page, nextCursor: undefined, usesKnownCursor: false };
		// If a page only repeats earlier records, the whole list has arrived. Set the page's total to the number of
		// records before this page, so that no record counts as missing.
		if (page.isAfterEnd && this.settings.startCursor === undefined) {
			const hasTotal = (page.total ?? position.total) !== undefined;
			return { ...end, total: hasTotal ? position.recordsBefore : undefined };
		}
		return page.isAfterEnd || this.isLast(position, page) ? end : page;
	}

	/** Checks whether a page is the final page of the list even though it has a next cursor. */
	private isLast(position: Position, page: RequestedPage): boolean {
		const { recordsBefore, firstTotal = 0, cursor, pagesWithoutProgress } = position;
		const { usesKnownCursor, nextCursor } = page;
		const total =
			this.settings.startCursor === undefined ? (page.total ?? position.total) : undefined;
		const isEmpty = countOf(page) === 0;
		if (total === undefined) {
			// A page whose next cursor is its own cursor ends the list, unless all its records have the same date. The
			// cursor may be this date, and stays the same until all records with the date have been read.
			const leadsToItself = nextCursor === cursor && !page.isAtOneDate;
			const isRepeated = this.repetition.repeatsPrevious(position, page);
			return usesKnownCursor && (isEmpty || leadsToItself) && !isRepeated;
		}
		if (recordsBefore + countOf(page) < total) return false;
		if (usesKnownCursor) return true;
		// If records were deleted while the list was read, more records may follow an empty page. So one empty page
		// ends the list only if the list's total has not decreased.
		return isEmpty && (total >= firstTotal || pagesWithoutProgress + 1 >= EMPTY_PAGES_AT_END);
	}

	/**
	 * Returns the position of the next page, or undefined at the end. Throws if pages repeat or a list seems endless.
	 */
	private nextPosition(
		position: Position,
		page: RequestedPage,
	): (Position & { pageSize: number }) | undefined {
		this.assertNotRepeated(position, page);
		const { nextCursor, pageSize, fingerprint, total = position.total } = page;
		if (nextCursor === undefined || page.isComplete || page.usesKnownCursor) return undefined;
		const count = countOf(page);
		const recordsBefore = position.recordsBefore + count;
		const isNew = count > 0 && !this.repetition.repeatsPrevious(position, page);
		const pagesWithoutProgress = isNew ? 0 : position.pagesWithoutProgress + 1;
		if (pagesWithoutProgress >= MAX_PAGES_WITHOUT_PROGRESS) {
			const facts = this.factsOf(page, recordsBefore);
			if (count > 0) throw new ServiceFailure('repeatedPage', facts);
			// Report the next cursor, so that the user can continue after the empty pages.
			throw new ServiceFailure('emptyPages', { ...facts, nextCursor, pageSize });
		}
		this.repetition.add(page);
		return {
			cursor: nextCursor,
			pageSize,
			resume: count > 0 ? { nextCursor, pageSize } : position.resume,
			number: position.number + 1,
			recordsBefore,
			filter: page.remaining,
			fingerprint,
			tail: this.repetition.tailOf(page),
			total,
			firstTotal: position.firstTotal ?? total,
			lastPage: recordsBefore >= (total ?? Infinity) ? page : undefined,
			pagesWithoutProgress,
		};
	}

	/** Throws ServiceFailure `repeatedPage` if the service has returned this page before. */
	private assertNotRepeated(position: Position, page: RequestedPage): void {
		const { total = position.total ?? 0, usesKnownCursor } = page;
		// Compare the page's first record with earlier pages only if `total` records have arrived, or if the next
		// cursor was used before. In other cases, an equal record proves nothing, because records added to the list can
		// move a record to a later page.
		const isOver = usesKnownCursor || position.recordsBefore + countOf(page) >= total;
		const startsOver = isOver && this.repetition.beginsAsBefore(page);
		// Different records without ids can look equal. So a page without ids counts as a repetition only if its next
		// cursor equals its own cursor.
		const isCertain = hasIds(page) || page.nextCursor === position.cursor;
		if (startsOver || (isCertain && this.repetition.repeatsPrevious(position, page)))
			throw new ServiceFailure('repeatedPage', this.factsOf(page, position.recordsBefore));
	}

	/** Returns the page for the caller. A run that continues from the page's next cursor misses no record. */
	private outputOf(position: Position, page: RequestedPage, isLast: boolean): Page {
		const { indexes, filtered, isTruncated, isComplete, usesKnownCursor } = page;
		const recordsRead = position.recordsBefore + indexes.length + filtered;
		// Count the records that should follow this page, but cannot be read because it has no next cursor. Otherwise,
		// the page would look like the end of the list.
		const unreachable = isComplete && !isTruncated ? this.missingAfter(position, page) : 0;
		const nextCursor = isTruncated || usesKnownCursor ? undefined : page.nextCursor;
		// If the page is empty, return the next cursor of the last page with records, because the same records follow
		// it.
		const isEmpty = countOf(page) === 0 && nextCursor !== undefined;
		const selection = { indexes, filtered, recordsLeftOut: page.recordsLeftOut + unreachable };
		return {
			...withSelection(page, selection, isEmpty ? undefined : nextCursor),
			number: position.number,
			recordsRead,
			cursor: position.resume.nextCursor,
			nextCursor: isEmpty ? position.resume.nextCursor : nextCursor,
			isLast,
			recordsMissing: isLast && !isComplete ? this.missingAfter(position, page) : 0,
		};
	}

	/**
	 * Throws if the next cursor of the final page was used before, if records are missing, or if a date range is set
	 * and no record has a date.
	 */
	private assertWhole(position: Position, page: RequestedPage): void {
		const { startCursor, sort } = this.settings;
		const facts = this.factsOf(page, position.recordsBefore + countOf(page));
		// Throw even at the user's limit, because the next cursor would lead back to pages that were already read.
		if (page.usesKnownCursor && !page.isTruncated) throw new ServiceFailure('repeatedPage', facts);
		if (startCursor === undefined && facts.recordsRead > 0 && page.remaining.isUndated)
			throw new ServiceFailure('undatedList', { ...facts, dateField: sort });
		// Ignore the totals of earlier pages, because records may have been deleted since then.
		if (!page.isComplete && page.total !== undefined && this.missingAfter(position, page) > 0)
			throw new ServiceFailure('incompleteList', {
				...facts,
				total: page.total,
				pageSize: page.pageSize,
			});
	}

	/**
	 * Returns the details to report in an error. `nextCursor` is undefined, because continuing from it would cause the
	 * same error.
	 */
	private factsOf(page: FetchedPage, recordsRead: number) {
		const ctxId = contextIdOf(page.envelope);
		return { recordsRead, received: countOf(page), ctxId, nextCursor: undefined };
	}

	private failureAt(position: Position, failure: ServiceFailure): ServiceFailure {
		const { number: page, recordsBefore: recordsRead, resume, pageSize = 0 } = position;
		const { facts } = failure;
		const isLarge = this.settings.pageSize === undefined && pageSize > USUAL_PAGE_SIZE;
		// Suggest smaller pages only if the page may have been too large, not after throttling or for a rejected key.
		const mayBeTooLarge = isLarge && (facts.gaveUp === 'retriesUsed' || rejectsPageSize(failure));
		const smallerPageSize = mayBeTooLarge ? USUAL_PAGE_SIZE : undefined;
		return failure.with({ page, recordsRead, ...resume, smallerPageSize, ...facts });
	}
}
