import { ServiceFailure } from '../client/failures';
import { goesDown, isWithin, timesOf, type DateRange } from './dates';
import type { CursorSort, FetchedPage } from './page';

/** Which records of a list the user wants. */
export interface WantedRecords {
	/** All where it is undefined. */
	maximum?: number;
	/** Of the date that the list is in the order of. */
	range?: DateRange;
}

/** Whether records of the list are left out, wherever they stand: then pages may be empty, and no maximum bounds the reading. */
export function isFiltered({ range }: WantedRecords): boolean {
	return range !== undefined;
}

/** What is wanted of one page. */
export interface Selection {
	/** Where the wanted records stand on the page, from 0, in the order in which they are given. */
	indexes: number[];
	/** Wanted records of the page that are past the maximum. */
	recordsLeftOut: number;
	/** No more is wanted after this page, however the list goes on. */
	isEnough: boolean;
	/** What follows on the page itself is not given, so its cursor leads past records. */
	isCut: boolean;
	/** What is wanted of the pages after it. */
	rest: Wanted;
}

const NOTHING_GIVEN = { given: 0, lastTime: null as number | null };

/** Which records are wanted from some page on. Every reader asks it once for each page; a further filter stands here. */
export class Wanted {
	private readonly records: WantedRecords;
	private readonly sort: CursorSort;
	/** Records given so far, and the date of the last dated one that was read; only a range looks at dates. */
	private readonly before: typeof NOTHING_GIVEN;

	constructor(records: WantedRecords, sort: CursorSort, before = NOTHING_GIVEN) {
		this.records = records;
		this.sort = sort;
		this.before = before;
	}

	/** So many records have to be read at most; Infinity where nobody knows how many pages hold the wanted ones. */
	get mostToRead(): number {
		const { maximum = Infinity } = this.records;
		return isFiltered(this.records) ? Infinity : maximum;
	}

	/** Dates decide, and none was read so far. */
	get isUndated(): boolean {
		return this.records.range !== undefined && this.before.lastTime === null;
	}

	/** What is wanted of the next page. Throws ServiceFailure `notAscending` where dates have to ascend (A1). */
	of(page: FetchedPage): Selection {
		const { range } = this.records;
		if (range === undefined) return this.select([...page.envelope.data.items.keys()]);
		const times = timesOf(page.envelope.data.items, this.sort);
		if (goesDown([this.before.lastTime, ...times])) throw new ServiceFailure('notAscending');
		const indexes = [...times.keys()].filter((index) => isWithin(times[index], range));
		const lastTime = times.findLast((time) => time !== null) ?? this.before.lastTime;
		const isPast = lastTime !== null && lastTime > (range.before ?? Infinity);
		return this.select(indexes, isPast, lastTime);
	}

	/** The same where pages are read from the end of the list, and the newest record is given first. */
	ofFromEnd(page: FetchedPage): Selection {
		const { range = {} } = this.records;
		const times = timesOf(page.envelope.data.items, this.sort);
		const indexes = [...times.keys()].filter((index) => isWithin(times[index], range));
		const oldest = times.find((time) => time !== null) ?? null;
		const isPast = oldest !== null && oldest <= (range.after ?? -Infinity);
		return this.select(indexes.reverse(), isPast, oldest ?? this.before.lastTime);
	}

	private select(all: number[], isPast = false, lastTime: number | null = null): Selection {
		const { maximum = Infinity } = this.records;
		const indexes = all.slice(0, maximum - this.before.given);
		const recordsLeftOut = all.length - indexes.length;
		const given = this.before.given + indexes.length;
		return {
			indexes,
			recordsLeftOut,
			isEnough: isPast || given >= maximum,
			isCut: isPast || recordsLeftOut > 0,
			rest: new Wanted(this.records, this.sort, { given, lastTime }),
		};
	}
}
