import { ServiceFailure } from '../client/failures';
import type { CursorSort } from '../lists/page';
import type { Version } from '../lists/version';
import { Lookback } from './lookback';
import type { VersionedPage } from './reader';
import { pack, unpack, type SavedCursor, type ChangesSettings, type State } from './state';

/** 2,000 digests are 22 KB. Up to 501 more are kept for the watermark's own date. */
const MAX_REMEMBERED = 2_000;
/** Versions remembered although the list did not show them again: it may show them again later. */
const MAX_GONE = 200;
/** Records without a date (docs/assumptions.md, A5). */
const MAX_UNDATED = 2_000;
/** Of all saved cursors, in characters. */
const MAX_CURSOR_CHARACTERS = 6_000;

type Dated = Version & { time: number };

/** A page that was read, as far as it was handled. */
interface PendingPage {
	/** Undefined for the beginning of the list. */
	from: SavedCursor | undefined;
	/** The date of its first record; null where there is none. */
	first: number | null;
	/** The date of its last dated record; null where that does not show where it ends. */
	last: number | null;
	/** Those that are not older than the watermark. */
	versions: Dated[];
}

/**
 * Which versions are handled, that is, given out or passed over because reading starts later: all older than the
 * watermark, and those remembered. The bookmark moves over a page once nothing late can come before its end, and
 * further only where more would have to be remembered than fits.
 */
export class Bookmark {
	private readonly state: State;
	private readonly from: SavedCursor | undefined;
	private readonly maxRemembered: number;
	private watermark: number;
	/** If there are more than a quarter of `maxRemembered`, earlier ones may have been forgotten. */
	private readonly seenAtWatermark: Set<string>;
	private readonly remembered: Set<string>;
	/** What is remembered and has not come back in this poll. */
	private readonly expected: Set<string>;
	private readonly undated: Set<string>;
	private readonly cameUndated = new Set<string>();
	private pages: PendingPage[] = [];
	/** To the page before `pages`, and to others ever farther back. */
	private passed: SavedCursor[];
	/** How many records of the list came so far, those before where reading began included; and how many it has. */
	private listed: number;
	total: number | undefined;
	private hasMet = false;
	private hasSkipped: boolean;
	/** Some date was later than the one before; taken for true where reading begins within the list. */
	private hasRisen: boolean;
	readonly lookback: Lookback;
	hasMoved = false;
	/** True once it has moved over records that something late may still come before. */
	private hasLeftUnsettled = false;
	/** The date of the last record that was read. */
	private readUpTo: number | null = null;

	/** @param from where the reading begins; undefined for the beginning of the list */
	constructor(state: State, from: SavedCursor | undefined, settings: ChangesSettings) {
		this.state = state;
		this.from = from;
		this.lookback = new Lookback(state, settings);
		this.maxRemembered = settings.maxRemembered ?? MAX_REMEMBERED;
		this.watermark = state.watermark ?? -Infinity;
		this.hasSkipped = state.isSkipping;
		this.hasRisen = from !== undefined;
		this.seenAtWatermark = new Set(unpack(state.seenAtWatermark));
		this.remembered = new Set(unpack(state.seen));
		this.expected = new Set(this.remembered);
		this.undated = new Set(unpack(state.undated));
		this.listed = from?.before ?? 0;
		this.passed = from ? state.savedCursors.slice(0, state.savedCursors.indexOf(from)) : [];
	}

	/** Whether the saved cursor leads to where it did. A later record proves nothing: something late may stand before it. */
	isWhereItWas({ digest, time }: Version): boolean {
		// New records come before those without a date, or after them: they show no position.
		if (time === null) return false;
		return time < this.watermark || this.from?.first === digest || this.seenAtWatermark.has(digest);
	}

	/** A page was read; `pass` has to follow for each of its records, then `close`. */
	open({ cursor, limit: pageSize, versions, total }: VersionedPage): void {
		const [first] = versions;
		const before = this.pages.at(-1);
		// A page that does not begin with a date shows no position: it counts as a part of the one before it.
		if (before === undefined || (first !== undefined && first.time !== null)) {
			const { digest = '', time = null } = first ?? {};
			const from = cursor ? { cursor, pageSize, first: digest, before: this.listed } : undefined;
			this.pages.push({ from, first: time, versions: [], last: null });
		} else if (first === undefined) before.last = null;
		this.listed += versions.length;
		this.total = total;
	}

	/** Whether the list has more records than came, now that its end was reached. */
	get isIncomplete(): boolean {
		return this.listed < (this.total ?? 0);
	}

	/** Asked before `pass`, after which every version counts as handled. */
	knows(version: Version): boolean {
		const { digest, time } = version;
		// What is dated ahead counts as undated only until the clock comes near to its date.
		if (this.undated.has(digest) || this.remembers(digest)) return true;
		if (time === null) return this.cameUndated.has(digest);
		return time < this.watermark || this.isSkipped(version);
	}

	/** The next record is handled. Throws ServiceFailure `tooManyUndated`, and `notAscending` also from page to page. */
	pass(version: Version, dateField: CursorSort): void {
		const { digest, time } = version;
		if (time === null) {
			const { size } = this.cameUndated.add(digest);
			if (size <= MAX_UNDATED) return;
			const isAhead = this.lookback.ahead > MAX_UNDATED / 2;
			throw new ServiceFailure('tooManyUndated', { dateField, isAhead });
		}
		const before = this.readUpTo ?? time;
		// Cursors may be positions. Then a record that comes in late moves others on, and itself, to the next page.
		// So an older date may follow a newer one, if the record is known or the date within the lookback window.
		const mayComeLate = this.knows(version) || time >= this.lookback.settled;
		if (time < before && !(this.hasRisen && mayComeLate)) throw new ServiceFailure('notAscending');
		this.hasRisen ||= time > before;
		const page = this.pages[this.pages.length - 1];
		page.last = time;
		this.readUpTo = time;
		this.lookback.meet(time);
		this.expected.delete(digest);
		if (time < this.watermark) return;
		if (this.isSkipped(version)) {
			this.hasSkipped = true;
			return;
		}
		this.hasMet = true;
		this.remembered.add(digest);
		page.versions.push({ digest, time });
	}

	/** Whether nothing shows any more which skipped versions are handled. At the end of the list, there is no `next`. */
	hasLostTrack(next?: Version): boolean {
		if (!this.isSkipping) return false;
		if (next === undefined) return true;
		return (next.time ?? -Infinity) > this.watermark && !this.remembers(next.digest);
	}

	/** All records of the page are handled. Where `isLast`, the bookmark moves to it in any case. */
	close(isLast = false): void {
		while (this.pages.length > 1 && (isLast || this.isSettled() || this.isOverfull(0))) this.move();
	}

	/** The state after it. `hasEnded`: the list was read to its end; `fromBeginning`: and from its beginning. */
	toState(hasEnded: boolean, fromBeginning: boolean): State {
		const others = [...this.expected].slice(hasEnded ? -MAX_GONE : 0);
		while (this.isOverfull(others.length) && this.forgetFirst());
		const seen = this.pages.flatMap(({ versions }) => versions.map(({ digest }) => digest));
		const gone = hasEnded && fromBeginning ? [] : this.undated;
		const undated = new Set([...this.cameUndated, ...gone]);
		return {
			...this.state,
			watermark: this.watermark === -Infinity ? null : this.watermark,
			seenAtWatermark: pack(this.seenAtWatermark),
			seen: pack(new Set([...seen, ...others])),
			undated: pack([...undated].slice(0, MAX_UNDATED)),
			...this.lookback.toState(),
			isSkipping: this.isSkipping,
			savedCursors: this.savedCursors(hasEnded),
		};
	}

	/**
	 * Something late may still come between the watermark and the first page, if that begins within the lookback window. Where
	 * cursors are positions, it could stand before the page without being seen: so reading begins a page earlier.
	 */
	private savedCursors(hasEnded: boolean): SavedCursor[] {
		const [{ from, first }] = this.pages;
		if (from === undefined) return [];
		const { passed, hasMoved, hasLeftUnsettled } = this;
		const mayHideLate = first !== null && first >= this.lookback.settled;
		const found = [...passed, ...(hasMoved && mayHideLate && !hasLeftUnsettled ? [] : [from])];
		// Records that came before may have been deleted, or have moved to the end.
		const fewer = hasEnded ? Math.max(0, this.listed - (this.total ?? this.listed)) : 0;
		return fitting(found).map((one) => ({ ...one, before: Math.max(0, one.before - fewer) }));
	}

	/** True after versions were skipped, until a remembered one follows them. */
	get isSkipping(): boolean {
		return this.hasSkipped && !this.hasMet;
	}

	private remembers(digest: string): boolean {
		return this.remembered.has(digest) || this.seenAtWatermark.has(digest);
	}

	/** More of this date were handled than are remembered, and the first that is has not come yet. */
	private isSkipped({ digest, time }: Version): boolean {
		const isCut = this.seenAtWatermark.size > this.maxRemembered / 4;
		return time === this.watermark && isCut && !this.hasMet && !this.remembers(digest);
	}

	/** Whether nothing can turn up any more before the end of the first page. */
	private isSettled(): boolean {
		const [page, next] = this.pages;
		const end = page.last ?? next.first ?? Infinity;
		return end < Math.max(this.lookback.settled, this.watermark);
	}

	private isOverfull(others: number): boolean {
		return (
			this.pages.reduce((sum, { versions }) => sum + versions.length, others) > this.maxRemembered
		);
	}

	private move(): void {
		const [page] = this.pages;
		this.hasLeftUnsettled ||= !this.isSettled();
		for (const version of page.versions.splice(0)) this.forget(version);
		if (page.from !== undefined) this.passed = thinned([...this.passed, page.from]);
		this.pages.shift();
		this.hasMoved = true;
	}

	/** The watermark moves up within a page that is too large to be remembered. */
	private forgetFirst(): boolean {
		const version = this.pages.find(({ versions }) => versions.length > 0)?.versions.shift();
		if (version !== undefined) this.forget(version);
		return version !== undefined;
	}

	private forget({ digest, time }: Dated): void {
		if (time > this.watermark) {
			this.watermark = time;
			this.seenAtWatermark.clear();
		}
		this.remembered.delete(digest);
		this.seenAtWatermark.delete(digest);
		this.seenAtWatermark.add(digest);
		const [oldest] = this.seenAtWatermark;
		if (this.seenAtWatermark.size > this.maxRemembered / 4 + 1) this.seenAtWatermark.delete(oldest);
	}
}

/** The last one, and the farthest of each doubling of the distance: some lead to what stays, however many records change. */
function thinned(cursors: readonly SavedCursor[]): SavedCursor[] {
	const last = cursors.length - 1;
	const doublings = cursors.map(({ before, pageSize }) =>
		Math.floor(Math.log2(1 + Math.max(0, cursors[last].before - before) / pageSize)),
	);
	return cursors.filter((_one, at) => at === last || doublings[at] !== doublings[at - 1]);
}

/** As many of the nearest ones as fit into the state. */
function fitting(cursors: readonly SavedCursor[]): SavedCursor[] {
	let room = MAX_CURSOR_CHARACTERS;
	const nearest = cursors.toReversed().filter(({ cursor }) => (room -= cursor.length) >= 0);
	return nearest.reverse();
}
