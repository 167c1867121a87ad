import { pack, unpack, type GapState } from './state';
import type { Version } from './version';

/** Records kept from the beginning of the gap, to know it when it is reached. */
const MOST_STARTS = 100;
/** Records kept from just before the end of the gap, to find it again without its cursor. */
const MOST_ANCHORS = 300;
/** Records kept from just behind the gap, for when those before its end are deleted. */
const MOST_FOLLOWING = 100;

/**
 * The gap in what every poll reads again: records without a date that no dated one follows, dealt with, and too
 * many to be remembered one by one. The coming changes are sorted before them or after them, so each poll reads
 * from the checkpoint up to the gap and from behind the gap to the end of the list.
 */
export class Gap {
	private readonly state: GapState | null;
	private starts: Set<string>;
	private readonly anchors: ReadonlySet<string>;
	/** Those of them that this poll has not come to. */
	private readonly unread: Set<string>;
	/** Records that this poll adds to the gap. */
	private readonly added = new Set<string>();
	/** Whether reading has come to the gap, and has left it out. */
	private isReached = false;
	private isCrossed = false;
	private isLost: boolean;
	private isClosed = false;
	/** True when the gap of this poll begins elsewhere than the stored one. */
	private isNew = false;
	/** True once reading is surely behind the stored gap. */
	isPassed: boolean;

	/** @param isSeeding while everything without a date is passed over, wherever the gap lies */
	constructor(state: GapState | null, isSeeding: boolean) {
		this.state = state;
		this.isPassed = state === null || isSeeding;
		this.isLost = state?.isLost ?? false;
		this.starts = new Set(unpack(state?.starts ?? ''));
		this.anchors = new Set(unpack(state?.anchors ?? ''));
		this.unread = new Set(this.anchors);
	}

	/** True when there was no gap before this poll and there is one now. */
	get isFirst(): boolean {
		return this.state === null && this.isNew && !this.isClosed;
	}

	/** True for a record that lies in the gap, as far as that can be known. */
	holds({ digest, time }: Version): boolean {
		if (time !== null) return false;
		if (!this.isPassed) return true;
		// Where it has grown at its beginning, reading goes on a little before its end.
		return !this.isClosed && (this.anchors.has(digest) || this.added.has(digest));
	}

	/** A record was read. One from the end of the gap tells where it ends. */
	pass({ digest }: Version): void {
		if (this.starts.has(digest)) this.isReached = true;
		if (!this.anchors.has(digest)) return;
		this.unread.delete(digest);
		this.isPassed = true;
		this.isLost = false;
	}

	/**
	 * Leaves out the gap where it begins in or before a page with these records.
	 *
	 * @returns the cursor to read on with; null when this is not the place
	 */
	cross(versions: readonly Version[]): string | null {
		const endsUndated = versions.length > 0 && versions[versions.length - 1].time === null;
		const cursor = this.state?.cursor ?? null;
		if (cursor === null || this.isCrossed || !this.isReached || !endsUndated) return null;
		this.isCrossed = true;
		this.isPassed ||= !this.isLost;
		return cursor;
	}

	/** A gap begins behind a page with these records. */
	begin(versions: readonly Version[]): void {
		if (!this.isCrossed && !this.isNew) {
			this.isNew = true;
			// The stored one was not recognised, so what is left out now may be a part of it.
			this.isLost = !this.isPassed;
			this.starts = new Set();
			this.add(versions);
		}
		const first = versions.filter(({ time }) => time === null).map(({ digest }) => digest);
		this.starts = new Set([...first, ...this.starts].slice(0, MOST_STARTS));
	}

	/** These records, at the end of the gap, belong to it as well. */
	add(versions: readonly Version[]): void {
		for (const { digest, time } of versions) {
			if (time !== null) continue;
			if (this.isNew && this.starts.size < MOST_STARTS) this.starts.add(digest);
			this.added.add(digest);
		}
		for (const digest of this.added) {
			if (this.added.size <= MOST_ANCHORS) break;
			this.added.delete(digest);
		}
	}

	/** The checkpoint has moved behind the gap. */
	close(): void {
		this.isClosed = true;
		this.isPassed = true;
		this.isNew = false;
		this.isLost = false;
		this.added.clear();
	}

	/**
	 * What to remember of the gap.
	 *
	 * @param cursor where reading goes on behind it; undefined when no page before it is left in the window
	 * @param following what is dealt with of the records behind it, in order
	 * @param reachedEnd whether the list was read to its end
	 */
	toState(
		cursor: string | undefined,
		following: readonly string[],
		reachedEnd: boolean,
	): GapState | null {
		// When nothing that was remembered of it is in the list any more, it is lost for good.
		if (reachedEnd && !this.isPassed) return null;
		if (cursor !== undefined) {
			const { starts, isLost } = this;
			const behind = isLost ? [] : following.slice(0, MOST_FOLLOWING);
			const anchors = new Set([...this.lastRecords(reachedEnd), ...behind]);
			return { cursor, starts: pack(starts), anchors: pack(anchors), isLost };
		}
		return this.isCrossed || this.isClosed || reachedEnd ? null : this.state;
	}

	/** The last records of the gap; as long as its end is looked for, those that it is looked for by. */
	private lastRecords(reachedEnd: boolean): string[] {
		if (this.isLost || this.added.size === 0) return [...this.anchors];
		if (this.isCrossed) return [...this.anchors, ...this.added].slice(-MOST_ANCHORS);
		// Read anew from its beginning, the gap may end earlier now than it did. What follows it is dealt with all the same.
		const following = reachedEnd ? [] : [...this.unread].slice(-MOST_ANCHORS);
		return [...this.added, ...following];
	}
}

/** The gap's end has to be looked for, by the last records before it, since the service refused its cursor. */
export function loseGap(gap: GapState | null): GapState | null {
	return gap === null ? null : { ...gap, cursor: null, isLost: true };
}
