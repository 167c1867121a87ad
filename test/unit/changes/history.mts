import { poll, type PollResult } from '../../../nodes/changes/poll.ts';
import {
	openState,
	type FoundOwner,
	type Followed,
	type State,
} from '../../../nodes/changes/state.ts';
import type { ServiceFailure } from '../../../nodes/client/failures.ts';
import type { Accepted } from './acceptance.mts';
import type { Change } from './change.mts';
import { Player } from './player.mts';
import { stateOf } from './follower.mts';
import { dateOf } from './promised.mts';
import {
	poll as pollOf,
	type History,
	type PlaceStep,
	type PollStep,
	type Step,
} from './steps.mts';

/** What a history came to. */
export type Outcome = typeof NOTHING;
const NOTHING = {
	polls: 0,
	delivered: 0,
	/** Deliveries of versions that an earlier poll had given out, the state of which was lost in a crash. */
	afterCrash: 0,
	/** Deliveries again of versions of one date, more than are remembered. */
	again: 0,
	/** How often a poll continued by date. */
	byDate: 0,
	/** Polls that ended in an error because the bookmark could not be found. */
	endless: 0,
	/** The largest stored state, in characters of JSON. */
	largestState: 0,
	/** Requests of the last poll, which found nothing. */
	quietRequests: 0,
};

const MOST_POLLS_TO_DRAIN = 3_000;
const PLACE_STEPS: readonly string[] = ['otherKey', 'moveAddress', 'editFilter', 'otherVersion'];

export const play = async (history: History) => await new Run(history).play();
export const playAndAccept = async (history: History) => await new Run(history).playAndAccept();

class Run extends Player<Step, History, Outcome> {
	private memory: unknown;
	private saved: unknown;
	/** Versions that were given out by a poll whose state was kept. */
	private readonly kept = new Set<string>();
	/** Versions of polls whose state was lost. */
	private readonly lost = new Set<string>();
	/** All versions that there were. */
	private readonly ever = new Set<string>();
	private readonly outcome = { ...NOTHING };
	private addresses = 0;
	private filters = 0;

	protected override change(change: Change): void {
		super.change(change);
		for (const name of this.service.versionsNow().visible) this.ever.add(name);
	}

	protected async step(step: Step): Promise<void> {
		if (step.do === 'restart') this.memory = this.saved;
		else if (step.do === 'poll') await this.poll(step);
		else if (PLACE_STEPS.includes(step.do)) this.changePlace((step as PlaceStep).do);
		else this.change(step as Change);
	}

	private changePlace(what: PlaceStep['do']): void {
		if (what === 'moveAddress') this.addresses++;
		else if (what === 'editFilter') this.filters++;
		else if (what === 'otherVersion') {
			this.memory = writtenByOther(this.memory);
			this.saved = writtenByOther(this.saved);
		} else if (this.memory !== undefined) {
			const owner = { workspace: 'other', access: 'other', label: null };
			const opened = openState(this.memory, { ...this.start(), owner });
			if (!('refusal' in opened)) throw new Error('The key of another workspace is accepted');
		}
	}

	protected async drain(): Promise<Outcome> {
		this.service.commitLate();
		const { steps, initial } = this.history;
		const hasLate = [...initial, ...steps].some((step) => step.do === 'beginLate');
		// What comes late is promised only where polls are long enough. Where an error says that one is too short for the
		// list, the polls get longer.
		for (const pages of hasLate ? [Infinity] : [7, Infinity]) {
			let quiet = 0;
			for (let polls = 0; polls < MOST_POLLS_TO_DRAIN; polls++) {
				const { requests } = this.service;
				const { endless } = this.outcome;
				const result = await this.poll(pollOf({ pages }));
				if (this.outcome.endless > endless) break;
				this.outcome.quietRequests = this.service.requests - requests;
				// The first one of them may still have moved the bookmark.
				quiet = result?.reachedEnd === true && result.records.length === 0 ? quiet + 1 : 0;
				if (quiet === 3) {
					this.promised.assertAll((name) => this.kept.has(name));
					return this.outcome;
				}
			}
		}
		throw new Error('The polls never come to rest');
	}

	protected async accept(): Promise<Accepted> {
		const { service } = this;
		const { mostRemembered, traits } = this.history;
		const { overlapMs, refusePageSizeAbove } = traits;
		// Other pages than before: a person may change their size.
		const reader = service.reader(null, Math.min(11, refusePageSizeAbove?.size ?? 11));
		const bounds = { room: () => 1_000, mayContinue: () => true };
		const settings = { mostRemembered, overlapMs, now: service.localTime, ...bounds };
		return await this.acceptance.check(service, async (stored = 'null') => {
			const names: string[] = [];
			const from = { ...this.start(), startFrom: 'beginning' } as const;
			for (let state = stateOf(openState(JSON.parse(stored), from)); ; ) {
				const result = await poll(state, reader, settings);
				names.push(...result.records.map(({ version }) => String(version)));
				({ state } = result);
				// The poll after one that brought something newer looks again at what may have come late.
				if (result.reachedEnd && result.records.length === 0) return names;
			}
		});
	}

	private async poll(step: PollStep): Promise<PollResult | undefined> {
		const { service, promised, history } = this;
		const isFirst = this.memory === undefined;
		if (isFirst) promised.begin();
		const opened = openState(this.memory, this.start());
		const state = stateOf(opened);
		if ('from' in opened && opened.from !== undefined) this.continueFrom(opened.from);
		let pages = 0;
		this.outcome.polls++;
		const settings = {
			mostRemembered: history.mostRemembered,
			overlapMs: history.traits.overlapMs,
			now: service.localTime,
			room: () => history.maxRecordsPerPoll,
			mayContinue: () => pages < step.pages,
		};
		const read = async () => await poll(state, service.reader(state.limit), settings);
		const mayFail = (failure: ServiceFailure) => this.mayFail(failure, step);
		const result = await this.read(step, read, mayFail, () => void pages++);
		if (result === undefined) return undefined;
		if (isFirst || state.starting) promised.noteStart();
		this.take(result, step.crash, isFirst);
		return result;
	}

	private start(): Followed {
		const { startFrom, traits } = this.history;
		const { field } = this.service;
		const owner: FoundOwner = { workspace: 'w', access: `a${this.addresses}`, label: null };
		const { startDate } = this.promised;
		const list = { objectType: 'company', field, additional: { filter: this.filters } };
		return { ...list, owner, startFrom, startDate, overlapMs: traits.overlapMs };
	}

	/** What is older than this date is told to be passed over; what was seen in time is there all the same. */
	private continueFrom(from: number): void {
		this.outcome.byDate++;
		const hasLate = [...this.history.initial, ...this.history.steps].some(
			(step) => step.do === 'beginLate',
		);
		if (!hasLate) return;
		const { visible, late } = this.service.versionsNow();
		for (const name of [...visible, ...late])
			if ((dateOf(name) ?? Infinity) < from) this.promised.optional.add(name);
	}

	/** Whether a poll may end in this error, whatever changes meanwhile. */
	private mayFail({ kind, facts }: ServiceFailure, step: PollStep): boolean {
		const { refusePageSizeAbove: refused } = this.history.traits;
		if (kind === 'endlessSearch') {
			this.outcome.endless++;
			return step.pages < Infinity;
		}
		// Where the first size is refused, and the next one fails, it is the refusal that is told.
		const isFault = facts.statusCode === 503 || (facts.statusCode === 400 && refused !== undefined);
		return isFault && step.faults.length > 0;
	}

	private take({ records, state }: PollResult, crash: PollStep['crash'], isFirst: boolean): void {
		if (records.length > this.history.maxRecordsPerPoll)
			throw new Error('More records than asked for');
		const text = JSON.stringify(state);
		this.outcome.largestState = Math.max(this.outcome.largestState, text.length);
		const names = records.map(({ version }) => String(version));
		for (const name of names) this.assertMayCome(name);
		this.service.given = names;
		const { optional, undatedAtStart, backlog } = this.promised;
		const given = [...this.kept, ...backlog, ...names];
		this.acceptance.remember(text, { given, optional, undatedAtStart });
		if (crash !== false) {
			for (const name of names) this.lost.add(name);
			if (crash === true) this.memory = this.saved;
			return;
		}
		for (const name of names) {
			this.kept.add(name);
			if (this.lost.has(name)) this.outcome.afterCrash++;
		}
		this.outcome.delivered += names.length;
		this.memory = JSON.parse(text) as State;
		if (names.length > 0 || this.history.durable || isFirst) this.saved = this.memory;
	}

	/** Where the bookmark was lost among more versions of one date than are remembered, they may not be told apart. */
	private assertMayCome(name: string): void {
		const isOld = this.promised.backlog.has(name);
		if (!isOld && !this.kept.has(name)) return;
		const date = dateOf(name);
		const alike = [...this.ever].filter((one) => dateOf(one) === date);
		const mayComeAgain = date !== undefined && alike.length > this.history.mostRemembered / 4;
		if (mayComeAgain) this.outcome.again++;
		else
			throw new Error(`${name} ${isOld ? 'existed before the start' : 'was delivered'} and came`);
	}
}

/** A state as another version of the package could have written it: the names that all of them share, and others. */
export function writtenByOther(stored: unknown): unknown {
	if (stored === undefined) return undefined;
	const { savedCursors, limit, futile, isSkipping, filter, ...shared } = stored as State;
	return {
		...shared,
		version: 1_000,
		bookmark: { savedCursors, limit, futile, isSkipping, filter },
	};
}
