import type { RequestLimits } from '../client/api';
import type { ServiceFailure } from '../client/failures';
import { meaningOf } from '../client/meaning';
import { countOf, type FetchedPage } from './page';

/** Records asked for where nothing is known of the service yet. */
export const FIRST_PAGE_SIZE = 100;
/** What is asked for where more is refused. */
const ACCEPTED_SIZES = [FIRST_PAGE_SIZE, 50, 20];
/** What is tried where a list is long. */
export const LARGER_PAGE_SIZES: readonly number[] = [2_000, 1_000, 500, 200];
/** A larger size is tried only where it saves so many requests, since trying costs some. */
const LEAST_SAVED = 4;
/** A page has at most so many, if its records are as long as those of the first page. */
const MOST_CHARACTERS = 1_000_000;
/** A first page of a chosen limit that is longer is asked for again by a smaller one. */
const TOO_MANY_CHARACTERS = 8_000_000;
const LONGEST_TRIAL_MS = 15_000;

/** What the lists of one run begin with, as those before have found out. */
export interface ListSizes {
	/** For a list of which nothing is known. A larger one is used only where `isUsable` says so. */
	begin: number;
	first: number;
	/** Larger sizes were tried, or this one followed a refusal: no larger one is tried again. */
	wereTried: boolean;
	/** Every size was refused, so that it is something else that the service does not accept. */
	areRefused: boolean;
	larger: readonly number[];
}

/** What lists begin with where nothing is known of the service. */
export function listSizes(larger = LARGER_PAGE_SIZES, begin = FIRST_PAGE_SIZE): ListSizes {
	return { begin, first: begin, wereTried: false, areRefused: false, larger };
}

/** The limits to begin a list with, of which `most` records are wanted: each one where that before was refused. */
export function limitsToBegin({ first, areRefused }: ListSizes, most: number, wanted: number) {
	const begin = Math.min(first, most);
	const sizes = [evenly(begin, wanted), ...ACCEPTED_SIZES.filter((size) => size < begin)];
	// The smallest alone: where that is refused, the limit is not why.
	return areRefused ? [Math.min(...sizes)] : [...new Set(sizes)];
}

/** At most `size`, so that a maximum is read in equal pages. */
function evenly(size: number, maximum: number): number {
	return maximum === Infinity ? size : Math.ceil(maximum / Math.ceil(maximum / size));
}

/** The limits to try for a list that goes on, the largest first. `wanted` is Infinity where nobody knows how many. */
export function largerThan(
	first: FetchedPage,
	sizes: readonly number[],
	{ wanted, most }: { wanted: number; most: number },
): number[] {
	const mostByLength = Math.floor((MOST_CHARACTERS * countOf(first)) / first.text.length);
	// A little more per page gains nothing.
	if (mostByLength < 2 * first.limit) return [];
	const needed = Math.min(first.total ?? Infinity, wanted);
	const requests = (limit: number): number => Math.ceil(needed / limit);
	const isWorth = (limit: number): boolean =>
		needed === Infinity || requests(first.limit) - 1 - requests(limit) >= LEAST_SAVED;
	const limits = sizes
		.map((size) => evenly(Math.min(size, most, mostByLength), wanted))
		.filter((limit) => limit > first.limit && isWorth(limit));
	return [...new Set(limits)];
}

/** Whether a limit of our own choice holds for a list that begins with this page: a cut that shows loses nothing. */
export function isUsable(page: FetchedPage): boolean {
	const count = countOf(page);
	const isFull = count === page.limit && page.nextCursor !== undefined;
	return page.text.length <= TOO_MANY_CHARACTERS && (isFull || count === page.total);
}

/** The limits of a request by a size that held for another list: only a refusal for a time is waited for. */
export function limitsOfKnown(limits: RequestLimits): RequestLimits {
	return { ...limits, maxRetries: 0 };
}

/** Whether a page may have failed since it is large. */
export function mayBeOfSize(failure: ServiceFailure): boolean {
	return meaningOf(failure).helps === 'repeat' || failure.kind === 'tooLong';
}

/** The limits of a request that tries a size: it is sent once, and not waited for for long. */
export function limitsOfTrial(limits: RequestLimits): RequestLimits {
	const timeoutMs = Math.min(limits.timeoutMs, LONGEST_TRIAL_MS);
	return { ...limits, maxRetries: 0, maxUnprocessed: 1, timeoutMs };
}
