import type { RequestLimits } from '../client/api';
import { countOf, type FetchedPage } from './page';

/** The largest number of records that is asked for as any other request; more of them are a trial. */
export const USUAL_PAGE_SIZE = 100;
/** What the beginning of a list is asked for by, until one is answered with what a list can be read by. */
export const PAGE_SIZES = [2_000, 1_000, 500, 200, USUAL_PAGE_SIZE, 50, 20];
const LONGEST_TRIAL_MS = 15_000;
const LONGEST_TRIAL_CHARACTERS = 8_000_000;
const KNOWN_FOR_MS = 3_600_000;

/** A limit to begin a list with, and the size that it was made of: smaller than that, it reads a maximum in equal pages. */
interface Step {
	size: number;
	limit: number;
}

/** The limits to begin a list with, of which so many are wanted: each one where that before it was of no use. */
export function stepsToBegin(most: number, wanted: number): Step[] {
	const largest = Math.min(most, PAGE_SIZES[0]);
	const steps = [stepOf(largest, wanted)];
	for (const size of PAGE_SIZES.filter((one) => one < largest)) {
		const isPlenty = size < USUAL_PAGE_SIZE && size >= wanted;
		// A service may refuse a limit because it is too small.
		const step = isPlenty ? { size, limit: size } : stepOf(size, wanted);
		if (!steps.some(({ limit }) => limit === step.limit)) steps.push(step);
	}
	return steps;
}

/** What is left of these steps after a trial that brought a page of no use. */
export function stepsAfter(page: FetchedPage, steps: readonly Step[], wanted: number): Step[] {
	const count = countOf(page);
	const isOn = page.nextCursor !== undefined;
	// So many come at once, by whatever limit.
	if (isOn && count > 0 && count < page.limit) {
		return [stepOf(count, wanted), ...steps.filter(({ limit }) => limit < count)];
	}
	if (isOn || (count === 0 && page.total !== undefined)) return [...steps];
	// It may be the whole list: without a total, a page that is cut looks like its end.
	return steps.filter(({ limit }) => limit <= Math.max(count, USUAL_PAGE_SIZE));
}

/** At most `size`, so that a maximum is read in equal pages. */
function stepOf(size: number, maximum: number): Step {
	const isAll = maximum === Infinity;
	return { size, limit: isAll ? size : Math.ceil(maximum / Math.ceil(maximum / size)) };
}

/** Whether a trial's limit holds for the list that begins with this page: a cut that shows loses nothing. */
export function isUsable(page: FetchedPage): boolean {
	const count = countOf(page);
	return (count === page.limit && page.nextCursor !== undefined) || count === page.total;
}

/** The limits of a request for the beginning: a trial is sent once, and neither waited for nor read for long. */
export function limitsToBeginBy(limit: number, limits: RequestLimits): RequestLimits {
	if (limit <= USUAL_PAGE_SIZE) return limits;
	const timeoutMs = Math.min(limits.timeoutMs, LONGEST_TRIAL_MS);
	const trial = { maxRetries: 0, maxUnprocessed: 1, mostCharacters: LONGEST_TRIAL_CHARACTERS };
	return { ...limits, ...trial, timeoutMs };
}

/** Where the lists of one address, key and path begin. */
export interface KnownSize {
	read: () => number | undefined;
	keep: (size: number) => void;
}

/**
 * Where the lists of a service begin for which larger pages were of no use, for an hour: services change.
 * @param nowMs milliseconds since some moment
 */
export function createKnownSizes(nowMs: () => number) {
	const sizes = new Map<string, { size: number; untilMs: number }>();
	const read = (list: string): number | undefined => {
		for (const [one, { untilMs }] of sizes) if (nowMs() >= untilMs) sizes.delete(one);
		return sizes.get(list)?.size;
	};
	return (list: string): KnownSize => ({
		read: () => read(list),
		keep: (size) => sizes.set(list, { size, untilMs: nowMs() + KNOWN_FOR_MS }),
	});
}
