import { ServiceFailure } from '../client/failures';
import type { CursorSort } from '../lists/page';
import type { Version } from '../lists/record-identity';
import { HighWaterMark, type Dated } from './high-water-mark';
import { Lookback } from './lookback';
import type { VersionedPage } from './reader';
import { fitting, thinned } from './saved-cursors';
import {
	pack,
	unpack,
	type SavedCursor,
	type ChangesSettings,
	type Checkpoint,
} from './checkpoint';
import { MAX_UNDATED, UndatedVersions } from './undated';

/** Default maximum number of versions to remember that are newer than the high-water mark. Their digests take 22 KB. */
const MAX_REMEMBERED = 2_000;
/**
 * Maximum number of versions to remember after they disappear from the list. If they are missing only because a lagging
 * replica was read, they can reappear.
 */
const MAX_GONE = 1_000;

/** A page that was read, and that the high-water mark has not passed yet. */
interface PendingPage {
	/** Cursor that leads to the page. Undefined for the beginning of the list. */
	from: SavedCursor | undefined;
	/** Date of the first record on the page, in ms since 1970. Null if that record has no date. */
	first: number | null;
	/** Date of the last dated record, in ms since 1970. Null if no record has a date, or if an empty page follows. */
	last: number | null;
	/** Processed record versions of the page, except for those older than the high-water mark. */
	versions: Dated[];
}

/**
 * Tracks which record versions (records together with their dates) have been processed: returned, or skipped because
 * they are older than the start. All versions older than the high-water mark have been processed. Digests show which of
 * the newer versions have been processed. The mark moves over a page when no further change can appear on this page, or
 * when there are too many digests to remember.
 */
export class Progress {
	readonly lookback: Lookback;
	/** Number of records in the whole list, according to the last page that was read. */
	total: number | undefined;
	/** True if the high-water mark has moved over at least one page in this poll. */
	hasMoved = false;
	private readonly checkpoint: Checkpoint;
	private readonly from: SavedCursor | undefined;
	private readonly maxRemembered: number;
	private readonly mark: HighWaterMark;
	private readonly remembered: Set<string>;
	/** Digests of remembered record versions that this poll has not read yet. */
	private readonly expected: Set<string>;
	private readonly undated: UndatedVersions;
	private pages: PendingPage[] = [];
	/** Cursors of pages that the high-water mark has passed, in list order. */
	private passed: SavedCursor[];
	/** Number of records in the list up to the end of the current page, including those before the saved cursor. */
	private listed: number;
	private hasMetRemembered = false;
	private hasSkipped: boolean;
	/** True once a record has had a later date than the previous record, or if the poll began with a saved cursor. */
	private hasRisen: boolean;
	/** True if the high-water mark has moved over a page on which changes may still appear. */
	private hasLeftUnsettled = false;
	/** Date of the last processed record, in ms since 1970. */
	private readUpTo: number | null = null;

	/** @param from saved cursor that the poll begins with; undefined for the beginning of the list */
	constructor(checkpoint: Checkpoint, from: SavedCursor | undefined, settings: ChangesSettings) {
		this.checkpoint = checkpoint;
		this.from = from;
		this.lookback = new Lookback(checkpoint, settings);
		this.maxRemembered = settings.maxRemembered ?? MAX_REMEMBERED;
		this.mark = new HighWaterMark(checkpoint, this.maxRemembered);
		this.hasSkipped = checkpoint.isSkipping;
		this.hasRisen = from !== undefined;
		this.remembered = new Set(unpack(checkpoint.seen));
		this.expected = new Set(this.remembered);
		this.undated = new UndatedVersions(checkpoint.undated);
		this.listed = from?.before ?? 0;
		this.passed = from
			? checkpoint.savedCursors.slice(0, checkpoint.savedCursors.indexOf(from))
			: [];
	}

	/**
	 * Checks whether the first record at a saved cursor proves that the cursor still leads to the right place. The
	 * record must be older than the high-water mark, remembered at the mark's date, or the same as when the cursor was
	 * saved. Before any other record, changes may have appeared, and a poll from this cursor would miss them.
	 */
	provesSavedCursor({ digest, time }: Version): boolean {
		if (time === null) return false;
		return time < this.mark.time || this.from?.first === digest || this.mark.has(digest);
	}

	/** Begins a page. Call `process` for each of its records, then `endPage`. */
	beginPage({ cursor, pageSize, versions, total }: VersionedPage): void {
		const [first] = versions;
		const before = this.pages.at(-1);
		// Treat a page as part of the previous page if its first record has no date, because its first date is unknown.
		if (before === undefined || (first !== undefined && first.time !== null)) {
			const { digest = '', time = null } = first ?? {};
			const from = cursor ? { cursor, pageSize, first: digest, before: this.listed } : undefined;
			this.pages.push({ from, first: time, versions: [], last: null });
		} else if (first === undefined) before.last = null;
		this.listed += versions.length;
		this.total = total;
	}

	/** Checks whether a record version has been processed before. Call this function before `process`. */
	isProcessed(version: Version): boolean {
		const { digest, time } = version;
		// Check `undated` for dated records too. A date far in the future counts as missing, so this record may have
		// been stored as undated earlier.
		if (this.undated.has(digest) || this.remembers(digest)) return true;
		return time !== null && (time < this.mark.time || this.isSkipped(version));
	}

	/**
	 * Marks the next record version of the page as processed.
	 * @throws ServiceFailure `tooManyUndated`, or `notAscending` if the date descends and is not a late change
	 */
	process(version: Version, dateField: CursorSort): void {
		const { digest, time } = version;
		if (time === null) {
			const isAhead = this.lookback.futureDates > MAX_UNDATED / 2;
			this.undated.add(digest, { dateField, isAhead });
			return;
		}
		const before = this.readUpTo ?? time;
		// With offset cursors, a late record pushes records that were already read onto the next page, so an older date
		// can follow a newer date. Accept an older date if this version was already processed, or if the date is within
		// the lookback window.
		const mayBeLate = time >= this.lookback.settled || this.isProcessed(version);
		if (time < before && !(this.hasRisen && mayBeLate)) throw new ServiceFailure('notAscending');
		this.hasRisen ||= time > before;
		const page = this.pages[this.pages.length - 1];
		page.last = time;
		this.readUpTo = time;
		this.lookback.record(time);
		this.expected.delete(digest);
		if (time < this.mark.time) return;
		if (this.isSkipped(version)) {
			this.hasSkipped = true;
			return;
		}
		this.hasMetRemembered = true;
		this.remembered.add(digest);
		page.versions.push({ digest, time });
	}

	/** Ends a page, and moves the high-water mark as far as possible. */
	endPage(): void {
		while (this.pages.length > 1 && (this.isSettled() || this.isOverfull())) this.move();
	}

	/** Moves the high-water mark over all pages but the last, even if changes may still appear on them. */
	moveToLastPage(): void {
		while (this.pages.length > 1) this.move();
	}

	/**
	 * True if the total of the list is larger than the number of records read plus the number of records before the
	 * saved cursor. Valid only at the end of the list.
	 */
	get isIncomplete(): boolean {
		return this.listed < (this.total ?? 0);
	}

	/**
	 * True if versions without a stored digest were skipped, and no remembered version has proved yet that they were
	 * processed.
	 */
	get isSkipping(): boolean {
		return this.hasSkipped && !this.hasMetRemembered;
	}

	/**
	 * Checks whether skipped versions may be new, because the version after them is not remembered.
	 * @param next version after the skipped ones; undefined at the end of the list
	 */
	hasLostSkippedVersions(next?: Version): boolean {
		if (!this.isSkipping) return false;
		if (next === undefined) return true;
		return (next.time ?? -Infinity) > this.mark.time && !this.remembers(next.digest);
	}

	/**
	 * Returns the checkpoint to store. `hasEnded`: the list was read to its end. `fromBeginning`: the list was read
	 * from its beginning.
	 */
	toCheckpoint(hasEnded: boolean, fromBeginning: boolean): Checkpoint {
		const versions = this.pages.flatMap((page) => page.versions);
		const { gone, later } = this.expectedAt(hasEnded);
		const free = this.maxRemembered - versions.length - later.length;
		// Move only a copy of the mark. This poll still remembers versions that do not fit into the checkpoint.
		const mark = new HighWaterMark(this.mark.toCheckpoint(), this.maxRemembered);
		for (const version of versions.splice(0, Math.max(0, -free))) mark.moveOver(version);
		// Store versions that are gone from the list only if there is space. If the mark were moved to make space for
		// them, late changes could be missed.
		const kept = gone.slice(Math.max(0, gone.length - Math.max(0, Math.min(MAX_GONE, free))));
		return {
			...this.checkpoint,
			...mark.toCheckpoint(),
			seen: pack(new Set([...kept, ...versions.map(({ digest }) => digest), ...later])),
			undated: this.undated.toCheckpoint(hasEnded && fromBeginning),
			...this.lookback.toCheckpoint(hasEnded ? Infinity : (this.readUpTo ?? -Infinity)),
			isSkipping: this.isSkipping,
			savedCursors: this.savedCursors(hasEnded),
		};
	}

	/**
	 * Returns the cursors for the next poll. Leaves out the cursor of the first page after the high-water mark if a
	 * late change can still appear before this page. If cursors are offsets, a poll from this cursor would not notice
	 * the change.
	 */
	private savedCursors(hasEnded: boolean): SavedCursor[] {
		const [oldest] = this.pages;
		// No page is pending if reading restarted from the beginning of the list and the first request failed. There is
		// no cursor to save then.
		if (oldest?.from === undefined) return [];
		const { from, first } = oldest;
		const { passed, hasMoved, hasLeftUnsettled } = this;
		const mayHideLate = first !== null && first >= this.lookback.settled;
		const found = [...passed, ...(hasMoved && mayHideLate && !hasLeftUnsettled ? [] : [from])];
		// If the count is larger than the total, records before the cursors were deleted, or moved to the end of the
		// list. Fewer records are then before each cursor.
		const fewer = hasEnded ? Math.max(0, this.listed - (this.total ?? this.listed)) : 0;
		return fitting(found).map((one) => ({ ...one, before: Math.max(0, one.before - fewer) }));
	}

	/** Returns remembered digests that this poll has not read. `gone`: not in the list. `later`: not reached yet. */
	private expectedAt(hasEnded: boolean): { gone: string[]; later: string[] } {
		const before = unpack(this.checkpoint.seen);
		const lastMet = before.findLastIndex((digest) => !this.expected.has(digest));
		const reached = hasEnded ? before.length : lastMet + 1;
		const gone = before.slice(0, reached).filter((digest) => this.expected.has(digest));
		return { gone, later: before.slice(reached) };
	}

	private remembers(digest: string): boolean {
		return this.remembered.has(digest) || this.mark.has(digest);
	}

	/**
	 * Checks whether a version counts as processed although its digest is not stored. True if it has the mark's date,
	 * some digests for this date were dropped, and this poll has not yet read a remembered version.
	 */
	private isSkipped({ digest, time }: Version): boolean {
		const mayBeForgotten = time === this.mark.time && this.mark.isTruncated;
		return mayBeForgotten && !this.hasMetRemembered && !this.remembers(digest);
	}

	/** Checks whether no further change can appear on or before the first page after the high-water mark. */
	private isSettled(): boolean {
		const [page, next] = this.pages;
		const end = page.last ?? next.first ?? Infinity;
		return end < Math.max(this.lookback.settled, this.mark.time);
	}

	private isOverfull(): boolean {
		const count = this.pages.reduce((sum, { versions }) => sum + versions.length, 0);
		return count > this.maxRemembered;
	}

	/** Moves the high-water mark past all records of the oldest pending page. */
	private move(): void {
		const [page] = this.pages;
		this.hasLeftUnsettled ||= !this.isSettled();
		for (const version of page.versions.splice(0)) {
			this.mark.moveOver(version);
			this.remembered.delete(version.digest);
		}
		if (page.from !== undefined) this.passed = thinned([...this.passed, page.from]);
		this.pages.shift();
		this.hasMoved = true;
	}
}
