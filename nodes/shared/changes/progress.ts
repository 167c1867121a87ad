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
 * Default maximum number of versions that are remembered after the high-water mark: 2,000 digests are 22 KB. Up to 501
 * more are remembered with exactly the date of the mark.
 */
const MAX_REMEMBERED = 2_000;
/**
 * Maximum number of remembered versions that the list no longer shows. A copy of the data that lags behind may show
 * them again.
 */
const MAX_GONE = 1_000;

/** A page that was read, with its versions that were processed so far. */
interface PendingPage {
	/** Cursor that leads to the page; undefined for the beginning of the list. */
	from: SavedCursor | undefined;
	/** Date of the first record, in ms since 1970; null if that record has no date. */
	first: number | null;
	/** Date of the last dated record, in ms since 1970; null if an empty page follows, so that the end is unknown. */
	last: number | null;
	/** Versions that are not older than the high-water mark. */
	versions: Dated[];
}

/**
 * Knows which versions have been processed: all that are older than the high-water mark, and the remembered ones. A
 * version is processed if it was returned, or skipped because it is older than the start.
 *
 * The mark moves over a page once no late change can appear before the end of that page. It moves further only if too
 * many versions would have to be remembered.
 */
export class Progress {
	readonly lookback: Lookback;
	/** Number of records in the list, as reported by the last page. */
	total: number | undefined;
	/** True if the mark has moved over a page in this poll. */
	hasMoved = false;
	private readonly checkpoint: Checkpoint;
	private readonly from: SavedCursor | undefined;
	private readonly maxRemembered: number;
	private readonly mark: HighWaterMark;
	private readonly remembered: Set<string>;
	/** Remembered versions that this poll has not read yet. */
	private readonly expected: Set<string>;
	private readonly undated: UndatedVersions;
	private pages: PendingPage[] = [];
	/** Cursors to the page before the first pending page, and to pages farther and farther back. */
	private passed: SavedCursor[];
	/** Number of records up to the end of the last page, including those before the saved cursor. */
	private listed: number;
	private hasMetRemembered = false;
	private hasSkipped: boolean;
	/** True once a date was later than the date before it. Always true if a saved cursor was used. */
	private hasRisen: boolean;
	/** True if the mark has moved over a page in which a late change may still appear. */
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
	 * Checks whether the first record of a poll proves that the saved cursor leads to the same position as before. A
	 * later record proves nothing, because a late change may stand before it. A record without a date proves nothing
	 * either.
	 */
	provesSavedCursor({ digest, time }: Version): boolean {
		if (time === null) return false;
		return time < this.mark.time || this.from?.first === digest || this.mark.has(digest);
	}

	/** Begins a page. Call `process` for each of its records, then `endPage`. */
	beginPage({ cursor, pageSize: pageSize, versions, total }: VersionedPage): void {
		const [first] = versions;
		const before = this.pages.at(-1);
		// A page whose first record has no date has no known position, so its records count as part of the page before.
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
		// A version dated far ahead stays among the undated ones until n8n's clock comes near its date.
		if (this.undated.has(digest) || this.remembers(digest)) return true;
		return time !== null && (time < this.mark.time || this.isSkipped(version));
	}

	/**
	 * Processes the next record of the page. Throws ServiceFailure `tooManyUndated`, or `notAscending` if its date is
	 * older than the date before, also on the page before.
	 */
	process(version: Version, dateField: CursorSort): void {
		const { digest, time } = version;
		if (time === null) {
			const isAhead = this.lookback.futureDates > MAX_UNDATED / 2;
			this.undated.add(digest, { dateField, isAhead });
			return;
		}
		const before = this.readUpTo ?? time;
		// If cursors are positions, a late record pushes later records, and itself, on to the next page. Then an older
		// date may follow a newer one: that version was processed before, or is within the lookback window.
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

	/** Moves the mark to the last page, even if late changes may still appear before it. */
	moveToLastPage(): void {
		while (this.pages.length > 1) this.move();
	}

	/** True if the list has more records than were read. Valid at its end. */
	get isIncomplete(): boolean {
		return this.listed < (this.total ?? 0);
	}

	/** True if versions were skipped, and no remembered version has followed them yet. */
	get isSkipping(): boolean {
		return this.hasSkipped && !this.hasMetRemembered;
	}

	/**
	 * Checks whether skipped versions may be unprocessed, because no remembered version followed them. `next` is
	 * undefined at the end of the list.
	 */
	hasLostSkippedVersions(next?: Version): boolean {
		if (!this.isSkipping) return false;
		if (next === undefined) return true;
		return (next.time ?? -Infinity) > this.mark.time && !this.remembers(next.digest);
	}

	/**
	 * Returns the checkpoint to store.
	 * @param hasEnded whether the end of the list was reached
	 * @param fromBeginning whether the poll began at the start of the list
	 */
	toCheckpoint(hasEnded: boolean, fromBeginning: boolean): Checkpoint {
		const versions = this.pages.flatMap((page) => page.versions);
		const { gone, later } = this.expectedAt(hasEnded);
		const free = this.maxRemembered - versions.length - later.length;
		// Move only a copy of the mark: versions that do not fit into the checkpoint stay remembered during this poll.
		const mark = new HighWaterMark(this.mark.toCheckpoint(), this.maxRemembered);
		for (const version of versions.splice(0, Math.max(0, -free))) mark.moveOver(version);
		// Keep versions that the list no longer shows only if there is room. The mark must not move for them, because
		// it would pass late changes.
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
	 * Returns the cursors for the next poll.
	 *
	 * If the first pending page begins within the lookback window, a late change may still appear just before that
	 * page. If cursors are positions, the change would push a record across the page boundary, and no cursor check
	 * would notice it. So the next poll begins one page earlier.
	 */
	private savedCursors(hasEnded: boolean): SavedCursor[] {
		const [{ from, first }] = this.pages;
		if (from === undefined) return [];
		const { passed, hasMoved, hasLeftUnsettled } = this;
		const mayHideLate = first !== null && first >= this.lookback.settled;
		const found = [...passed, ...(hasMoved && mayHideLate && !hasLeftUnsettled ? [] : [from])];
		// Earlier records may have been deleted, or moved to the end.
		const fewer = hasEnded ? Math.max(0, this.listed - (this.total ?? this.listed)) : 0;
		return fitting(found).map((one) => ({ ...one, before: Math.max(0, one.before - fewer) }));
	}

	/**
	 * Splits the remembered versions that this poll has not read. `gone`: the list no longer shows them. `later`: the
	 * poll has not read that far.
	 */
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
	 * Checks whether a version has the date of the mark and may be one of those forgotten. Only versions before the
	 * first remembered one can be forgotten.
	 */
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
