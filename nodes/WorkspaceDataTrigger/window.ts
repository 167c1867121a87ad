import { pack, unpack, type TriggerState } from './state';
import type { Version } from './version';

/** A page that was read in this poll. */
interface ReadPage {
	/** Its records that are dealt with, in order. */
	versions: Version[];
	/** Cursor of the page after it, once all of its records are dealt with and there is one. */
	next?: string;
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
	private pages: ReadPage[] = [];
	private size = 0;
	private cursor: string | null;
	private floor: number | null;
	private behind: Set<string>;
	private newest: number | null;

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
	isKnown({ digest }: Version): boolean {
		return this.known.has(digest) || this.behind.has(digest);
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
		this.known.add(digest);
		if (time !== null && (this.newest === null || time > this.newest)) this.newest = time;
		this.pages[this.pages.length - 1].versions.push(version);
		this.size++;
	}

	/** All records of the page are dealt with; `next` is the cursor of the page after it. */
	closePage(next: string | undefined): void {
		this.pages[this.pages.length - 1].next = next;
		while (this.canMove() && this.isMature(this.pages[0])) this.move();
		this.moveUntilWithin(this.limits.windowRecords);
	}

	/** Gives up the whole window: for a service so slow that reading it again takes all of a poll's time. */
	moveToEnd(): void {
		this.moveUntilWithin(0);
	}

	/**
	 * The state after this poll.
	 *
	 * @param reachedEnd whether the last page of the list was read to its end
	 */
	toState(reachedEnd: boolean): TriggerState {
		const firstUnread = reachedEnd ? this.prior.length : this.lastReadAgain + 1;
		const unread = this.prior.slice(firstUnread);
		this.moveUntilWithin(Math.max(0, this.limits.windowRecords - unread.length));
		const vanished = this.prior.filter(
			(_digest, place) => place < firstUnread && !this.readAgain.has(place),
		);
		const present = this.pages.flatMap(({ versions }) => versions.map(({ digest }) => digest));
		const seen = new Set([...vanished.slice(-MOST_VANISHED), ...present, ...unread]);
		return {
			...this.state,
			cursor: this.cursor,
			seen: pack(seen),
			newest: this.newest,
			floor: this.floor,
			behind: pack(this.behind),
		};
	}

	private canMove(): boolean {
		return this.pages[0]?.next !== undefined;
	}

	private isMature({ versions }: ReadPage): boolean {
		const time = versions[versions.length - 1]?.time;
		if (time === undefined || time === null) return true;
		return this.matureBefore !== null && time < this.matureBefore;
	}

	private moveUntilWithin(records: number): void {
		while (this.canMove() && this.size > records) {
			this.shortened = true;
			this.move();
		}
	}

	/** The checkpoint moves behind the first page of the window. */
	private move(): void {
		const [page, ...rest] = this.pages;
		for (const { digest, time } of page.versions) {
			if (time !== this.floor) this.behind.clear();
			this.floor = time;
			this.behind.add(digest);
			// A long read must not keep all that it has passed in memory.
			this.known.delete(digest);
		}
		this.behind = new Set([...this.behind].slice(-MOST_BEHIND));
		this.cursor = page.next ?? null;
		this.pages = rest;
		this.size -= page.versions.length;
		this.progressed = true;
	}
}
