import { Gap } from './gap';
import { pack, unpack, type TriggerState } from './state';
import type { Version } from './version';

/** A page that was read in this poll. */
interface ReadPage {
	/** Its records that are dealt with, in order. */
	versions: Version[];
	/** Cursor of the page after it, once all of its records are dealt with and there is one. */
	next?: string;
	/** True when `next` lies behind the gap and this page before it. */
	isBeforeGap?: boolean;
}

/** How the window may move on. */
export interface WindowLimits {
	/** See PollSettings. */
	overlapMs: number;
	/** See PollSettings. */
	windowRecords: number;
}

/** Records kept from before the checkpoint, to find it again without its cursor. */
const MOST_BEHIND = 300;
/** Versions remembered although the service did not show them again: a lagging copy of its data may, once more. */
const MOST_VANISHED = 200;

/**
 * The stretch of the list that is read again with every poll: from the checkpoint to the end. The checkpoint
 * moves from page to page, never past a record that is not dealt with, and never past one that was younger than
 * the overlap before this poll began: what is older is read here for a last time, later than any late commit.
 *
 * Nor does it move past records without a date unless a dated one follows them: the coming changes may be sorted
 * before them. Where there are too many of those to remember, the window has a gap (see `Gap`).
 */
export class Window {
	private readonly state: TriggerState;
	private readonly limits: WindowLimits;
	private readonly prior: string[];
	private readonly placeInPrior: Map<string, number>;
	private readonly readAgain = new Set<number>();
	private lastReadAgain = -1;
	private readonly known: Set<string>;
	private readonly matureBefore: number | null;
	private readonly gap: Gap;
	/** Records that count as dealt with only as long as they may lie in the gap. */
	private readonly held = new Set<string>();
	private pages: ReadPage[] = [];
	private size = 0;
	private cursor: string | null;
	private floor: number | null;
	private behind: Set<string>;
	private newest: number | null;

	/** True once a dated record follows where the gap should have been: the records before it may never have been dealt with. */
	hasLostGap = false;
	/** True once the checkpoint has moved, or a version was passed that was not known before. */
	progressed = false;
	/** True until a page was read. */
	isEmpty = true;
	/** True once a page was given up for the number of records and not for its age. */
	shortened = false;

	constructor(state: TriggerState, limits: WindowLimits) {
		this.state = state;
		this.limits = limits;
		this.prior = unpack(state.seen);
		this.placeInPrior = new Map(this.prior.map((digest, place) => [digest, place]));
		this.known = new Set(this.prior);
		this.matureBefore = state.newest === null ? null : state.newest - limits.overlapMs;
		this.gap = new Gap(state.gap, state.seeding !== null);
		this.cursor = state.cursor;
		this.floor = state.floor;
		this.behind = new Set(unpack(state.behind));
		this.newest = state.newest;
	}

	/** The records of the next page follow. */
	openPage(): void {
		this.isEmpty = false;
		this.pages.push({ versions: [] });
	}

	/** True when this version was dealt with by an earlier poll or earlier in this one. */
	isKnown(version: Version): boolean {
		return this.isRemembered(version) || this.gap.holds(version);
	}

	private isRemembered({ digest }: Version): boolean {
		return this.known.has(digest) || this.behind.has(digest);
	}

	/** True when a gap began in this poll. */
	get gapBegan(): boolean {
		return this.gap.isFirst;
	}

	/** The next record of the page is dealt with. */
	pass(version: Version): void {
		const { digest, time } = version;
		const place = this.placeInPrior.get(digest);
		if (place !== undefined) {
			this.readAgain.add(place);
			this.lastReadAgain = Math.max(this.lastReadAgain, place);
		}
		if (!this.isKnown(version)) this.progressed = true;
		if (!this.isRemembered(version) && this.gap.holds(version)) this.held.add(digest);
		this.known.add(digest);
		this.gap.pass(version);
		if (time !== null && this.held.size > 0 && !this.gap.isPassed) this.hasLostGap = true;
		if (time !== null && (this.newest === null || time > this.newest)) this.newest = time;
		this.pages[this.pages.length - 1].versions.push(version);
		this.size++;
	}

	/**
	 * All records of the page are dealt with; `next` is the cursor of the page after it.
	 *
	 * @returns the cursor behind the gap, where that is to be read on with instead
	 */
	closePage(next: string | undefined): string | null {
		const page = this.pages[this.pages.length - 1];
		const behindGap = next === undefined ? null : this.gap.cross(page.versions);
		page.next = behindGap ?? next;
		page.isBeforeGap = behindGap !== null;
		while (this.canMove() && this.isMature()) this.move();
		this.shortenTo(this.limits.windowRecords);
		return behindGap;
	}

	/** Gives up the whole window: for a service so slow that reading it again takes all of a poll's time. */
	moveToEnd(): void {
		this.shortenTo(0);
		const [first] = this.pages;
		// Nothing could be given up, so at least the next poll does not ask whether it may read on from here.
		if (first?.next !== undefined && this.followingDate(0) === null) this.beginGap(first);
	}

	/**
	 * The state after this poll.
	 *
	 * @param reachedEnd whether the last page of the list was read to its end
	 */
	toState(reachedEnd: boolean): TriggerState {
		const firstUnread = reachedEnd ? this.prior.length : this.lastReadAgain + 1;
		const unread = this.prior.slice(firstUnread);
		this.shortenTo(Math.max(0, this.limits.windowRecords - unread.length));
		const vanished = this.prior.filter(
			(_digest, place) => place < firstUnread && !this.readAgain.has(place),
		);
		const unsure = this.gap.isPassed ? new Set() : this.held;
		const sureOf = (pages: readonly ReadPage[]): string[] =>
			pages
				.flatMap(({ versions }) => versions.map(({ digest }) => digest))
				.filter((digest) => !unsure.has(digest));
		const seen = new Set([...vanished.slice(-MOST_VANISHED), ...sureOf(this.pages), ...unread]);
		const beforeGap = this.pages.findIndex(({ isBeforeGap }) => isBeforeGap);
		const following = [...sureOf(this.pages.slice(beforeGap + 1)), ...unread];
		return {
			...this.state,
			cursor: this.cursor,
			seen: pack(seen),
			newest: this.newest,
			floor: this.floor,
			behind: pack(this.behind),
			gap: this.gap.toState(this.pages[beforeGap]?.next, following, reachedEnd),
		};
	}

	private canMove(): boolean {
		return this.pages[0]?.next !== undefined;
	}

	/** Whether nothing can be sorted before the end of the first page any more. */
	private isMature(): boolean {
		const date = this.followingDate(0);
		return date !== null && this.matureBefore !== null && date < this.matureBefore;
	}

	/** The order value of the page's last record, or else of the first dated record after it; null when there is none. */
	private followingDate(place: number): number | null {
		const { versions } = this.pages[place];
		const last = versions[versions.length - 1]?.time ?? null;
		if (last !== null) return last;
		for (const page of this.pages.slice(place + 1)) {
			const dated = page.versions.find(({ time }) => time !== null);
			if (dated !== undefined) return dated.time;
		}
		return null;
	}

	private shortenTo(records: number): void {
		while (this.size > records && (this.widenGap() || this.giveUpFirst())) this.progressed = true;
	}

	private giveUpFirst(): boolean {
		if (!this.canMove() || this.followingDate(0) === null) return false;
		this.shortened = true;
		this.move();
		return true;
	}

	/** Where only records without a date follow, one more page of them need not be read again. */
	private widenGap(): boolean {
		const place = this.pages.findIndex((_page, index) => this.followingDate(index) === null);
		const [page, left] = place === -1 ? [] : this.pages.slice(place);
		const hasOther = this.pages.slice(0, Math.max(0, place)).some((other) => other.isBeforeGap);
		if (page === undefined || left?.next === undefined || hasOther) return false;
		this.beginGap(page);
		page.next = left.next;
		this.pages.splice(place + 1, 1);
		this.gap.add(left.versions);
		this.forget(left);
		return true;
	}

	private beginGap(page: ReadPage): void {
		if (!page.isBeforeGap) this.gap.begin(page.versions);
		page.isBeforeGap = true;
	}

	/** The checkpoint moves behind the first page of the window. */
	private move(): void {
		const [page, ...rest] = this.pages;
		for (const { digest, time } of page.versions) {
			if (time !== null && time !== this.floor) {
				this.behind.clear();
				this.floor = time;
			}
			this.behind.add(digest);
		}
		this.behind = new Set([...this.behind].slice(-MOST_BEHIND));
		this.cursor = page.next ?? null;
		if (page.isBeforeGap) this.gap.close();
		this.pages = rest;
		this.forget(page);
		this.progressed = true;
	}

	/** A long read must not keep all that it has passed in memory. */
	private forget({ versions }: ReadPage): void {
		this.size -= versions.length;
		for (const { digest } of versions) this.known.delete(digest);
	}
}
