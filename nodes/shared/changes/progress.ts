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

/**
 * Default maximum number of versions that are remembered after the high-water mark: 2,000 digests are 22 KB. Up to 501 more
 * are remembered for the date of the mark.
 */
const MAX_REMEMBERED = 2_000;
/** Maximum number of remembered versions that the list did not show again. A copy of the data may show them later. */
const MAX_GONE = 1_000;

/** A page that was read, with the versions of it that were processed so far. */
interface PendingPage {
	/** Leads to the page; undefined for the beginning of the list. */
	from: SavedCursor | undefined;
	/** Date of its first record in ms; null if that record has none. */
	first: number | null;
	/** Date of its last dated record in ms; null if that date does not show where the page ends. */
	last: number | null;
	/** Versions that are not older than the high-water mark. */
	versions: Dated[];
}

/**
 * Knows which versions have been processed, that is, returned or passed over because reading starts later: all versions
 * older than the high-water mark, and the remembered ones. The mark moves over a page once no late change can appear before
 * the end of that page. It moves further only if more versions would have to be remembered than fit.
 */
export class Progress {
	readonly lookback: Lookback;
	/** Number of records of the list, as the last page has it. */
	total: number | undefined;
	/** Whether the mark has moved over a page. */
	hasMoved = false;
	private readonly checkpoint: Checkpoint;
	private readonly from: SavedCursor | undefined;
	private readonly maxRemembered: number;
	private readonly mark: HighWaterMark;
	private readonly remembered: Set<string>;
	/** Remembered versions that this reading has not met yet. */
	private readonly expected: Set<string>;
	private readonly undated: UndatedVersions;
	private pages: PendingPage[] = [];
	/** Cursors to the page before `pages`, and to pages ever farther back. */
	private passed: SavedCursor[];
	/** Number of records up to the end of the last page, including those before the saved cursor. */
	private listed: number;
	private hasMetRemembered = false;
	private hasSkipped: boolean;
	/** Whether some date was later than the one before it. A reading from a saved cursor takes this for granted. */
	private hasRisen: boolean;
	/** Whether the mark has moved over a page although a late change may still appear before its end. */
	private hasLeftUnsettled = false;
	/** Date of the last processed record, in ms. */
	private readUpTo: number | null = null;

	/** @param from where the reading begins; undefined for the beginning of the list */
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
	 * Checks whether the first record of a reading proves that the saved cursor leads to the same position as before. A later
	 * record would prove nothing, because a late change may stand before it. Nor does a record without a date.
	 */
	provesSavedCursor({ digest, time }: Version): boolean {
		if (time === null) return false;
		return time < this.mark.time || this.from?.first === digest || this.mark.has(digest);
	}

	/** Begins a page. Call `process` for each of its records, then `endPage`. */
	beginPage({ cursor, pageSize: pageSize, versions, total }: VersionedPage): void {
		const [first] = versions;
		const before = this.pages.at(-1);
		// A page that does not begin with a date shows no position, so it counts as a part of the page before it.
		if (before === undefined || (first !== undefined && first.time !== null)) {
			const { digest = '', time = null } = first ?? {};
			const from = cursor ? { cursor, pageSize, first: digest, before: this.listed } : undefined;
			this.pages.push({ from, first: time, versions: [], last: null });
		} else if (first === undefined) before.last = null;
		this.listed += versions.length;
		this.total = total;
	}

	/** Checks whether a version was processed before. Call this before `process`. */
	isProcessed(version: Version): boolean {
		const { digest, time } = version;
		// A version dated far ahead is remembered as undated until the clock comes near to its date.
		if (this.undated.has(digest) || this.remembers(digest)) return true;
		return time !== null && (time < this.mark.time || this.isSkipped(version));
	}

	/** Processes the next record of the page. Throws ServiceFailure `tooManyUndated` or `notAscending`, also across pages. */
	process(version: Version, dateField: CursorSort): void {
		const { digest, time } = version;
		if (time === null) {
			const isAhead = this.lookback.futureDates > MAX_UNDATED / 2;
			this.undated.add(digest, { dateField, isAhead });
			return;
		}
		const before = this.readUpTo ?? time;
		// If cursors are positions, a late record moves later records, and itself, on to the next page. So an older date may
		// follow a newer one, if the version was processed before or its date is within the lookback window.
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

	/** Ends a page, and moves the mark as far as it may. */
	endPage(): void {
		while (this.pages.length > 1 && (this.isSettled() || this.isOverfull())) this.move();
	}

	/** Moves the mark to the last page, even if late changes may still appear before it. */
	moveToLastPage(): void {
		while (this.pages.length > 1) this.move();
	}

	/** Whether the list has more records than were read. Valid at its end. */
	get isIncomplete(): boolean {
		return this.listed < (this.total ?? 0);
	}

	/** Whether versions were skipped, and no remembered version has followed them yet. */
	get isSkipping(): boolean {
		return this.hasSkipped && !this.hasMetRemembered;
	}

	/** Checks whether it can no longer be known which skipped versions were processed. `next` is undefined at the list's end. */
	hasLostSkippedVersions(next?: Version): boolean {
		if (!this.isSkipping) return false;
		if (next === undefined) return true;
		return (next.time ?? -Infinity) > this.mark.time && !this.remembers(next.digest);
	}

	/** Returns the state to store. `hasEnded`: the end of the list was reached; `fromBeginning`: reading began at its start. */
	toCheckpoint(hasEnded: boolean, fromBeginning: boolean): Checkpoint {
		const versions = this.pages.flatMap((page) => page.versions);
		const { gone, later } = this.expectedAt(hasEnded);
		const free = this.maxRemembered - versions.length - later.length;
		// Versions that do not fit into the state stay remembered in this reading.
		const mark = new HighWaterMark(this.mark.toCheckpoint(), this.maxRemembered);
		for (const version of versions.splice(0, Math.max(0, -free))) mark.moveOver(version);
		// Gone versions only take free places: for them, the mark would pass dates that late changes can still have.
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
	 * Returns the cursors to begin the next reading with. If the first pending page begins within the lookback window, a late
	 * change may appear between the mark and that page. If cursors are positions, it could stand before the page without
	 * being seen, so the next reading begins a page earlier.
	 */
	private savedCursors(hasEnded: boolean): SavedCursor[] {
		const [{ from, first }] = this.pages;
		if (from === undefined) return [];
		const { passed, hasMoved, hasLeftUnsettled } = this;
		const mayHideLate = first !== null && first >= this.lookback.settled;
		const found = [...passed, ...(hasMoved && mayHideLate && !hasLeftUnsettled ? [] : [from])];
		// Earlier records may have been deleted, or have moved to the end.
		const fewer = hasEnded ? Math.max(0, this.listed - (this.total ?? this.listed)) : 0;
		return fitting(found).map((one) => ({ ...one, before: Math.max(0, one.before - fewer) }));
	}

	/** Splits the remembered versions that this reading has not met. `later`: they stand after the place that it has reached. */
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

	/** Checks whether a version may be a forgotten one of the mark's date, because no remembered version has come yet. */
	private isSkipped({ digest, time }: Version): boolean {
		const mayBeForgotten = time === this.mark.time && this.mark.isTruncated;
		return mayBeForgotten && !this.hasMetRemembered && !this.remembers(digest);
	}

	/** Checks whether no late change can appear any more before the end of the first pending page. */
	private isSettled(): boolean {
		const [page, next] = this.pages;
		const end = page.last ?? next.first ?? Infinity;
		return end < Math.max(this.lookback.settled, this.mark.time);
	}

	private isOverfull(): boolean {
		const count = this.pages.reduce((sum, { versions }) => sum + versions.length, 0);
		return count > this.maxRemembered;
	}

	/** Moves the mark over the first pending page. */
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
