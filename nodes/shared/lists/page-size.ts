import type { RequestLimits } from '../client/api';
import type { ServiceFailure } from '../client/failures';
import { rejectsPageSize, failureClassOf } from '../client/failure-classes';
import { countOf, type FetchedPage } from './page';

/** Largest page size of a normal request. A request with a larger page size is a trial. */
export const USUAL_PAGE_SIZE = 100;
/** Page sizes to try on the first page, largest first, until one works. */
export const PAGE_SIZES = [1_000, 250, USUAL_PAGE_SIZE, 25];
/** Limits of a trial. A trial is not retried, and the length of its response is limited to save memory. */
const TRIAL = { maxRetries: 0, maxUnprocessed: 1, maxCharacters: 8_000_000 };

/**
 * Finds the page size of a list on its first page. Tries a smaller page size after each page size that does not work.
 */
export class PageSizeSearch {
	private candidates: number[];
	private readonly maxRecords: number;
	/** Larger page sizes whose request failed for a temporary reason. Undefined after they were retried. */
	private toRetry: number[] | undefined = [];
	private rejection?: ServiceFailure;
	/**
	 * True after the number of received records was tried as the page size. It is tried only once, because a service
	 * that hides records returns fewer records each time.
	 */
	private triedCap = false;

	/** `maxPerPage` is the maximum page size, `maxRecords` the maximum number of records to read. */
	constructor(maxPerPage: number, maxRecords: number) {
		const sizes = PAGE_SIZES.map((size) => Math.min(size, maxPerPage));
		const [smallest] = sizes.slice(-1);
		this.maxRecords = maxRecords;
		const candidates = sizes.map((size) => equalPageSize(size, maxRecords));
		// Try a larger page size last, because a service may reject a page size that is too small.
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
	 * Returns the limits of the next request. A trial gets half the timeout, because slow pages would delay the whole
	 * list.
	 */
	limitsOf(limits: RequestLimits): RequestLimits {
		const timeoutMs = Math.ceil(limits.timeoutMs / 2);
		return this.isTrial ? { ...limits, ...TRIAL, timeoutMs } : limits;
	}

	/** Checks whether this page can begin the list. If not, another page size has to be tried. */
	accepts(page: FetchedPage): boolean {
		if (this.isTrial && !isUsable(page)) {
			this.candidates = this.candidatesAfter(page);
			return false;
		}
		const { toRetry = [] } = this;
		this.toRetry = undefined;
		if (toRetry.length === 0 || page.nextCursor === undefined) return true;
		// Retry the larger page sizes that failed, because a short outage must not make a list take ten times as many
		// requests.
		this.candidates = [...toRetry, ...this.candidates];
		return false;
	}

	/** Continues with a smaller page size. Throws the failure if no other page size can help. */
	failed(failure: ServiceFailure): void {
		const { isTrial } = this;
		const [pageSize, next = pageSize] = this.candidates;
		const { retry, scope } = failureClassOf(failure);
		// HTTP 402 and 403 do not end the trials, because some services reject a large page with these codes.
		const endsTrials = scope === 'run' || failure.facts.statusCode === 401;
		const isFinal = isTrial ? endsTrials : !rejectsPageSize(failure);
		// The cause can also be an outage. Only suggest a smaller page size, because only the user knows how long to
		// retry after an outage.
		const mayBeTooLarge = failure.facts.gaveUp === 'retriesUsed' && next < pageSize;
		if (isFinal) throw mayBeTooLarge ? failure.with({ smallerPageSize: next }) : failure;
		this.candidates.shift();
		if (!isTrial) this.rejection ??= failure;
		else if (failure.kind === 'timeout') this.candidates = this.candidates.filter(isUsual);
		else if (retry !== 'never') this.toRetry?.push(pageSize);
		// The first rejection explains the cause best.
		if (this.candidates.length === 0) throw this.rejection ?? failure;
	}

	/** Returns the page sizes to try after a trial whose page cannot begin the list. */
	private candidatesAfter(page: FetchedPage): number[] {
		const [pageSize, ...smaller] = this.candidates;
		const { total, nextCursor } = page;
		const count = countOf(page);
		const isCapped = nextCursor !== undefined || count < (total ?? 0);
		if (isCapped && count > 0 && count < pageSize && !this.triedCap) {
			this.triedCap = true;
			// The service may cap the page size at this number of records.
			const size = equalPageSize(count, this.maxRecords);
			const below = smaller.filter((other) => other < size);
			// If the list is shorter than the smallest page size, the service may reject `size` as too small.
			return [size, ...(below.length > 0 ? below : smaller.slice(-1))];
		}
		if (isCapped || total !== undefined) return smaller;
		// Without a total, a capped page looks like the whole list. Compare it with a page of a smaller size.
		return smaller.filter((size) => size <= count || isUsual(size));
	}
}

const isUsual = (pageSize: number): boolean => pageSize <= USUAL_PAGE_SIZE;

/** Returns a page size of at most `size` that splits the records into equal pages. */
function equalPageSize(size: number, records: number): number {
	return records === Infinity ? size : Math.ceil(records / Math.ceil(records / size));
}

/** Checks whether the page of a trial is full and has a next cursor, or holds the whole list. */
function isUsable(page: FetchedPage): boolean {
	const count = countOf(page);
	return (count === page.pageSize && page.nextCursor !== undefined) || count === page.total;
}
