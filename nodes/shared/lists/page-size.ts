import type { RequestLimits } from '../client/api';
import type { ServiceFailure } from '../client/failures';
import { rejectsPageSize, failureClassOf } from '../client/failure-classes';
import { countOf, type FetchedPage } from './page';

/** The largest number of records that is asked for as any other request; more of them are a trial. */
export const USUAL_PAGE_SIZE = 100;
/** What the beginning of a list is asked for by, until one is answered with what a list can be read by. */
export const PAGE_SIZES = [1_000, 250, USUAL_PAGE_SIZE, 25];
/** A trial is sent once, and not read for long: a large page must not fill the memory. */
const TRIAL = { maxRetries: 0, maxUnprocessed: 1, maxCharacters: 8_000_000 };

/** Which limit the beginning of a list is asked for by: a smaller one after each that cannot read the list. */
export class PageSizeSearch {
	private candidates: number[];
	private readonly wanted: number;
	/** Larger ones that failed as any request may for a while; undefined once they were asked for again. */
	private failedForAWhile: number[] | undefined = [];
	private refusal?: ServiceFailure;
	/** Set after a request for the number of records that came: if fewer come again, the service leaves records out. */
	private hasLeapt = false;

	/** `maxPerPage` bounds every limit; so many records are `wanted`. */
	constructor(maxPerPage: number, wanted: number) {
		const sizes = PAGE_SIZES.map((size) => Math.min(size, maxPerPage));
		const [smallest] = sizes.slice(-1);
		this.wanted = wanted;
		const candidates = sizes.map((size) => equalPages(size, wanted));
		// A service may refuse a limit because it is too small.
		this.candidates = [...new Set(wanted < smallest ? [...candidates, smallest] : candidates)];
	}

	/** The limit to ask by now. */
	get pageSize(): number {
		return this.candidates[0];
	}

	private get isTrial(): boolean {
		return this.pageSize > USUAL_PAGE_SIZE;
	}

	/** The bounds of a request by it: a trial that takes long shows that pages of its size would, too. */
	limitsOf(limits: RequestLimits): RequestLimits {
		const timeoutMs = Math.ceil(limits.timeoutMs / 2);
		return this.isTrial ? { ...limits, ...TRIAL, timeoutMs } : limits;
	}

	/** Whether the list is read on from this page; otherwise another limit is asked. */
	accepts(page: FetchedPage): boolean {
		if (this.isTrial && !isUsable(page)) {
			this.candidates = this.candidatesAfter(page);
			return false;
		}
		const { failedForAWhile = [] } = this;
		this.failedForAWhile = undefined;
		if (failedForAWhile.length === 0 || page.nextCursor === undefined) return true;
		// A moment without answers must not make a list ten times as long.
		this.candidates = [...failedForAWhile, ...this.candidates];
		return false;
	}

	/** Goes on with a smaller limit. Throws the failure where none helps. */
	failed(failure: ServiceFailure): void {
		const { isTrial } = this;
		const [pageSize, next = pageSize] = this.candidates;
		const { retry, scope } = failureClassOf(failure);
		// Services refuse a large page with 402 or 403, too.
		const endsTrials = scope === 'run' || failure.facts.statusCode === 401;
		const isFinal = isTrial ? endsTrials : !rejectsPageSize(failure);
		// Also an outage ends so, and only the user knows how long to ask.
		const mayBeOfPageSize = failure.facts.gaveUp === 'retriesUsed' && next < pageSize;
		if (isFinal) throw mayBeOfPageSize ? failure.with({ smallerPageSize: next }) : failure;
		this.candidates.shift();
		if (!isTrial) this.refusal ??= failure;
		else if (failure.kind === 'timeout') this.candidates = this.candidates.filter(isUsual);
		else if (retry !== 'never') this.failedForAWhile?.push(pageSize);
		// Of several refusals the first says best why.
		if (this.candidates.length === 0) throw this.refusal ?? failure;
	}

	/** What is left after a trial that brought a page of no use. */
	private candidatesAfter(page: FetchedPage): number[] {
		const [pageSize, ...smaller] = this.candidates;
		const { total, nextCursor } = page;
		const count = countOf(page);
		const isTruncated = nextCursor !== undefined || count < (total ?? 0);
		if (isTruncated && count > 0 && count < pageSize && !this.hasLeapt) {
			this.hasLeapt = true;
			// The service may return this many records at once, whatever the limit is.
			const size = equalPages(count, this.wanted);
			const below = smaller.filter((one) => one < size);
			// If the whole list is shorter than the smallest page size, the service may refuse `size` as too small.
			return [size, ...(below.length > 0 ? below : smaller.slice(-1))];
		}
		if (isTruncated || total !== undefined) return smaller;
		// It may be the whole list: without a total, a page that is cut looks like its end.
		return smaller.filter((one) => one <= count || isUsual(one));
	}
}

const isUsual = (pageSize: number): boolean => pageSize <= USUAL_PAGE_SIZE;

/** At most `size`, so that a maximum is read in equal pages. */
function equalPages(size: number, wanted: number): number {
	return wanted === Infinity ? size : Math.ceil(wanted / Math.ceil(wanted / size));
}

/** Whether a trial's limit holds for the list that begins with this page: a cut that shows loses nothing. */
function isUsable(page: FetchedPage): boolean {
	const count = countOf(page);
	return (count === page.pageSize && page.nextCursor !== undefined) || count === page.total;
}
