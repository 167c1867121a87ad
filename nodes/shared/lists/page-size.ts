import type { RequestLimits } from '../client/api';
import type { ServiceFailure } from '../client/failures';
import { rejectsPageSize, failureClassOf } from '../client/failure-classes';
import { countOf, type FetchedPage } from './page';

/** Largest page size of a normal request. A request for a larger page is a trial, which is not retried. */
export const USUAL_PAGE_SIZE = 100;
/** Page sizes to try on the first page, largest first, until one works. */
export const PAGE_SIZES = [1_000, 250, USUAL_PAGE_SIZE, 25];
/**
 * Limits of a trial (a request for more than 100 records). A trial is not retried. The length of its response is
 * limited to save memory.
 */
const TRIAL = { maxRetries: 0, maxUnprocessed: 1, maxCharacters: 8_000_000 };

/**
 * Finds a page size that works for a list. Requests the first page with smaller and smaller page sizes until one works.
 */
export class PageSizeSearch {
	private candidates: number[];
	private readonly maxRecords: number;
	/**
	 * Larger page sizes to try once more, because their requests failed for a temporary reason. Undefined after they
	 * were retried.
	 */
	private toRetry: number[] | undefined = [];
	private rejection?: ServiceFailure;
	/**
	 * True after the number of received records was tried as the page size. This number is tried only once, because a
	 * service that hides some records returns fewer records each time.
	 */
	private triedCap = false;

	/**
	 * @param maxPerPage maximum page size
	 * @param maxRecords maximum number of records to read
	 */
	constructor(maxPerPage: number, maxRecords: number) {
		const sizes = PAGE_SIZES.map((size) => Math.min(size, maxPerPage));
		const [smallest] = sizes.slice(-1);
		this.maxRecords = maxRecords;
		const candidates = sizes.map((size) => equalPageSize(size, maxRecords));
		// If few records are wanted, try a larger page size last, because a service may reject very small page sizes.
		this.candidates = [...new Set(maxRecords < smallest ? [...candidates, smallest] : candidates)];
	}

	/** The page size to try now. */
	get pageSize(): number {
		return this.candidates[0];
	}

	private get isTrial(): boolean {
		return this.pageSize > USUAL_PAGE_SIZE;
	}

	/**
	 * Returns the limits of the next request. A trial (a request for more than 100 records) gets half the timeout,
	 * because slow pages would delay the whole list.
	 */
	limitsOf(limits: RequestLimits): RequestLimits {
		const timeoutMs = Math.ceil(limits.timeoutMs / 2);
		return this.isTrial ? { ...limits, ...TRIAL, timeoutMs } : limits;
	}

	/**
	 * Checks whether the list can begin with this page. If not, request the first page again with the new value of
	 * `pageSize`.
	 */
	accepts(page: FetchedPage): boolean {
		if (this.isTrial && !isUsable(page)) {
			this.candidates = this.candidatesAfter(page);
			return false;
		}
		const { toRetry = [] } = this;
		this.toRetry = undefined;
		if (toRetry.length === 0 || page.nextCursor === undefined) return true;
		// Retry the larger page sizes that failed. Otherwise, a short outage could make the list take ten times as many
		// requests.
		this.candidates = [...toRetry, ...this.candidates];
		return false;
	}

	/**
	 * Handles a failed request by moving on to the next page size. Throws the failure if no other page size can help.
	 */
	failed(failure: ServiceFailure): void {
		const { isTrial } = this;
		const [pageSize, next = pageSize] = this.candidates;
		const { retry, scope } = failureClassOf(failure);
		// Try smaller page sizes after HTTP 402 and 403 too, because some services reject a large page with these
		// codes.
		const endsTrials = scope === 'run' || failure.facts.statusCode === 401;
		const isFinal = isTrial ? endsTrials : !rejectsPageSize(failure);
		// Only suggest a smaller page size in the error. The cause may be an outage, and only the user knows how long
		// to retry after an outage.
		const mayBeTooLarge = failure.facts.gaveUp === 'retriesUsed' && next < pageSize;
		if (isFinal) throw mayBeTooLarge ? failure.with({ smallerPageSize: next }) : failure;
		this.candidates.shift();
		if (!isTrial) this.rejection ??= failure;
		else if (failure.kind === 'timeout') this.candidates = this.candidates.filter(isUsual);
		else if (retry !== 'never') this.toRetry?.push(pageSize);
		// Throw the first rejection, because it explains the cause best.
		if (this.candidates.length === 0) throw this.rejection ?? failure;
	}

	/**
	 * Returns the page sizes to try after a trial (a request for more than 100 records) has returned an unusable page.
	 */
	private candidatesAfter(page: FetchedPage): number[] {
		const [pageSize, ...smaller] = this.candidates;
		const { total, nextCursor } = page;
		const count = countOf(page);
		const isCapped = nextCursor !== undefined || count < (total ?? 0);
		if (isCapped && count > 0 && count < pageSize && !this.triedCap) {
			this.triedCap = true;
			// Try the number of received records as the page size, because the service may cap every page at this
			// number.
			const size = equalPageSize(count, this.maxRecords);
			const below = smaller.filter((other) => other < size);
			// If `size` is smaller than all usual page sizes, try the smallest usual page size after it, because the
			// service may reject `size` as too small.
			return [size, ...(below.length > 0 ? below : smaller.slice(-1))];
		}
		if (isCapped || total !== undefined) return smaller;
		// A capped page without a total looks like the whole list. Request a smaller page for comparison.
		return smaller.filter((size) => size <= count || isUsual(size));
	}
}

const isUsual = (pageSize: number): boolean => pageSize <= USUAL_PAGE_SIZE;

/** Returns a page size of at most `size` that splits the records into pages of equal size. */
function equalPageSize(size: number, records: number): number {
	return records === Infinity ? size : Math.ceil(records / Math.ceil(records / size));
}

/**
 * Checks whether a page of more than 100 records is usable: it is full and has a next cursor, or it holds the whole
 * list.
 */
function isUsable(page: FetchedPage): boolean {
	const count = countOf(page);
	return (count === page.pageSize && page.nextCursor !== undefined) || count === page.total;
}
