import type { CursorSort, FetchPage, NextTurn } from './page';
import type { PageSize } from './page-size';
import type { AnswerSize } from './request';
import { fetchSized, sizeOf, type AskForPage, type SizedPage } from './sized-page';

/** How the pages of one list are asked for. */
export interface PageRequestOptions {
	pageSize: number | PageSize;
	/** The date that the list is in order of. */
	sort: CursorSort;
	/** Records wanted in all. */
	maximum: number;
	/** A page ends wherever so many records, or a multiple of them, have been read. */
	boundary: number;
	/** Without it, nothing is asked for before it is wanted. */
	nextTurn?: NextTurn;
}

/** The place of a page in its list, by what was read before it. */
export interface Place {
	cursor?: string;
	recordsRead: number;
	/** The `limit` of the page before; undefined where the list begins. */
	limitBefore?: number;
	/** The last record before it; undefined where none has come. */
	last?: Record<string, unknown>;
}

/** A page that is asked for, perhaps before anybody waits for it. */
interface Asked {
	place: Place;
	page: Promise<SizedPage>;
	/** Somebody waits for it, so that what follows it may be asked for. */
	take: () => void;
	/** Nobody will wait for it: no further attempt is made. */
	giveUp: () => void;
}

/**
 * Asks for the pages of a list one after the other, at most one ahead. Where a page's next cursor is known before its
 * records are parsed, and the next size does not depend on how many they are, the next request leaves before that, so
 * that the service works while the page is parsed and handled.
 */
export class PageRequests {
	private readonly fetchPage: FetchPage;
	private readonly options: PageRequestOptions;
	private readonly used = new Set<string | undefined>();
	private current: Asked | undefined;
	/** Asked for while the current page was not parsed yet. */
	private early: Asked | undefined;

	constructor(fetchPage: FetchPage, options: PageRequestOptions) {
		this.fetchPage = fetchPage;
		this.options = options;
	}

	/** True for the cursor of a page that was asked for already: it leads nowhere new. */
	wasUsed(cursor: string): boolean {
		return this.used.has(cursor);
	}

	/** Sees to it that the request for the page at this place has left, where pages are asked for ahead. */
	async sendAhead(place: Place): Promise<void> {
		const { nextTurn } = this.options;
		if (nextTurn === undefined) return;
		const { early } = this;
		this.begin(place);
		if (this.current !== early) await nextTurn();
	}

	/** The page at this place. Throws what asking for it throws. */
	async fetch(place: Place): Promise<SizedPage> {
		const asked = this.current?.place === place ? this.current : this.begin(place);
		asked.take();
		return await asked.page;
	}

	/** Ends the reading: nothing that is under way is sent again. */
	stop(): void {
		for (const asked of [this.current, this.early]) asked?.giveUp();
		this.current = undefined;
	}

	private begin(place: Place): Asked {
		const { early } = this;
		this.early = undefined;
		this.used.add(place.cursor);
		if (early !== undefined && this.leadsTo(early, place)) {
			early.place = place;
			this.current = early;
		} else {
			early?.giveUp();
			this.current = this.ask(place);
		}
		return this.current;
	}

	/** Whether what was asked for early is what is asked for at this place. */
	private leadsTo({ place }: Asked, { cursor, recordsRead, limitBefore }: Place): boolean {
		const { pageSize } = this.options;
		const limit = Math.min(sizeOf(pageSize), this.mostAt(recordsRead));
		return place.cursor === cursor && place.limitBefore === limitBefore && limit === limitBefore;
	}

	private ask(place: Place): Asked {
		const { pageSize, sort, nextTurn } = this.options;
		const { cursor, limitBefore, last } = place;
		let isWanted = true;
		let take = (): void => {};
		const taken = new Promise<void>((resolve) => (take = resolve));
		const ask: AskForPage = async (limit, hooks) =>
			await this.fetchPage(cursor === undefined ? { limit, sort } : { limit, cursor }, {
				...hooks,
				isWanted: () => isWanted,
				onNextCursor: async (next, answer) => {
					if (nextTurn === undefined) return;
					await taken;
					if (asked === this.current && this.askEarly(asked.place, limit, next, answer))
						await nextTurn();
				},
			});
		const most = this.mostAt(place.recordsRead);
		const page = fetchSized(ask, pageSize, { most, limitBefore, last, sort });
		// A failure that nobody waits for yet must not end n8n's process.
		page.catch(() => undefined);
		const giveUp = (): void => {
			isWanted = false;
			take();
		};
		const asked = { place, page, take, giveUp };
		return asked;
	}

	/** Asks for the page behind one that is not parsed yet, where cursor and size are certain. */
	private askEarly(place: Place, limit: number, cursor: string, answer: AnswerSize): boolean {
		// Asked for already where the answer before could not be parsed.
		if (this.early?.place.cursor === cursor || this.wasUsed(cursor)) return false;
		const { pageSize } = this.options;
		const isSame =
			typeof pageSize === 'number' ? limit === pageSize : pageSize.staysAt(limit, answer);
		// No room for another one like it where a file may end within the page or behind it.
		if (!isSame || this.mostAt(place.recordsRead) < 2 * limit) return false;
		this.early?.giveUp();
		this.early = this.ask({ cursor, recordsRead: place.recordsRead + limit, limitBefore: limit });
		return true;
	}

	/** The most records that the next page may hold. */
	private mostAt(recordsRead: number): number {
		const { maximum, boundary } = this.options;
		const untilBoundary = boundary === Infinity ? Infinity : boundary - (recordsRead % boundary);
		return Math.min(maximum - recordsRead, untilBoundary);
	}
}
