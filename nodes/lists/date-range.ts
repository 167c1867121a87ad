import { ServiceFailure } from '../client/failures';
import { goesDown, timeOf } from './dates';
import type { CursorSort, FetchedPage } from './page';

/** A stretch of time: later than `after` and not later than `before`, both in ms since 1970. */
export interface DateRange {
	after?: number;
	before?: number;
}

/** A record without a date may have changed at any time: it counts as long as the stretch has no end. */
export function isWithin(time: number | null, { after = -Infinity, before }: DateRange): boolean {
	if (time === null) return before === undefined;
	return time > after && time <= (before ?? Infinity);
}

/**
 * Which records of a page lie within a stretch of time, in a list that goes up in its dates.
 *
 * @param lastTime the date of the last dated record before this page, in ms; null where there is none
 * @returns the places of those records, the date of the last dated one, and whether all that follow come too late
 * @throws ServiceFailure `notAscending` where dates go down (docs/assumptions.md, A1)
 */
export function recordsWithin(
	page: FetchedPage,
	sort: CursorSort,
	range: DateRange,
	lastTime: number | null,
) {
	const times = page.envelope.data.items.map((record) => timeOf(record[sort]));
	if (goesDown([lastTime, ...times])) throw new ServiceFailure('notAscending');
	const places = [...times.keys()].filter((place) => isWithin(times[place], range));
	const last = times.findLast((time) => time !== null) ?? lastTime;
	return { places, lastTime: last, isPast: last !== null && last > (range.before ?? Infinity) };
}
