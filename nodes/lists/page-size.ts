import type { RequestLimits } from '../client/api';
import { countOf, type FetchedPage } from './page';

/** Records asked for where nothing is known of the service yet. */
export const FIRST_PAGE_SIZE = 100;
/** The last size with which an end is checked. A service that returns even fewer at once looks like a short list. */
export const SMALLEST_PAGE_SIZE = 20;
/** What proves the end of a list, and what is asked for where more is refused. */
const SMALLER = [FIRST_PAGE_SIZE, 50, SMALLEST_PAGE_SIZE];
/** What is tried where a list is long. */
export const LARGER_PAGE_SIZES: readonly number[] = [2_000, 1_000, 500, 200];
/** A larger size is tried only where it saves so many requests, since trying costs some. */
const LEAST_SAVED = 4;
/** No size is tried whose page would probably be longer. */
const MOST_CHARACTERS = 4_000_000;
/** A first page that is longer is asked for again by `FIRST_PAGE_SIZE`. */
export const TOO_MANY_CHARACTERS = 8_000_000;
const LONGEST_TRIAL_MS = 15_000;

/** What the lists of one run begin with, as the first long one has found out. */
export interface ListSizes {
	first: number;
	/** Larger sizes were tried, or this one followed a refusal: no larger one is tried again. */
	wereTried: boolean;
	larger: readonly number[];
}

/** What lists begin with where nothing is known of the service. */
export function listSizes(larger = LARGER_PAGE_SIZES, first = FIRST_PAGE_SIZE): ListSizes {
	return { first, wereTried: false, larger };
}

/** The sizes that prove the end of a list of so many records, or come after a refused size; the largest first. */
export function smallerThan(records: number): number[] {
	return SMALLER.filter((size) => size < records);
}

/** At most `size`, so that a maximum is read in equal pages. */
export function evenly(size: number, maximum = Infinity): number {
	return maximum === Infinity ? size : Math.ceil(maximum / Math.ceil(maximum / size));
}

/** The limits to try for a list that goes on, the largest first. `total` and `wanted` are Infinity where not known. */
export function largerThan(
	first: FetchedPage,
	sizes: readonly number[],
	{ total, wanted, most }: { total: number; wanted: number; most: number },
): number[] {
	const charactersEach = first.text.length / Math.max(1, countOf(first));
	const needed = Math.min(total, wanted);
	const requests = (limit: number): number => Math.ceil(needed / limit);
	const isWorth = (limit: number): boolean =>
		needed === Infinity || requests(first.limit) - 1 - requests(limit) >= LEAST_SAVED;
	const limits = sizes
		.map((size) => evenly(Math.min(size, most), wanted))
		.filter(
			(limit) => limit > first.limit && limit * charactersEach <= MOST_CHARACTERS && isWorth(limit),
		);
	return [...new Set(limits)];
}

/** The limits of a request that tries a size: it is sent once, and not waited for for long. */
export function limitsOfTrial(limits: RequestLimits): RequestLimits {
	const timeoutMs = Math.min(limits.timeoutMs, LONGEST_TRIAL_MS);
	return { ...limits, maxRetries: 0, maxUnprocessed: 1, timeoutMs };
}
