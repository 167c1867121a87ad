import type { ListService } from './service.mts';
import type { AnyHistory } from './steps.mts';

/** What has to come of a service's versions, from the first reading on, and what must not; for the trigger and for Sync. */
export class Promised {
	/** Versions that existed before the start; they must not come. */
	backlog: ReadonlySet<string> = new Set();
	/** Versions that may come and need not. */
	readonly optional = new Set<string>();
	/** Records without a date at the start; later ones are not promised. */
	undatedAtStart: ReadonlySet<string> = new Set();
	startDate = 0;
	/** When the first reading began, by the clock of n8n. */
	startedAt = 0;
	private hasBegun = false;
	private readonly service: ListService;
	private readonly startFrom: AnyHistory['startFrom'];

	constructor(service: ListService, startFrom: AnyHistory['startFrom']) {
		this.service = service;
		this.startFrom = startFrom;
	}

	/** The first reading begins; one of which nothing is kept is none, and the next one is it. */
	begin(): void {
		const { visible, undated, late } = this.service.versionsNow();
		this.undatedAtStart = new Set(undated);
		const { ahead } = this.service;
		const placed = visible.filter((name) => !ahead.has(name));
		const dates = placed.map(dateOf).filter((date) => date !== undefined);
		// In the midst of what existed at first. Nobody enters another date for a later run.
		const [median = 0] = dates.toSorted((first, second) => first - second).slice(dates.length >> 1);
		// The service's clock may be ahead of n8n's, and a date in the future is refused.
		if (!this.hasBegun) this.startDate = Math.min(median, this.service.localTime());
		this.hasBegun = true;
		this.startedAt = this.service.localTime();
		const isPassed = (name: string): boolean => this.isBeforeStart(name);
		this.backlog = new Set(placed.filter((name) => isPassed(name) || this.isBeforeNow(name)));
		this.optional.clear();
		for (const name of late.filter(isPassed)) this.optional.add(name);
		this.recordStart();
	}

	/** What is not later than "now" may be passed over until the list has been read once. */
	recordStart(): void {
		const { visible, late } = this.service.versionsNow();
		for (const name of [...visible, ...late]) if (this.isBeforeNow(name)) this.optional.add(name);
	}

	/** What is not later than the date of the start need not come. */
	isBeforeStart(name: string): boolean {
		return this.startFrom === 'date' && (dateOf(name) ?? Infinity) <= this.startDate;
	}

	/** Of whole seconds, nobody knows which part of one is meant. A day is no date, nor one that is far ahead. */
	private isBeforeNow(name: string): boolean {
		const { ahead, traits } = this.service;
		const isNone = traits.dateFormat === 'day' || ahead.has(name);
		const time = isNone ? undefined : dateOf(name);
		const latest = time !== undefined && time % 1_000 === 0 ? time + 999 : time;
		return this.startFrom === 'now' && (latest ?? 0) <= this.startedAt;
	}

	/** The same, whatever is promised later; what was given or passed over before is known by then. */
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

	/** @throws Error with the versions that have not come, and from where */
	assertAll(hasCome: (name: string) => boolean, from = 'the start'): void {
		const { visible, undated } = this.service.versionsNow();
		for (const name of undated) if (!this.undatedAtStart.has(name)) this.optional.add(name);
		const isExempt = (name: string): boolean =>
			this.backlog.has(name) || this.optional.has(name) || this.isBeforeStart(name);
		const missing = visible.filter((name) => !hasCome(name) && !isExempt(name));
		if (missing.length > 0) throw new Error(`Never came from ${from}: ${missing.join(', ')}`);
	}
}

/** Undefined for a record without a date. */
export function dateOf(name: string): number | undefined {
	const date = Number(name.split('@')[1]);
	return Number.isNaN(date) ? undefined : date;
}
