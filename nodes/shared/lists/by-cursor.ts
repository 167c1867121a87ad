// nodes/shared/lists/: the pages of a list, by cursor and by number. Holds the client, knows nothing of n8n.

import { contextIdOf } from '../client/envelope';
import { asServiceFailure, ServiceFailure } from '../client/failures';
import { rejectsPageSize, isRejection } from '../client/failure-classes';
import { assertBounded, countOf, listRequest, pageOf, withSelection } from './page';
import type { FetchedPage, List, Page } from './page';
import { PageSizeSearch, USUAL_PAGE_SIZE } from './page-size';
import type { RequestedPage, CursorSettings, Position } from './position';
import { Repetition, withRecords } from './repetition';
import { fingerprintOf, hasIds, identityAt } from './record-identity';
import { RecordFilter } from './record-filter';

/** Maximum number of consecutive pages without a new record, with ever new cursors, before the list counts as endless. */
const MAX_PAGES_WITHOUT_PROGRESS = 10_000;

/** Reads a list by cursors (docs/maintainers/how-a-list-is-read.md). One that would be endless ends in an error. */
export class CursorReader {
	private readonly list: List;
	private readonly settings: CursorSettings;
	private readonly repetition: Repetition;
	private readonly over = new AbortController();
	/** Aborted where the run, or this list, has ended: what is still asked for then is of no use. */
	private readonly signal: AbortSignal;

	constructor(list: List, settings: CursorSettings) {
		this.list = list;
		this.settings = settings;
		this.repetition = new Repetition(settings.sort, settings.startCursor);
		const ends = [this.over.signal, list.signal];
		this.signal = AbortSignal.any(ends.filter((signal) => signal !== undefined));
	}

	/** The pages in order. Throws ServiceFailure, which says the page, the records read, and the cursor to continue with. */
	async *pages(): AsyncGenerator<Page, void> {
		let position = this.begin();
		let nextPage: Promise<RequestedPage> | undefined;
		try {
			for (;;) {
				const { pageSize } = position;
				nextPage ??=
					pageSize === undefined ? this.firstPage(position) : this.ask(position, pageSize);
				const asked = await nextPage;
				const isShort = !asked.isComplete && this.missingAfter(position, asked) > 0;
				const better = isShort ? await this.requestAgain(position, asked) : asked;
				const page = this.endedByTotal(position, better);
				const next = this.nextPosition(position, page);
				nextPage = next && this.settings.readsAhead ? this.ask(next, next.pageSize) : undefined;
				// A failure that nobody waits for yet must not end n8n's process.
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
			this.over.abort();
		}
	}

	private begin(): Position {
		const { startCursor: cursor, maxPerPage = Infinity, sort } = this.settings;
		const { pageSize: chosen } = this.settings;
		const pageSize = chosen === undefined ? undefined : Math.min(chosen, maxPerPage);
		const resume = { nextCursor: cursor, pageSize: cursor === undefined ? undefined : pageSize };
		const wanted = new RecordFilter(this.settings, sort);
		return {
			cursor,
			pageSize,
			resume,
			number: 1,
			recordsBefore: 0,
			wanted,
			pagesWithoutProgress: 0,
		};
	}

	/** The better of two looks at a page: a record may have come or gone between the count and the rows. */
	private async requestAgain(position: Position, page: RequestedPage): Promise<RequestedPage> {
		const again = await this.ask(position, page.pageSize).catch((error: unknown) => {
			// A cursor may be good for one use: then the page stays as it came.
			if (isRejection(asServiceFailure(error))) return page;
			throw error;
		});
		const { sort } = this.settings;
		const [first, other] = [page, again].map((one) => identityAt(one, 0, sort));
		const isSameRecord = position.cursor === undefined || countOf(page) === 0 || first === other;
		const isBetter = countOf(again) > countOf(page) || this.missingAfter(position, again) === 0;
		return isSameRecord && isBetter ? again : page;
	}

	/** Requests a page, selects the wanted records, and checks whether the page or its next cursor was returned before. */
	private async ask(
		position: Position,
		pageSize: number,
		limits = this.list.limits(),
	): Promise<RequestedPage> {
		const { client, source } = this.list;
		const { sort, ignoreTotal, startCursor } = this.settings;
		const { cursor, wanted } = position;
		const limit = pageSize;
		const request = listRequest(source, cursor === undefined ? { limit, sort } : { limit, cursor });
		const answer = pageOf(await client(request, limits, this.signal), pageSize);
		if (ignoreTotal) answer.total = undefined;
		const fingerprint = countOf(answer) === 0 ? undefined : fingerprintOf(answer, sort);
		const received = {
			...answer,
			fingerprint,
			usesKnownCursor: this.repetition.usesKnownCursor(answer),
		};
		const page = this.repetition.withoutOverlap(position, received);
		const [first, last] = [answer.envelope.data.items.at(0), answer.envelope.data.items.at(-1)];
		const isAtOneDate = page !== received && first?.[sort] === last?.[sort];
		const isRepeated = startCursor === undefined && this.repetition.isRoundAgain(position, page);
		// The dates of a page that came before would go down.
		const rest = isRepeated ? withRecords(page, []) : page;
		return { ...rest, ...wanted.of(rest), isRepeated, isAtOneDate };
	}

	/** The first page, by the limit that holds for the whole list: no cursor exists yet that could be bound to another. */
	private async firstPage(position: Position): Promise<RequestedPage> {
		const { maxPerPage = Infinity } = this.settings;
		const search = new PageSizeSearch(maxPerPage, position.wanted.maxToRead);
		for (;;) {
			try {
				const page = await this.ask(position, search.pageSize, search.limitsOf(this.list.limits()));
				if (search.accepts(page)) return page;
			} catch (error) {
				search.failed(asServiceFailure(error));
			}
		}
	}

	/** Returns how many records are missing after a page without a next cursor, by the latest known total. */
	private missingAfter({ recordsBefore, total = 0 }: Position, page: FetchedPage): number {
		if (page.nextCursor !== undefined || this.settings.startCursor !== undefined) return 0;
		return Math.max(0, (page.total ?? total) - recordsBefore - countOf(page));
	}

	/** Returns the page without its next cursor if that leads nowhere: many services have a cursor on the last page (A3). */
	private endedByTotal(position: Position, page: RequestedPage): RequestedPage {
		const { recordsBefore, firstTotal = 0, cursor } = position;
		const { startCursor, isFollowed } = this.settings;
		const { nextCursor, usesKnownCursor } = page;
		const count = countOf(page);
		const end = { ...page, nextCursor: undefined, usesKnownCursor: false };
		// The list is as it was before this page, whatever came or went since.
		if (page.isRepeated) return { ...end, total: recordsBefore };
		const isRepeated = this.repetition.isRepeated(position, page);
		const total = startCursor === undefined ? (page.total ?? position.total) : undefined;
		if (total === undefined) {
			if (isRepeated && hasIds(page) && isFollowed && page.total !== undefined)
				return { ...withRecords(end, []), ...NOTHING_OF_PAGE };
			// An inclusive cursor that is only a date stops at more records of one date than a page holds.
			const isLast = count === 0 || (nextCursor === cursor && !page.isAtOneDate);
			return usesKnownCursor && isLast && !isRepeated ? end : page;
		}
		if (recordsBefore + count < total) return page;
		// If the list has shrunk, some of the records read are gone, and others may follow.
		return usesKnownCursor || (count === 0 && total >= firstTotal) ? end : page;
	}

	/** Returns where the list goes on; undefined if no wanted record follows, or no cursor leads on. Throws if the list goes round. */
	private nextPosition(
		position: Position,
		page: RequestedPage,
	): (Position & { pageSize: number }) | undefined {
		const {
			nextCursor,
			pageSize,
			isComplete,
			isTruncated,
			usesKnownCursor,
			remaining: wanted,
			total,
			fingerprint,
		} = page;
		const count = countOf(page);
		const known = total ?? position.total;
		const isSame = this.repetition.isRepeated(position, page);
		// Before that many records, a page may begin as an earlier one, because new records moved the list on.
		const mayGoRound = usesKnownCursor || position.recordsBefore + count >= (known ?? 0);
		const goesRound = mayGoRound && this.repetition.beginsAsBefore(page);
		// Records without an id may be equal without being the same.
		if (goesRound || (isSame && (hasIds(page) || nextCursor === position.cursor)))
			throw new ServiceFailure('repeatedPage', this.factsOf(page, position.recordsBefore));
		if (nextCursor === undefined || isComplete || usesKnownCursor) return undefined;
		this.repetition.add(page);
		const recordsBefore = position.recordsBefore + count;
		const pagesWithoutProgress = count === 0 || isSame ? position.pagesWithoutProgress + 1 : 0;
		if (pagesWithoutProgress >= MAX_PAGES_WITHOUT_PROGRESS) {
			const facts = this.factsOf(page, recordsBefore);
			if (count > 0) throw new ServiceFailure('repeatedPage', facts);
			// The last cursor of all, so that who continues is not led through the same empty pages.
			throw new ServiceFailure('emptyPages', { ...facts, nextCursor, pageSize });
		}
		const resume = count > 0 && !isTruncated ? { nextCursor, pageSize } : position.resume;
		const lastPage = recordsBefore >= (known ?? Infinity) ? page : undefined;
		const next = { cursor: nextCursor, pageSize, resume, number: position.number + 1 };
		const tail = this.repetition.tailOf(page);
		const firstTotal = position.firstTotal ?? total;
		const seen = { fingerprint, tail, total: known, firstTotal, lastPage };
		return { ...next, recordsBefore, wanted, ...seen, pagesWithoutProgress };
	}

	/** What a reader gets of a page: the cursor after it has to lead to what is missing, in a later run too. */
	private outputOf(position: Position, page: RequestedPage, isLast: boolean): Page {
		const { indexes, filtered, isTruncated, isComplete, usesKnownCursor } = page;
		const recordsRead = position.recordsBefore + indexes.length + filtered;
		// A run that continues from here would take a missing cursor for the end of the list.
		const unreached = isComplete && !isTruncated ? this.missingAfter(position, page) : 0;
		const nextCursor = isTruncated || usesKnownCursor ? undefined : page.nextCursor;
		// An empty page's cursor adds nothing to the one before it.
		const isEmpty = countOf(page) === 0 && nextCursor !== undefined;
		const selection = { indexes, filtered, recordsLeftOut: page.recordsLeftOut + unreached };
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

	/** After the last page. Throws ServiceFailure where the list broke off there. */
	private assertWhole(position: Position, page: RequestedPage): void {
		const { startCursor, sort } = this.settings;
		const facts = this.factsOf(page, position.recordsBefore + countOf(page));
		// Also where no more is wanted, since a later run that continues here would loop; after a cut no cursor leads on.
		if (page.usesKnownCursor && !page.isTruncated) throw new ServiceFailure('repeatedPage', facts);
		if (startCursor === undefined && facts.recordsRead > 0 && page.remaining.isUndated)
			throw new ServiceFailure('undatedList', { ...facts, dateField: sort });
		// An earlier total proves nothing: records may have been deleted since.
		if (!page.isComplete && page.total !== undefined && this.missingAfter(position, page) > 0)
			throw new ServiceFailure('incompleteList', {
				...facts,
				total: page.total,
				pageSize: page.pageSize,
			});
	}

	/** Of a list that broke off after this page. They name no cursor, since the list would break off there again. */
	private factsOf(page: FetchedPage, recordsRead: number) {
		const ctxId = contextIdOf(page.envelope);
		return { recordsRead, received: countOf(page), ctxId, nextCursor: undefined };
	}

	private failureAt(position: Position, failure: ServiceFailure): ServiceFailure {
		const { number: page, recordsBefore: recordsRead, resume, pageSize = 0 } = position;
		const { facts } = failure;
		const isLarge = this.settings.pageSize === undefined && pageSize > USUAL_PAGE_SIZE;
		// A rate limit or a refused key would fail with any page size.
		const mayBeOfPageSize = isLarge && (facts.gaveUp === 'retriesUsed' || rejectsPageSize(failure));
		const smallerPageSize = mayBeOfPageSize ? USUAL_PAGE_SIZE : undefined;
		return failure.with({ page, recordsRead, ...resume, smallerPageSize, ...facts });
	}
}

const NOTHING_OF_PAGE = { indexes: [], filtered: 0, recordsLeftOut: 0, isTruncated: false };
