import { ServiceFailure } from '../client/failures';
import { goesDown, isWithin, timesOf, type DateRange } from './dates';
import type { CursorSort, FetchedPage } from './page';

/** The records of a list that the user wants. `limit` counts only records in `range`. */
export interface RecordSelection {
	/** Maximum number of records to return. Undefined for all records. */
	limit?: number;
	/** Date range for the date field that the list is sorted by. */
	range?: DateRange;
}

/** Result of selecting the wanted records of a page. */
export interface Selection {
	/** Indexes of the wanted records on the page, from 0, in the order of the output. */
	indexes: number[];
	/** Number of records on the page that are outside the date range. */
	filtered: number;
	/** Number of records on the page that are in the date range but exceed the user's limit. */
	recordsLeftOut: number;
	/** True if later pages cannot contain a wanted record. */
	isComplete: boolean;
	/** True if records at the end of the page are not returned, so the page's next cursor would skip these records. */
	isTruncated: boolean;
	/** Filter for the next page. */
	remaining: RecordFilter;
}

/** State before the first page. `lastTime` is the latest date read (ms since 1970), if a date range is set. */
const NO_PROGRESS = { selected: 0, lastTime: null as number | null };

/** Selects the wanted records of one page. The result contains the filter for the next page (`remaining`). */
export class RecordFilter {
	private readonly selection: RecordSelection;
	private readonly sort: CursorSort;
	private readonly progress: typeof NO_PROGRESS;

	constructor(selection: RecordSelection, sort: CursorSort, progress = NO_PROGRESS) {
		this.selection = selection;
		this.sort = sort;
		this.progress = progress;
	}

	/** Maximum number of records to read. Infinity with a date range, because it can exclude any number of records. */
	get maxToRead(): number {
		const { limit = Infinity, range } = this.selection;
		return range === undefined ? limit : Infinity;
	}

	/** True if a date range is set, and no record has had a date so far. */
	get isUndated(): boolean {
		return this.selection.range !== undefined && this.progress.lastTime === null;
	}

	/**
	 * Selects the wanted records of the next page. Throws ServiceFailure `notAscending` if a date range is set and
	 * dates do not ascend (docs/maintainers/assumptions.md, A1).
	 */
	select(page: FetchedPage): Selection {
		const { range } = this.selection;
		const { items } = page.envelope.data;
		const times = range && timesOf(items, this.sort);
		if (times && goesDown([this.progress.lastTime, ...times]))
			throw new ServiceFailure('notAscending');
		const lastTime = times?.findLast((time) => time !== null) ?? this.progress.lastTime;
		const isPast = lastTime !== null && lastTime > (range?.before ?? Infinity);
		return this.selectFrom([...items.keys()], times, lastTime, isPast);
	}

	/** Selects the wanted records of a page if the list is read backwards. Chooses from `indexes` (newest first). */
	selectFromEnd(page: FetchedPage, indexes: number[]): Selection {
		const { range } = this.selection;
		const times = range && timesOf(page.envelope.data.items, this.sort);
		const oldest = times?.find((time) => time !== null) ?? null;
		const isPast = oldest !== null && oldest <= (range?.after ?? -Infinity);
		return this.selectFrom(indexes, times, oldest ?? this.progress.lastTime, isPast);
	}

	private selectFrom(
		candidates: number[],
		times: ReadonlyArray<number | null> | undefined,
		lastTime: number | null,
		isPast: boolean,
	): Selection {
		const { limit = Infinity, range = {} } = this.selection;
		const inRange = candidates.filter((index) => !times || isWithin(times[index], range));
		const indexes = inRange.slice(0, limit - this.progress.selected);
		const recordsLeftOut = inRange.length - indexes.length;
		const selected = this.progress.selected + indexes.length;
		return {
			indexes,
			filtered: candidates.length - inRange.length,
			recordsLeftOut,
			isComplete: isPast || selected >= limit,
			isTruncated: isPast || recordsLeftOut > 0,
			remaining: new RecordFilter(this.selection, this.sort, { selected, lastTime }),
		};
	}
}
