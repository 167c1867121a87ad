import { ServiceFailure } from './failures';
import type { FetchedPage } from './pages';
import type { RequestLimits } from './request';

/** Records asked for where nothing is known of the service yet. */
export const FIRST_PAGE_SIZE = 100;
/** For services that refuse the first size; the smallest of them proves the end where `total` does not. */
const SMALLER_PAGE_SIZES = [20, 50];
/** 500 is allowed nearly everywhere. 2,000 takes half the time of 1,000 where answers take 100 ms. */
export const LARGER_PAGE_SIZES = [500, 2_000];
/** Only pages that come quickly are followed by larger ones, and those that take long by smaller ones, in ms. */
const QUICK_MS = 2_000;
const LONG_MS = 8_000;
/** No page is made larger than this, by what its records have needed so far, in characters; twice that is too large. */
const MOST_CHARACTERS = 4_000_000;
/** Longest time for an answer to the first request of a larger size, in ms. */
const LONGEST_TRIAL_MS = 15_000;
/** A rate limit lets one through after a wait or two; one that counts records may never do so. */
const MOST_UNPROCESSED_OF_TRIAL = 3;
/** What a service may say to a `limit` that is too large. */
const REFUSALS_OF_SIZE = [400, 413, 422];

/**
 * The page size of the lists of a run (docs/large-exports.md, Page size): larger while pages come full, quickly and
 * not too long; smaller, for the rest of the run, where a size is refused, fails or is of no use. Knows no clock.
 */
export class PageSize {
	/** In ascending order. */
	private readonly sizes: readonly number[];
	private readonly isFixed: boolean;
	/** What was begun with before anything was known. */
	private initial: number;
	/** The largest that may be asked for, and the largest that was answered. */
	private most = Infinity;
	private answered: number;
	/** What a list begins with. */
	first: number;
	/** The `limit` to send next. */
	size: number;
	/** True once it is known that cursors lead to the same record whatever `limit` is sent with them. */
	isProven = false;

	/**
	 * @param larger what may be asked for once pages of the first size have come
	 * @param isFixed the user chose the size, and only the proof of the end uses smaller ones
	 */
	constructor(first = FIRST_PAGE_SIZE, larger = LARGER_PAGE_SIZES, isFixed = false) {
		const smaller = [...SMALLER_PAGE_SIZES, FIRST_PAGE_SIZE].filter((one) => one < first);
		this.sizes = [...smaller, first, ...larger.filter((one) => one > first)];
		this.isFixed = isFixed;
		this.initial = this.answered = this.first = this.size = first;
	}

	/** Begins with the size that lists of this service were begun with before, where it is a smaller one. */
	beginWith(size: number): void {
		this.initial = this.largestUpTo(Math.min(size, this.first)) ?? this.smallest;
		this.forget();
	}

	/** By pages of this size the end of a list is proven, where `total` does not prove it. */
	get smallest(): number {
		return this.sizes[0];
	}

	/** The last page of a list that is followed is believed up to this size. */
	get trusted(): number {
		return Math.min(this.initial, FIRST_PAGE_SIZE);
	}

	/** Whether nothing is known of this size yet, so that a failure only leads back to a smaller one. */
	isTrial(limit: number): boolean {
		return limit > this.answered;
	}

	/** Every size was refused, so it was no matter of the size: nothing is known of it again. */
	forget(): void {
		this.first = this.size = this.initial;
		this.most = Infinity;
	}

	/** Another list of the run begins. */
	restart(): void {
		this.size = this.first;
	}

	/** A page came. */
	came({ limit: asked, envelope, nextCursor, tookMs, text }: FetchedPage): void {
		this.answered = Math.max(this.answered, asked);
		const received = envelope.data.items.length;
		// An empty page says nothing of its size, and neither does the last one.
		if (nextCursor === undefined || received === 0) return;
		const characters = text.length;
		const isTooLong = tookMs > LONG_MS || characters > 2 * MOST_CHARACTERS;
		const isOfNoUse = received <= (this.largestUpTo(asked - 1) ?? 0);
		if (asked > this.first && (isTooLong || isOfNoUse)) this.keepBelow(asked);
		else if (asked === this.size && received >= asked && tookMs < QUICK_MS) {
			const next = this.sizes.find((one) => one > asked) ?? Infinity;
			if (next <= this.most && (characters / asked) * next <= MOST_CHARACTERS) this.size = next;
		}
	}

	/**
	 * A request for a page failed; `before` is the `limit` of the page before, if one has come. True where it may be asked
	 * for again, by the size that is due now.
	 */
	failed(asked: number, error: unknown, before: number | undefined): boolean {
		if (!(error instanceof ServiceFailure)) return false;
		const { kind, facts } = error;
		const { statusCode = 0, gaveUp } = facts;
		if (before !== undefined) {
			// The service accepts nothing of the run any more, whatever the size.
			const isEnd = kind === 'cancelled' || gaveUp === 'waitTooLong' || gaveUp === 'waitUsed';
			return !isEnd && asked > Math.min(this.first, before) && this.keepBelow(asked);
		}
		const isOfSize = kind === 'unsuccessful' || REFUSALS_OF_SIZE.includes(statusCode);
		return !this.isFixed && isOfSize && this.keepBelow(asked);
	}

	/** From now on only smaller pages are asked for, beginning with `next`. False where no smaller size is left. */
	keepBelow(size: number, next = size): boolean {
		const below = this.largestUpTo(size - 1);
		if (below === undefined) return false;
		this.most = Math.min(this.most, below);
		this.size = this.largestUpTo(Math.min(this.most, next)) ?? this.smallest;
		this.first = Math.min(this.first, this.size);
		return true;
	}

	private largestUpTo(size: number): number | undefined {
		return this.sizes.findLast((one) => one <= size);
	}
}

/** The limits of a request for a page: the first of a larger size is sent once, and not waited for for long. */
export function limitsOfPage(limits: RequestLimits, isTrial?: boolean): RequestLimits {
	if (!isTrial) return limits;
	const timeoutMs = Math.min(limits.timeoutMs, LONGEST_TRIAL_MS);
	return { ...limits, maxRetries: 0, maxUnprocessed: MOST_UNPROCESSED_OF_TRIAL, timeoutMs };
}
