import type { ListService } from './service.mts';
import type { AnyHistory } from './steps.mts';

/**
 * Record versions (records with their dates) that the trigger or Sync must return, can either return or skip, or must
 * not return.
 */
export class ExpectedVersions {
	/** Names of the record versions that existed at the start. The node must not return them. */
	backlog: ReadonlySet<string> = new Set();
	/** Names of the record versions that the node can either return or skip. */
	readonly optional = new Set<string>();
	/**
	 * Names of the records without a date that existed at the start. The node can skip records without a date that
	 * appear later.
	 */
	undatedAtStart: ReadonlySet<string> = new Set();
	startDate = 0;
	/** Time of the first reading by n8n's clock, in ms since 1970. */
	startedAt = 0;
	private hasBegun = false;
	private readonly service: ListService;
	private readonly startFrom: AnyHistory['startFrom'];

	constructor(service: ListService, startFrom: AnyHistory['startFrom']) {
		this.service = service;
		this.startFrom = startFrom;
	}

	/**
	 * Records which versions exist when the first reading begins. Call this function again before the next reading if
	 * the first reading stored no checkpoint.
	 */
	begin(): void {
		const { visible, undated, late } = this.service.versionsNow();
		this.undatedAtStart = new Set(undated);
		const { ahead } = this.service;
		const placed = visible.filter((name) => !ahead.has(name));
		const dates = placed.map(dateOf).filter((date) => date !== undefined);
		// Use the median date of the existing records as Start Date. Later calls keep this date, because the user does
		// not change it.
		const [median = 0] = dates.toSorted((first, second) => first - second).slice(dates.length >> 1);
		// Limit Start Date to n8n's time, because the node rejects a Start Date in the future. The service's clock may
		// be ahead.
		if (!this.hasBegun) this.startDate = Math.min(median, this.service.localTime());
		this.hasBegun = true;
		this.startedAt = this.service.localTime();
		const isPassed = (name: string): boolean => this.isBeforeStart(name);
		this.backlog = new Set(placed.filter((name) => isPassed(name) || this.isBeforeNow(name)));
		this.optional.clear();
		for (const name of late.filter(isPassed)) this.optional.add(name);
		this.recordStart();
	}

	/**
	 * If Start From is Now, marks all versions dated up to the start as optional. The node can skip these versions
	 * until it has read the whole list once.
	 */
	recordStart(): void {
		const { visible, late } = this.service.versionsNow();
		for (const name of [...visible, ...late]) if (this.isBeforeNow(name)) this.optional.add(name);
	}

	/** Checks whether Start From: Date excludes a version, because the version is not dated after Start Date. */
	isBeforeStart(name: string): boolean {
		return this.startFrom === 'date' && (dateOf(name) ?? Infinity) <= this.startDate;
	}

	/**
	 * Checks whether Start From: Now excludes a version, because the version is not dated after the start. A date in
	 * whole seconds can mean any millisecond of that second. A version without a time of day, or dated ahead of the
	 * service's clock, counts as dated before the start.
	 */
	private isBeforeNow(name: string): boolean {
		const { ahead, traits } = this.service;
		const isNone = traits.dateFormat === 'day' || ahead.has(name);
		const time = isNone ? undefined : dateOf(name);
		const latest = time !== undefined && time % 1_000 === 0 ? time + 999 : time;
		return this.startFrom === 'now' && (latest ?? 0) <= this.startedAt;
	}

	/**
	 * Returns a copy that later changes do not affect. The copy has an empty `backlog`, because the caller itself
	 * remembers which versions were returned or skipped.
	 */
	asOfNow(): ExpectedVersions {
		const { optional, undatedAtStart, startDate, startedAt } = this;
		const now = new ExpectedVersions(this.service, this.startFrom);
		return Object.assign(now, {
			optional: new Set(optional),
			undatedAtStart,
			startDate,
			startedAt,
		});
	}

	/**
	 * Checks that every version that the node must return was returned.
	 *
	 * @throws Error that names the missing versions, and where the reading began
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
