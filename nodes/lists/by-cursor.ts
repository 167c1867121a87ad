// nodes/lists/: the pages of a list, by cursor and by number. Holds the client, knows nothing of n8n.

import { contextIdOf } from '../client/envelope';
import { asServiceFailure, isCancelled, ServiceFailure } from '../client/failures';
import { isOfLimit, isRefusedCursor, isRejection, meaningOf } from '../client/meaning';
import { countOf, givenPage, listRequest, pageOf } from './page';
import type { FetchedPage, List, Page } from './page';
import {
	FIRST_PAGE_SIZE,
	isUsable,
	largerThan,
	limitsOfKnown,
	limitsOfTrial,
	limitsToBegin,
	mayBeOfSize,
} from './page-size';
import type { AskedPage, CursorSettings, Place } from './place';
import { endsOf, hasIds, nameAt } from './version';
import { Wanted } from './wanted';

/** So many pages in a row may bring nothing new, with ever new cursors. */
const MOST_STILL_PAGES = 10_000;

/** Reads a list by cursors (docs/maintainers/how-a-list-is-read.md). One that would be endless ends in an error. */
export class CursorReader {
	private readonly list: List;
	private readonly settings: CursorSettings;
	private readonly used: Set<string | undefined>;
	private readonly over = new AbortController();
	private readonly signal: AbortSignal;

	constructor(list: List, settings: CursorSettings) {
		this.list = list;
		this.settings = settings;
		this.used = new Set([settings.startCursor]);
		const { signal: ofOver } = this.over;
		this.signal = list.signal ? AbortSignal.any([list.signal, ofOver]) : ofOver;
	}

	/** The pages in order. Throws ServiceFailure, which says the page, the records read, and the cursor to continue with. */
	async *pages(): AsyncGenerator<Page, void> {
		let place = this.begin();
		let ahead: Promise<AskedPage> | undefined;
		try {
			for (;;) {
				const { limit } = place;
				const asking = ahead ?? (limit === undefined ? this.first(place) : this.ask(place, limit));
				const asked = await asking;
				const isShort = !asked.isEnough && this.missingAfter(place, asked) > 0;
				const page = isShort ? await this.onceMore(place, asked) : asked;
				const next = this.placeAfter(place, page);
				ahead = next && this.settings.readsAhead ? this.ask(next, next.limit) : undefined;
				// A failure that nobody waits for yet must not end n8n's process.
				ahead?.catch(() => undefined);
				yield this.given(place, page, next === undefined);
				if (next === undefined) {
					this.assertWhole(place, page);
					return;
				}
				place = next;
			}
		} catch (error) {
			throw this.failureAt(place, asServiceFailure(error));
		} finally {
			this.over.abort();
		}
	}

	private begin(): Place {
		const { startCursor: cursor, pageSize, mostPerPage = Infinity, sort } = this.settings;
		const limit = pageSize === undefined ? undefined : Math.min(pageSize, mostPerPage);
		const resume = { nextCursor: cursor, limit: cursor === undefined ? undefined : limit };
		const wanted = new Wanted(this.settings, sort);
		return { cursor, limit, resume, number: 1, recordsBefore: 0, wanted, still: 0 };
	}

	/** The better of two looks at a page: a record may have come or gone between the count and the rows. */
	private async onceMore(place: Place, page: AskedPage): Promise<AskedPage> {
		const again = await this.ask(place, page.limit).catch((error: unknown) => {
			// A cursor may be good for one use: then the page stays as it came.
			if (isRejection(asServiceFailure(error))) return page;
			throw error;
		});
		const { sort } = this.settings;
		const [first, other] = [page, again].map((one) => nameAt(one, 0, sort));
		const isSamePlace = place.cursor === undefined || countOf(page) === 0 || first === other;
		const isBetter = countOf(again) > countOf(page) || this.missingAfter(place, again) === 0;
		return isSamePlace && isBetter ? again : page;
	}

	private async ask(
		{ cursor, wanted }: Place,
		limit: number,
		limits = this.list.limits(),
	): Promise<AskedPage> {
		const { client, source } = this.list;
		const { sort, ignoreTotal } = this.settings;
		const request = listRequest(source, cursor === undefined ? { limit, sort } : { limit, cursor });
		const page = pageOf(await client(request, limits, this.signal), limit);
		if (ignoreTotal) page.total = undefined;
		const leadsBack = page.nextCursor !== undefined && this.used.has(page.nextCursor);
		return { ...page, ...wanted.of(page), leadsBack };
	}

	/** The beginning, by the limit that holds for the whole list: no cursor exists yet that could be bound to another. */
	private async first(place: Place): Promise<AskedPage> {
		const { sizes } = this.settings;
		let page = await this.accepted(place);
		let most = Infinity;
		if (page.limit > sizes.begin && !isUsable(page)) {
			most = page.limit - 1;
			this.forgetSize();
			page = await this.accepted(place);
		}
		const isShort = page.nextCursor === undefined || page.isEnough;
		return sizes.wereTried || isShort ? page : await this.larger(place, page, most);
	}

	/** The beginning by the first limit that is accepted. Where none is, the first refusal says best why. */
	private async accepted(place: Place): Promise<AskedPage> {
		const { sizes, mostPerPage = Infinity } = this.settings;
		const limits = limitsToBegin(sizes, mostPerPage, place.wanted.mostToRead);
		let refusal: ServiceFailure | undefined;
		for (const limit of limits) {
			const isKnown = limit > sizes.begin;
			try {
				const ofRequest = isKnown ? limitsOfKnown(this.list.limits()) : this.list.limits();
				const page = await this.ask(place, limit, ofRequest);
				// It was something else that the service did not accept before, so nothing is known of its sizes.
				if (sizes.areRefused) {
					sizes.areRefused = false;
					return await this.accepted(place);
				}
				// Of a maximum that was too small, later lists learn nothing.
				if (limit < limits[0]) Object.assign(sizes, { first: limit, wereTried: true });
				return page;
			} catch (error) {
				const failure = asServiceFailure(error);
				if (isKnown && mayBeOfSize(failure)) {
					this.forgetSize();
					return await this.accepted(place);
				}
				if (!isOfLimit(failure)) throw failure;
				refusal ??= failure;
			}
		}
		sizes.areRefused = true;
		throw refusal;
	}

	/** The beginning again, by the largest limit up to `most` that the service fills and the list is long enough for. */
	private async larger(place: Place, first: AskedPage, most: number): Promise<AskedPage> {
		const { sizes, mostPerPage = Infinity } = this.settings;
		const needed = { wanted: place.wanted.mostToRead, most: mostPerPage };
		let largest = most;
		for (const limit of largerThan(first, sizes.larger, needed)) {
			if (limit > largest) continue;
			const ofTrial = limitsOfTrial(this.list.limits());
			const page = await this.ask(place, limit, ofTrial).catch((error: unknown) =>
				this.afterTrial(error),
			);
			if (!page) continue;
			sizes.wereTried = true;
			if (isUsable(page)) {
				sizes.first = limit;
				return page;
			}
			// So many come at once, by whatever limit.
			if (countOf(page) > 0) largest = countOf(page);
		}
		return first;
	}

	/** What held for another list is too large for this one. */
	private forgetSize(): void {
		const { sizes } = this.settings;
		Object.assign(sizes, { first: sizes.begin, wereTried: false });
	}

	/** A trial may fail: the service has not looked at the limit, or does not answer it. */
	private afterTrial(error: unknown): void {
		const failure = asServiceFailure(error);
		if (isCancelled(failure)) throw error;
		const { helps, about } = meaningOf(failure);
		this.settings.sizes.wereTried ||= helps !== 'wait' && about !== 'run';
	}

	/** How many records are missing after a page without a next cursor, as far as its total tells. */
	private missingAfter({ recordsBefore }: Place, page: FetchedPage): number {
		if (page.nextCursor !== undefined || this.settings.startCursor !== undefined) return 0;
		return Math.max(0, (page.total ?? 0) - recordsBefore - countOf(page));
	}

	/** Where the list goes on; undefined where nothing follows that is wanted, or that can be asked for. */
	private placeAfter(place: Place, page: AskedPage): (Place & { limit: number }) | undefined {
		const { nextCursor, limit, isEnough, isCut, leadsBack, rest: wanted } = page;
		const count = countOf(page);
		const ends = count === 0 ? undefined : endsOf(page, this.settings.sort);
		// Where cursors are positions, as many new records as a page holds make it come twice.
		const grownBy = (page.total ?? 0) - (place.total ?? 0);
		const isSame = ends !== undefined && ends === place.ends && grownBy < count;
		// Records without an id may be equal without being the same.
		if (isSame && (hasIds(page) || nextCursor === place.cursor))
			throw new ServiceFailure('repeatedPage', this.factsOf(page, place.recordsBefore));
		if (nextCursor === undefined || isEnough || leadsBack) return undefined;
		this.used.add(nextCursor);
		const still = count === 0 || isSame ? place.still + 1 : 0;
		if (still >= MOST_STILL_PAGES) {
			const facts = this.factsOf(page, place.recordsBefore + count);
			if (count > 0) throw new ServiceFailure('repeatedPage', facts);
			// The last cursor of all, so that who continues is not led through the same empty pages.
			throw new ServiceFailure('emptyPages', { ...facts, nextCursor, limit });
		}
		const resume = count > 0 && !isCut ? { nextCursor, limit } : place.resume;
		const recordsBefore = place.recordsBefore + count;
		const next = { cursor: nextCursor, limit, resume, number: place.number + 1 };
		return { ...next, recordsBefore, wanted, ends, total: page.total, still };
	}

	private given(place: Place, page: AskedPage, isLast: boolean): Page {
		const { indexes, isCut, isEnough, leadsBack } = page;
		const recordsRead = place.recordsBefore + countOf(page) - page.recordsLeftOut;
		// A run that continues from here would take a missing cursor for the end of the list.
		const unreached = isEnough && !isCut ? this.missingAfter(place, page) : 0;
		const nextCursor = isCut || leadsBack ? undefined : page.nextCursor;
		// An empty page's cursor adds nothing to the one before it.
		const isEmpty = countOf(page) === 0 && nextCursor !== undefined;
		const leftOut = page.recordsLeftOut + unreached;
		return {
			...givenPage(page, indexes, leftOut, isEmpty ? undefined : nextCursor),
			number: place.number,
			recordsRead,
			cursor: place.resume.nextCursor,
			nextCursor: isEmpty ? place.resume.nextCursor : nextCursor,
			isLast,
		};
	}

	/** After the last page. Throws ServiceFailure where the list broke off there. */
	private assertWhole(place: Place, page: AskedPage): void {
		const { startCursor, sort } = this.settings;
		const facts = this.factsOf(page, place.recordsBefore + countOf(page));
		// Also where no more is wanted, since a later run that continues here would loop.
		if (page.leadsBack) throw new ServiceFailure('repeatedPage', facts);
		if (startCursor === undefined && facts.recordsRead > 0 && page.rest.isUndated)
			throw new ServiceFailure('undatedList', { ...facts, dateField: sort });
		if (!page.isEnough && this.missingAfter(place, page) > 0)
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

	private failureAt(place: Place, failure: ServiceFailure): ServiceFailure {
		const { number: page, recordsBefore, resume, limit = this.settings.sizes.first } = place;
		const { facts } = failure;
		const isLarge = this.settings.pageSize === undefined && limit > FIRST_PAGE_SIZE;
		// A rate limit or a refused key would fail with any limit.
		const isChosenLimit = isLarge && (facts.gaveUp === 'retriesUsed' || isOfLimit(failure));
		const isOfCursor = recordsBefore > 0 && isRefusedCursor(failure);
		return failure.with({
			page,
			recordsRead: recordsBefore,
			...resume,
			isChosenLimit,
			isOfCursor,
			...facts,
		});
	}
}
