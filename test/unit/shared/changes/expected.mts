import type { ListService } from './service.mts';
import type { AnyHistory } from './steps.mts';

/**
 * Versions of a service that the trigger or Sync has to return from the first reading on, and versions that it must not
 * return.
 */
export class Promised {
	/** Versions that existed before the start. They must not be returned. */
	backlog: ReadonlySet<string> = new Set();
	/** Versions that may be returned, or may be missing. */
	readonly optional = new Set<string>();
	/** Versions without a date at the start. Undated versions that appear later are optional. */
	undatedAtStart: ReadonlySet<string> = new Set();
	startDate = 0;
	/** Start of the first reading by the clock of n8n, in ms since 1970. */
	startedAt = 0;
	private hasBegun = false;
	private readonly service: ListService;
	private readonly startFrom: AnyHistory['startFrom'];

	constructor(service: ListService, startFrom: AnyHistory['startFrom']) {
		this.service = service;
		this.startFrom = startFrom;
	}

	/**
	 * Begins the first reading. If nothing of that reading was stored, the next reading is the first and calls this
	 * again.
	 */
	begin(): void {
		const { visible, undated, late } = this.service.versionsNow();
		this.undatedAtStart = new Set(undated);
		const { ahead } = this.service;
		const placed = visible.filter((name) => !ahead.has(name));
		const dates = placed.map(dateOf).filter((date) => date !== undefined);
		// The start date lies in the middle of the existing records. The user does not change it for a later run.
		const [median = 0] = dates.toSorted((first, second) => first - second).slice(dates.length >> 1);
		// The clock of the service may be ahead of n8n's clock, and the node rejects a start date in the future.
		if (!this.hasBegun) this.startDate = Math.min(median, this.service.localTime());
		this.hasBegun = true;
		this.startedAt = this.service.localTime();
		const isPassed = (name: string): boolean => this.isBeforeStart(name);
		this.backlog = new Set(placed.filter((name) => isPassed(name) || this.isBeforeNow(name)));
		this.optional.clear();
		for (const name of late.filter(isPassed)) this.optional.add(name);
		this.recordStart();
	}

	/** Makes every version up to "now" optional, because the node may skip it until it has read the list once. */
	recordStart(): void {
		const { visible, late } = this.service.versionsNow();
		for (const name of [...visible, ...late]) if (this.isBeforeNow(name)) this.optional.add(name);
	}

	/** Checks whether a version is not later than the start date. The node need not return it. */
	isBeforeStart(name: string): boolean {
		return this.startFrom === 'date' && (dateOf(name) ?? Infinity) <= this.startDate;
	}

	/**
	 * Checks whether a version is not later than "now". A date in whole seconds may mean any ms of that second. A
	 * version without a time of day, or dated ahead of the clock, counts as earlier.
	 */
	private isBeforeNow(name: string): boolean {
		const { ahead, traits } = this.service;
		const isNone = traits.dateFormat === 'day' || ahead.has(name);
		const time = isNone ? undefined : dateOf(name);
		const latest = time !== undefined && time % 1_000 === 0 ? time + 999 : time;
		return this.startFrom === 'now' && (latest ?? 0) <= this.startedAt;
	}

	/**
	 * Returns a copy that later changes do not affect. The copy has no backlog, because its caller knows which versions
	 * were returned or skipped.
	 */
	asOfNow(): Promised {
		const { optional, undatedAtStart, startDate, startedAt } = this;
		const now = new Promised(this.service, this.startFrom);
		return Object.assign(now, {
			optional: new Set(optional),
			undatedAtStart,
			startDate,
			startedAt,
		});
	}

	/**
	 * Checks that every promised version was returned.
	 *
	 * @throws Error with the missing versions, and where the reading began
	 */
	assertAll(hasCome: (name: string) => boolean, from = 'the start'): void {
		const { visible, undated } = this.service.versionsNow();
		for (const name of undated) if (!this.undatedAtStart.has(name)) this.optional.add(name);
		const isExempt = (name: string): boolean =>
			this.backlog.has(name) || this.optional.has(name) || this.isBeforeStart(name);
		const missing = visible.filter((name) => !hasCome(name) && !isExempt(name));
		if (missing.length > 0) throw new Error(`Never came from ${from}: ${missing.join(', ')}`);
	}
}

/** Returns the date in the name of a version, in ms since 1970. Returns undefined for a record without a date. */
export function dateOf(name: string): number | undefined {
	const date = Number(name.split('@')[1]);
	return Number.isNaN(date) ? undefined : date;
}
