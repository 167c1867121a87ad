import { ServiceFailure } from '../client/failures';
import { goesDown, isWithin, timesOf, type DateRange } from './dates';
import type { CursorSort, FetchedPage } from './page';

/** Of the whole list, whatever its pages are: `limit` counts what `range` lets through. */
export interface RecordSelection {
	/** All where it is undefined. */
	limit?: number;
	/** Of the date that the list is in the order of. */
	range?: DateRange;
}

export interface Selection {
	/** Where the wanted records stand on the page, from 0, in the order in which they are given. */
	indexes: number[];
	/** Records of the page that are not wanted, wherever they stand. */
	filtered: number;
	/** Wanted records of the page that are past the limit. */
	recordsLeftOut: number;
	/** No more is wanted after this page, however the list goes on. */
	isComplete: boolean;
	/** What follows on the page itself is not given, so its cursor leads past records. */
	isTruncated: boolean;
	/** What is wanted of the pages after it. */
	remaining: RecordFilter;
}

const NOTHING_SELECTED = { selected: 0, lastTime: null as number | null };

/** Which records are wanted from some page on. Every reader asks it once for each page. */
export class RecordFilter {
	private readonly records: RecordSelection;
	private readonly sort: CursorSort;
	/** How many records were selected so far, and the date of the last dated one that was read; only a range looks at dates. */
	private readonly before: typeof NOTHING_SELECTED;

	constructor(records: RecordSelection, sort: CursorSort, before = NOTHING_SELECTED) {
		this.records = records;
		this.sort = sort;
		this.before = before;
	}

	/** So many records have to be read at most; Infinity where nobody knows how many pages hold the wanted ones. */
	get maxToRead(): number {
		const { limit = Infinity, range } = this.records;
		return range === undefined ? limit : Infinity;
	}

	/** Dates decide, and none was read so far. */
	get isUndated(): boolean {
		return this.records.range !== undefined && this.before.lastTime === null;
	}

	/** What is wanted of the next page. Throws ServiceFailure `notAscending` where dates have to ascend (A1). */
	of(page: FetchedPage): Selection {
		const { range } = this.records;
		const { items } = page.envelope.data;
		const times = range && timesOf(items, this.sort);
		if (times && goesDown([this.before.lastTime, ...times]))
			throw new ServiceFailure('notAscending');
		const lastTime = times?.findLast((time) => time !== null) ?? this.before.lastTime;
		const isPast = lastTime !== null && lastTime > (range?.before ?? Infinity);
		return this.select([...items.keys()], times, lastTime, isPast);
	}

	/** The same of these records of a page, the newest first, where pages are read from the end of the list. */
	ofFromEnd(page: FetchedPage, indexes: number[]): Selection {
		const { range } = this.records;
		const times = range && timesOf(page.envelope.data.items, this.sort);
		const oldest = times?.find((time) => time !== null) ?? null;
		const isPast = oldest !== null && oldest <= (range?.after ?? -Infinity);
		return this.select(indexes, times, oldest ?? this.before.lastTime, isPast);
	}

	/** The one place of filters. */
	private select(
		offered: number[],
		times: ReadonlyArray<number | null> | undefined,
		lastTime: number | null,
		isPast: boolean,
	): Selection {
		const { limit = Infinity, range = {} } = this.records;
		const wanted = offered.filter((index) => !times || isWithin(times[index], range));
		const indexes = wanted.slice(0, limit - this.before.selected);
		const recordsLeftOut = wanted.length - indexes.length;
		const selected = this.before.selected + indexes.length;
		return {
			indexes,
			filtered: offered.length - wanted.length,
			recordsLeftOut,
			isComplete: isPast || selected >= limit,
			isTruncated: isPast || recordsLeftOut > 0,
			remaining: new RecordFilter(this.records, this.sort, { selected, lastTime }),
		};
	}
}
