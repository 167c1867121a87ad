import { ServiceFailure } from './failures';
import type { AnswerSize, RequestLimits } from './request';
import { wasNotTaken } from './retry';

/** Records asked for where nothing is known of the service yet. */
export const FIRST_PAGE_SIZE = 100;
/** What services commonly allow at most. Two thousand take a third less time than one when answers take 0.1 s. */
export const PAGE_SIZES = [FIRST_PAGE_SIZE, 200, 500, 1_000, 2_000];
/** From the first size two places on, since each place costs a request; what lies between is for services that refuse. */
const FIRST_STEP = 2;
/** Only pages that come quickly are followed by larger ones, and those that take long by smaller ones, in ms. */
const QUICK_MS = 2_000;
const LONG_MS = 8_000;
/** No page is made larger than this, by what its records have needed so far, in characters; twice that is too large. */
const MOST_CHARACTERS = 4_000_000;
/** Longest time for an answer to a request for more than the first size, in ms. */
const LONGEST_LARGER_MS = 15_000;
/** A rate limit lets one through after a wait or two; one that counts records may never do so. */
const MOST_REFUSALS_OF_LARGER = 3;

/** How a page came. */
export interface CamePage extends AnswerSize {
	/** The `limit` that was sent. */
	asked: number;
	/** How many records came. */
	received: number;
	/** False on the last page, which is short whatever was asked for. */
	hasNext: boolean;
}

/** Why no larger pages are asked for: the service gave fewer records, or did not take the request. */
export type SizeEnd = 'gaveFewer' | 'refused';

/**
 * Finds the page size that a service allows and that is quick, while a list is read (docs/large-exports.md, Page
 * size): larger while pages come full, quickly and not too long; back when a larger one fails or is of no use.
 * Serves all lists of a run, so that nothing is tried twice. Knows no clock.
 */
export class PageSize {
	private readonly sizes: readonly number[];
	private place = 0;
	/** The largest place that may still be asked for. */
	private top: number;
	/** The largest `limit` that was answered. */
	private answered: number;
	/** Passing faults in a row, and the size that the last of them came with. */
	private faults = 0;
	private faultySize = 0;
	/** One page is asked for by the first size, after such a fault. */
	private isResting = false;
	/** True once it is known that cursors lead to the same record whatever `limit` is sent with them. */
	isProven = false;
	/** Why there is a largest size, and the most records that a page held. */
	end: SizeEnd | undefined;
	mostReceived = 0;

	/** @param sizes what may be asked for, in ascending order */
	constructor(sizes: readonly number[] = PAGE_SIZES) {
		this.sizes = sizes;
		this.answered = this.first;
		this.top = sizes.length - 1;
	}

	/** The smallest size, which every failure leads back to. */
	get first(): number {
		return this.sizes[0];
	}

	/** The `limit` to send next. */
	get size(): number {
		return this.isResting ? this.first : this.sizes[this.place];
	}

	/** Another list of the run begins. */
	restart(): void {
		this.place = 0;
		this.isResting = false;
	}

	/** A page came. */
	came({ asked, received, hasNext, ...answer }: CamePage): void {
		this.mostReceived = Math.max(this.mostReceived, received);
		const wasResting = this.isResting;
		this.isResting = false;
		if (wasResting) return;
		if (asked >= this.faultySize) this.faults = 0;
		const isShort = hasNext && received < asked;
		const isOfNoUse = isShort && received <= this.answered;
		if (asked > this.answered) {
			if (isOfNoUse) this.fallTo(this.answered);
			else this.answered = asked;
		}
		if (isShort) {
			this.top = this.place;
			this.end ??= 'gaveFewer';
		}
		if (this.isTooLarge(asked, answer)) this.fallTo(asked - 1);
		else if (received >= asked) this.place = this.placeAfter(asked, answer);
	}

	/** Whether a page that was asked for by this size is followed by one of the same size, however many records it holds. */
	staysAt(asked: number, answer: AnswerSize): boolean {
		if (this.isResting || asked !== this.size || asked > this.answered) return false;
		const isSure = this.isProven || asked === this.first;
		const stays = this.placeAfter(asked, answer) === this.place;
		return isSure && stays && !this.isTooLarge(asked, answer);
	}

	private isTooLarge(asked: number, { tookMs, characters }: AnswerSize): boolean {
		return asked > this.first && (tookMs > LONG_MS || characters > 2 * MOST_CHARACTERS);
	}

	/** The place that a full page of this size leads to: a later one, or the same. */
	private placeAfter(asked: number, { tookMs, characters }: AnswerSize): number {
		if (asked !== this.size || tookMs >= QUICK_MS) return this.place;
		const most = Math.min(this.top, this.place + (this.place === 0 ? FIRST_STEP : 1));
		const fits = (size: number): boolean => characters * (size / asked) <= MOST_CHARACTERS;
		return this.sizes.findLastIndex(
			(size, place) => place === this.place || (place <= most && fits(size)),
		);
	}

	/**
	 * A request for more than the first size failed.
	 *
	 * @returns false when that says nothing about its size: then it is the end of the list
	 */
	failed(asked: number, error: unknown): boolean {
		if (!(error instanceof ServiceFailure) || error.kind === 'cancelled') return false;
		const isPassing = error.facts.gaveUp === 'retriesUsed';
		const isNotTaken = wasNotTaken({ kind: error.kind, ...error.facts });
		if (isNotTaken && !isPassing) return false;
		const isTrial = asked > this.answered;
		// What went well before, or was only refused for now, may go well again; twice in a row it does not.
		this.faultySize = asked;
		if (isPassing && (isNotTaken || !isTrial) && ++this.faults < 2) {
			this.isResting = true;
			return true;
		}
		this.fallTo(isTrial ? this.answered : this.first);
		// Between the two there may be one that was stepped over.
		if (isTrial) this.top = this.sizes.findLastIndex((one) => one < asked);
		this.end ??= 'refused';
		return true;
	}

	/** The service's cursors depend on the size that they were given with. */
	keepFirst(): void {
		this.fallTo(this.first);
	}

	/** From now on, no larger size than this is asked for. */
	private fallTo(size: number): void {
		const place = this.sizes.findLastIndex((one) => one <= size);
		this.place = Math.min(this.place, Math.max(0, place));
		this.top = this.place;
	}
}

/** The limits of a request for a page: one for more than the first size is sent once, and not waited for for long. */
export function limitsOfPage(limits: RequestLimits, isLarger: boolean): RequestLimits {
	if (!isLarger) return limits;
	const timeoutMs = Math.min(limits.timeoutMs, LONGEST_LARGER_MS);
	return { ...limits, maxRetries: 0, mostRefusals: MOST_REFUSALS_OF_LARGER, timeoutMs };
}
