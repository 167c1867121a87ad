import type { RequestLimits } from '../client/api';
import type { ServiceFailure } from '../client/failures';
import { rejectsPageSize, failureClassOf } from '../client/failure-classes';
import { countOf, type FetchedPage } from './page';

/** Largest page size of a normal request. A larger request only tests its page size, so it is not retried. */
export const USUAL_PAGE_SIZE = 100;
/** Page sizes to try on the first page, largest first, until one works. */
export const PAGE_SIZES = [1_000, 250, USUAL_PAGE_SIZE, 25];
/** Request limits of a trial, which tests a page size above 100. A long response is rejected to save memory. */
const TRIAL = { maxRetries: 0, maxUnprocessed: 1, maxCharacters: 8_000_000 };

/** Finds a page size that works. The caller requests the first page with smaller and smaller sizes until one works. */
export class PageSizeSearch {
	private candidates: number[];
	private readonly maxRecords: number;
	/** Page sizes that failed for a temporary reason, to try once more. Undefined after the first usable page. */
	private toRetry: number[] | undefined = [];
	private rejection?: ServiceFailure;
	/**
	 * True after the number of received records was used as page size. This happens only once, because the page size
	 * could otherwise shrink endlessly.
	 */
	private triedCap = false;

	constructor(maxPerPage: number, maxRecords: number) {
		const sizes = PAGE_SIZES.map((size) => Math.min(size, maxPerPage));
		const [smallest] = sizes.slice(-1);
		this.maxRecords = maxRecords;
		const candidates = sizes.map((size) => equalPageSize(size, maxRecords));
		// If the user wants only a few records, try a larger size too, because a service may reject very small sizes.
		this.candidates = [...new Set(maxRecords < smallest ? [...candidates, smallest] : candidates)];
	}

	/** Page size for the next attempt to read the first page. */
	get pageSize(): number {
		return this.candidates[0];
	}

	private get isTrial(): boolean {
		return this.pageSize > USUAL_PAGE_SIZE;
	}

	/**
	 * Returns the limits of the next request. A request that tries a large page size gets half the timeout, because
	 * slow pages would delay the whole list.
	 */
	limitsOf(limits: RequestLimits): RequestLimits {
		const timeoutMs = Math.ceil(limits.timeoutMs / 2);
		return this.isTrial ? { ...limits, ...TRIAL, timeoutMs } : limits;
	}

	/** Checks whether a page is usable. If not, the caller must request the page again with the new `pageSize`. */
	accepts(page: FetchedPage): boolean {
		if (this.isTrial && !isUsable(page)) {
			this.candidates = this.candidatesAfter(page);
			return false;
		}
		const { toRetry = [] } = this;
		this.toRetry = undefined;
		if (toRetry.length === 0 || page.nextCursor === undefined) return true;
		// Retry larger sizes that failed. Otherwise, a short outage would lead to small pages and many requests.
		this.candidates = [...toRetry, ...this.candidates];
		return false;
	}

	/** Moves on to the next page size after a failed request. Throws the failure if no other page size can help. */
	failed(failure: ServiceFailure): void {
		const { isTrial } = this;
		const [pageSize, next = pageSize] = this.candidates;
		const { retry, scope } = failureClassOf(failure);
		// Try smaller sizes after HTTP 402 and 403 too, because some services reject a large page with these codes.
		const endsTrials = scope === 'run' || failure.facts.statusCode === 401;
		const isFinal = isTrial ? endsTrials : !rejectsPageSize(failure);
		// Suggest a smaller size in the error, but do not try it, because the cause may be an outage. The user decides
		// how long the node retries.
		const mayBeTooLarge = failure.facts.gaveUp === 'retriesUsed' && next < pageSize;
		if (isFinal) throw mayBeTooLarge ? failure.with({ smallerPageSize: next }) : failure;
		this.candidates.shift();
		if (!isTrial) this.rejection ??= failure;
		else if (failure.kind === 'timeout') this.candidates = this.candidates.filter(isUsual);
		else if (retry !== 'never') this.toRetry?.push(pageSize);
		// Throw the first rejection, because it explains the cause best.
		if (this.candidates.length === 0) throw this.rejection ?? failure;
	}

	/** Returns the page sizes to try next, after a request for a large page has returned an unusable page. */
	private candidatesAfter(page: FetchedPage): number[] {
		const [pageSize, ...smaller] = this.candidates;
		const { total, nextCursor } = page;
		const count = countOf(page);
		const isCapped = nextCursor !== undefined || count < (total ?? 0);
		if (isCapped && count > 0 && count < pageSize && !this.triedCap) {
			this.triedCap = true;
			// Try the number of received records as page size. It may be the largest size that the service allows.
			const size = equalPageSize(count, this.maxRecords);
			const below = smaller.filter((other) => other < size);
			// If no other candidate is smaller than `size`, keep the smallest one, because the service may reject
			// `size` as too small.
			return [size, ...(below.length > 0 ? below : smaller.slice(-1))];
		}
		if (isCapped || total !== undefined) return smaller;
		// A page with neither a total nor a next cursor may be the whole list, or only a part of it. So request a
		// smaller page to find out.
		return smaller.filter((size) => size <= count || isUsual(size));
	}
}

const isUsual = (pageSize: number): boolean => pageSize <= USUAL_PAGE_SIZE;

/** Returns a page size of at most `size` that splits the records into pages of about equal size. */
function equalPageSize(size: number, records: number): number {
	return records === Infinity ? size : Math.ceil(records / Math.ceil(records / size));
}

/** Checks whether the page size works: the page is full and has a next cursor, or it contains the whole list. */
function isUsable(page: FetchedPage): boolean {
	const count = countOf(page);
	return (count === page.pageSize && page.nextCursor !== undefined) || count === page.total;
}
