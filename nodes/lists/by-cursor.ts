// nodes/lists/: the pages of a list, by cursor and by number. Holds the client, knows nothing of n8n.

import { contextIdOf } from '../client/envelope';
import { asServiceFailure, ServiceFailure } from '../client/failures';
import { isOfLimit, isRejection } from '../client/failure-classes';
import { assertBounded, countOf, listRequest, pageOf, withSelection } from './page';
import type { FetchedPage, List, Page } from './page';
import { LimitSearch, USUAL_PAGE_SIZE } from './page-size';
import type { AskedPage, CursorSettings, Position } from './position';
import { fingerprintOf, hasIds, identitiesOf, identityAt } from './version';
import { Wanted } from './wanted';

/** So many pages in a row may bring nothing new, with ever new cursors. */
const MAX_PAGES_WITHOUT_PROGRESS = 10_000;

/** Reads a list by cursors (docs/maintainers/how-a-list-is-read.md). One that would be endless ends in an error. */
export class CursorReader {
	private readonly list: List;
	private readonly settings: CursorSettings;
	private readonly used: Set<string | undefined>;
	private readonly over = new AbortController();
	/** Aborted where the run, or this list, has ended: what is still asked for then is of no use. */
	private readonly signal: AbortSignal;

	constructor(list: List, settings: CursorSettings) {
		this.list = list;
		this.settings = settings;
		this.used = new Set([settings.startCursor]);
		const ends = [this.over.signal, list.signal];
		this.signal = AbortSignal.any(ends.filter((signal) => signal !== undefined));
	}

	/** The pages in order. Throws ServiceFailure, which says the page, the records read, and the cursor to continue with. */
	async *pages(): AsyncGenerator<Page, void> {
		let position = this.begin();
		let nextPage: Promise<AskedPage> | undefined;
		try {
			for (;;) {
				const { limit } = position;
				nextPage ??= limit === undefined ? this.firstPage(position) : this.ask(position, limit);
				const asked = await nextPage;
				const isShort = !asked.isEnough && this.missingAfter(position, asked) > 0;
				const better = isShort ? await this.askOnceMore(position, asked) : asked;
				const page = this.endedByTotal(position, better);
				const next = this.nextPosition(position, page);
				nextPage = next && this.settings.readsAhead ? this.ask(next, next.limit) : undefined;
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
		const { startCursor: cursor, pageSize, maxPerPage = Infinity, sort } = this.settings;
		const limit = pageSize === undefined ? undefined : Math.min(pageSize, maxPerPage);
		const resume = { nextCursor: cursor, limit: cursor === undefined ? undefined : limit };
		const wanted = new Wanted(this.settings, sort);
		return { cursor, limit, resume, number: 1, recordsBefore: 0, wanted, pagesWithoutProgress: 0 };
	}

	/** The better of two looks at a page: a record may have come or gone between the count and the rows. */
	private async askOnceMore(position: Position, page: AskedPage): Promise<AskedPage> {
		const again = await this.ask(position, page.limit).catch((error: unknown) => {
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

	/** Asks for a page, and looks at once at what all that follows goes by: what is wanted of it, and whether it leads back. */
	private async ask(
		position: Position,
		limit: number,
		bounds = this.list.bounds(),
	): Promise<AskedPage> {
		const { client, source } = this.list;
		const { sort, ignoreTotal, startCursor } = this.settings;
		const { cursor, lastPage, wanted } = position;
		const request = listRequest(source, cursor === undefined ? { limit, sort } : { limit, cursor });
		const page = pageOf(await client(request, bounds, this.signal), limit);
		if (ignoreTotal) page.total = undefined;
		const leadsBack = page.nextCursor !== undefined && this.used.has(page.nextCursor);
		const hasComeBefore =
			startCursor === undefined && lastPage && this.isAgain(lastPage, { ...page, leadsBack });
		// Its dates go down after those of the same page before.
		const rest = hasComeBefore ? emptied(page) : page;
		return { ...rest, ...wanted.of(rest), leadsBack, hasComeBefore };
	}

	/** The first page, by the limit that holds for the whole list: no cursor exists yet that could be bound to another. */
	private async firstPage(position: Position): Promise<AskedPage> {
		const { maxPerPage = Infinity } = this.settings;
		const search = new LimitSearch(maxPerPage, position.wanted.maxToRead);
		for (;;) {
			try {
				const page = await this.ask(position, search.limit, search.boundsOf(this.list.bounds()));
				if (search.accepts(page)) return page;
			} catch (error) {
				search.failed(asServiceFailure(error));
			}
		}
	}

	/** How many records are missing after a page without a next cursor, as far as its total says. */
	private missingAfter({ recordsBefore }: Position, page: FetchedPage): number {
		if (page.nextCursor !== undefined || this.settings.startCursor !== undefined) return 0;
		return Math.max(0, (page.total ?? 0) - recordsBefore - countOf(page));
	}

	/** Once as many as the total have come, what leads nowhere is the end: services give a cursor on the last page too (A3). */
	private endedByTotal(position: Position, page: AskedPage): AskedPage {
		const { recordsBefore, firstTotal = 0 } = position;
		const { startCursor, isFollowed } = this.settings;
		const { total = Infinity, nextCursor, leadsBack } = page;
		const count = countOf(page);
		const end = { ...page, nextCursor: undefined, leadsBack: false };
		if (startCursor !== undefined) {
			if (!isFollowed || page.total === undefined) return page;
			const isSame = hasIds(page) && this.comesAgain(position, page);
			if (isSame) return { ...emptied(end), ...NOTHING_OF_PAGE };
			return leadsBack && (count === 0 || nextCursor === position.cursor) ? end : page;
		}
		// The list is as that page was, whatever came or went since.
		if (page.hasComeBefore) return { ...end, total: recordsBefore };
		if (recordsBefore + count < total) return page;
		// Of a list that has shrunk, some of those that came are gone, and others may follow.
		return leadsBack || (count === 0 && total >= firstTotal) ? end : page;
	}

	/** Whether the last page has come once more; one that leads to itself shows what was added since, too. */
	private isAgain(
		lastPage: FetchedPage,
		page: FetchedPage & Pick<AskedPage, 'leadsBack'>,
	): boolean {
		const { sort } = this.settings;
		if (countOf(page) === 0 || countOf(lastPage) === 0) return false;
		if (fingerprintOf(page, sort) === fingerprintOf(lastPage, sort)) return true;
		const isOverlap = () => identitiesOf(lastPage, sort).includes(identityAt(page, 0, sort));
		// Records without an id may be equal without being the same.
		return page.leadsBack && hasIds(page) && isOverlap();
	}

	/** Where cursors are positions, as many new records as a page holds make it come twice. */
	private comesAgain(position: Position, page: AskedPage): boolean {
		const count = countOf(page);
		const grownBy = page.leadsBack ? 0 : (page.total ?? 0) - (position.total ?? 0);
		if (count === 0 || grownBy >= count) return false;
		return fingerprintOf(page, this.settings.sort) === position.fingerprint;
	}

	/** Where the list goes on; undefined where nothing follows that is wanted, or that can be asked for. */
	private nextPosition(
		position: Position,
		page: AskedPage,
	): (Position & { limit: number }) | undefined {
		const { nextCursor, limit, isEnough, isCut, leadsBack, remaining: wanted, total } = page;
		const count = countOf(page);
		const fingerprint = count === 0 ? undefined : fingerprintOf(page, this.settings.sort);
		const isSame = this.comesAgain(position, page);
		// Records without an id may be equal without being the same.
		if (isSame && (hasIds(page) || nextCursor === position.cursor))
			throw new ServiceFailure('repeatedPage', this.factsOf(page, position.recordsBefore));
		if (nextCursor === undefined || isEnough || leadsBack) return undefined;
		this.used.add(nextCursor);
		const recordsBefore = position.recordsBefore + count;
		const pagesWithoutProgress = count === 0 || isSame ? position.pagesWithoutProgress + 1 : 0;
		if (pagesWithoutProgress >= MAX_PAGES_WITHOUT_PROGRESS) {
			const facts = this.factsOf(page, recordsBefore);
			if (count > 0) throw new ServiceFailure('repeatedPage', facts);
			// The last cursor of all, so that who continues is not led through the same empty pages.
			throw new ServiceFailure('emptyPages', { ...facts, nextCursor, limit });
		}
		const resume = count > 0 && !isCut ? { nextCursor, limit } : position.resume;
		const lastPage = recordsBefore >= (total ?? Infinity) ? page : undefined;
		const next = { cursor: nextCursor, limit, resume, number: position.number + 1 };
		const seen = { fingerprint, total, firstTotal: position.firstTotal ?? total, lastPage };
		return { ...next, recordsBefore, wanted, ...seen, pagesWithoutProgress };
	}

	/** What a reader gets of a page: the cursor after it has to lead to what is missing, in a later run too. */
	private outputOf(position: Position, page: AskedPage, isLast: boolean): Page {
		const { indexes, filtered, isCut, isEnough, leadsBack } = page;
		const recordsRead = position.recordsBefore + indexes.length + filtered;
		// A run that continues from here would take a missing cursor for the end of the list.
		const unreached = isEnough && !isCut ? this.missingAfter(position, page) : 0;
		const nextCursor = isCut || leadsBack ? undefined : page.nextCursor;
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
		};
	}

	/** After the last page. Throws ServiceFailure where the list broke off there. */
	private assertWhole(position: Position, page: AskedPage): void {
		const { startCursor, sort } = this.settings;
		const facts = this.factsOf(page, position.recordsBefore + countOf(page));
		// Also where no more is wanted, since a later run that continues here would loop; after a cut no cursor leads on.
		if (page.leadsBack && !page.isCut) throw new ServiceFailure('repeatedPage', facts);
		if (startCursor === undefined && facts.recordsRead > 0 && page.remaining.isUndated)
			throw new ServiceFailure('undatedList', { ...facts, dateField: sort });
		if (!page.isEnough && this.missingAfter(position, page) > 0)
			throw new ServiceFailure('incompleteList', {
				...facts,
				total: page.total,
				limit: page.limit,
			});
	}

	/** Of a list that broke off after this page. They name no cursor, since the list would break off there again. */
	private factsOf(page: FetchedPage, recordsRead: number) {
		const ctxId = contextIdOf(page.envelope);
		return { recordsRead, received: countOf(page), ctxId, nextCursor: undefined };
	}

	private failureAt(position: Position, failure: ServiceFailure): ServiceFailure {
		const { number: page, recordsBefore: recordsRead, resume, limit = 0 } = position;
		const { facts } = failure;
		const isLarge = this.settings.pageSize === undefined && limit > USUAL_PAGE_SIZE;
		// A rate limit or a refused key would fail with any limit.
		const mayBeOfLimit = isLarge && (facts.gaveUp === 'retriesUsed' || isOfLimit(failure));
		const smallerLimit = mayBeOfLimit ? USUAL_PAGE_SIZE : undefined;
		return failure.with({ page, recordsRead, ...resume, smallerLimit, ...facts });
	}
}

const NOTHING_OF_PAGE = { indexes: [], filtered: 0, recordsLeftOut: 0, isCut: false };

/** The same answer as one without records. */
function emptied<Fetched extends FetchedPage>(page: Fetched): Fetched {
	const { envelope } = page;
	return { ...page, envelope: { ...envelope, data: { ...envelope.data, items: [] } } };
}
