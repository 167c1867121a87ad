import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { poll } from '../../../nodes/changes/poll.ts';
import type { PollResult, PollSettings } from '../../../nodes/changes/poll-types.ts';
import { readState } from '../../../nodes/changes/state.ts';
import { Acceptance, type Accepted } from './acceptance.mts';
import { applyChange, type Change } from './change.mts';
import { readOnWith } from './read-on.mts';
import { ModelService } from './service.mts';
import type { History, Step } from './steps.mts';

/** What a history came to. */
export interface Outcome {
	polls: number;
	delivered: number;
	/** Deliveries of versions that an earlier poll had given out, the state of which was lost in a crash. */
	afterCrash: number;
	/** Deliveries again of versions of one date, more than are remembered. */
	again: number;
	/** Polls that ended in an error because the place could not be found. */
	endless: number;
	/** The largest stored state, in characters of JSON. */
	largestState: number;
	/** Requests of the last poll, which found nothing. */
	quietRequests: number;
}

type PollStep = Step & { do: 'poll' };

const FINGERPRINT = 'f'.repeat(32);
const OWNER = { workspace: 'w'.repeat(32), credential: null };
const MOST_POLLS_TO_DRAIN = 3_000;

/** Plays a history and checks everything that is promised. Throws with what is wrong. */
export async function play(history: History): Promise<Outcome> {
	return await (await playedRun(history)).drain();
}

/** Plays a history, and goes on from every state that it has remembered. Throws with what is wrong. */
export async function playAndAccept(history: History): Promise<Accepted> {
	const run = await playedRun(history);
	await run.drain();
	return await run.accept();
}

async function playedRun(history: History): Promise<Run> {
	const run = new Run(history);
	for (const change of history.initial) run.change(change);
	for (const step of history.steps) await run.step(step);
	return run;
}

class Run {
	private readonly service: ModelService;
	private memory: unknown;
	private saved: unknown;
	/** Times that each version was given out by a poll whose state was kept. */
	private readonly kept = new Map<string, number>();
	/** Versions of polls whose state was lost. */
	private readonly lost = new Set<string>();
	/** Versions that existed before the start; they must not come. */
	private backlog: Set<string> | undefined;
	/** Versions that may be delivered and need not be. */
	private readonly optional = new Set<string>();
	/** Records without a date at the start; later ones are not promised. */
	private undatedAtStart = new Set<string>();
	private startDate = 0;
	/** All versions that there were. */
	private readonly ever = new Set<string>();
	private readonly history: History;
	private readonly acceptance = new Acceptance((name) => !this.isBeforeStart(name));
	private readonly outcome: Outcome = {
		polls: 0,
		delivered: 0,
		afterCrash: 0,
		again: 0,
		endless: 0,
		largestState: 0,
		quietRequests: 0,
	};

	constructor(history: History) {
		this.history = history;
		const field = history.event === 'recordCreated' ? 'created_at' : 'updated_at';
		this.service = new ModelService(history.traits, field);
	}

	change(change: Change): void {
		applyChange(this.service, change, this.history.datesAdvance);
		for (const name of this.service.versionsNow().visible) this.ever.add(name);
	}

	async step(step: Step): Promise<void> {
		if (step.do === 'refuseCursors') this.service.cursors.refuseAll();
		else if (step.do === 'changeKey') this.service.cursors.key++;
		else if (step.do === 'restart') this.memory = this.saved;
		else if (step.do === 'poll') await this.poll(step);
		else this.change(step);
	}

	/** Polls until nothing comes any more, then compares with what had to come. */
	async drain(): Promise<Outcome> {
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
				const undisturbed = { faults: [], meanwhile: [], crash: false };
				const result = await this.poll({ do: 'poll', pages, ...undisturbed });
				if (this.outcome.endless > endless) break;
				this.outcome.quietRequests = this.service.requests - requests;
				// The first one of them may still have moved the place.
				quiet = result?.reachedEnd === true && result.records.length === 0 ? quiet + 1 : 0;
				if (quiet === 3) {
					this.assertComplete();
					return this.outcome;
				}
			}
		}
		throw new Error('The polls never come to rest');
	}

	/** Goes on from every state that was given out, as if it were the one that is stored. */
	async accept(): Promise<Accepted> {
		const settings = { ...this.settings(), mayContinue: () => true };
		const last = JSON.stringify(this.memory);
		return await this.acceptance.check(this.service, readOnWith(this.service, settings), last);
	}

	private async poll(step: PollStep): Promise<PollResult | undefined> {
		const { service } = this;
		const stored = readState(this.memory, FINGERPRINT, OWNER);
		if (stored.state === undefined && stored.reason !== 'none') {
			throw new Error(`The trigger does not accept its own state (${stored.reason})`);
		}
		const isFirst = stored.state === undefined;
		if (isFirst) this.rememberBacklog();
		const meanwhile = [...step.meanwhile];
		let pages = 0;
		service.faults = [...step.faults];
		service.cursors.poll++;
		service.afterPage = () => {
			pages++;
			for (const change of meanwhile.shift() ?? []) this.change(change);
		};
		const settings = { ...this.settings(), mayContinue: () => pages < step.pages };
		this.outcome.polls++;
		try {
			const reader = service.reader(stored.state?.limit);
			const result = await poll(stored.state, reader, settings);
			if (stored.state === undefined || stored.state.starting) this.noteStart();
			this.take(result, step.crash, isFirst);
			return result;
		} catch (error) {
			if (!(error instanceof ServiceFailure) || !this.mayFail(error, step)) throw error;
			return undefined;
		} finally {
			service.faults = [];
			service.afterPage = () => undefined;
		}
	}

	/** Whether a poll may end in this error. */
	private mayFail({ kind, facts }: ServiceFailure, step: PollStep): boolean {
		const { cursors, refusal, largestLimit } = this.history.traits;
		if (kind === 'endlessSearch') {
			this.outcome.endless++;
			return step.pages < Infinity;
		}
		// Where the first size is refused, and the next one fails, it is the refusal that is told.
		const isFault = facts.statusCode === 503 || (facts.statusCode === 400 && largestLimit < 100);
		if (isFault && step.faults.length > 0) return true;
		if (step.meanwhile.length === 0) return false;
		// A record that comes in before the place that is read counts in the total all the same: the next poll sees it.
		if (kind === 'incompleteList') return true;
		const isRefusal = kind === 'unsuccessful' || facts.statusCode === refusal;
		return cursors === 'seconds' && isRefusal;
	}

	private settings(): Omit<PollSettings, 'mayContinue'> {
		const { traits, startFrom, maxRecordsPerPoll, mostRemembered } = this.history;
		const { startDate } = this;
		const limits = { maxRecordsPerPoll, mostRemembered, overlapMs: traits.overlapMs };
		const now = this.service.localTime;
		return { fingerprint: FINGERPRINT, owner: OWNER, startFrom, startDate, now, ...limits };
	}

	private take(result: PollResult, crash: PollStep['crash'], isFirst: boolean): void {
		const { records, state } = result;
		if (records.length > this.history.maxRecordsPerPoll)
			throw new Error('More records than asked for');
		const text = JSON.stringify(state);
		this.outcome.largestState = Math.max(this.outcome.largestState, text.length);
		const names = records.map(({ version }) => String(version));
		for (const name of names) this.assertMayCome(name);
		const { optional, undatedAtStart, backlog = [] } = this;
		const given = [...this.kept.keys(), ...backlog, ...names];
		this.acceptance.remember(text, { given, optional, undatedAtStart });
		if (crash !== false) {
			for (const name of names) this.lost.add(name);
			if (crash === true) this.memory = this.saved;
			return;
		}
		for (const name of names) {
			this.kept.set(name, (this.kept.get(name) ?? 0) + 1);
			if (this.lost.has(name)) this.outcome.afterCrash++;
		}
		this.outcome.delivered += names.length;
		this.memory = JSON.parse(text);
		if (names.length > 0 || this.history.durable || isFirst) this.saved = this.memory;
	}

	/** What exists at the first poll; a first poll that fails is none, and the next one is it. */
	private rememberBacklog(): void {
		const { startFrom } = this.history;
		const { visible, undated, late } = this.service.versionsNow();
		this.undatedAtStart = new Set(undated);
		const dates = visible.map(dateOf).filter((date) => date !== undefined);
		// In the midst of what exists.
		this.startDate = dates.toSorted((first, second) => first - second)[dates.length >> 1] ?? 0;
		const isBefore = (name: string): boolean => (dateOf(name) ?? Infinity) <= this.startDate;
		const passed = { now: () => true, beginning: () => false, date: isBefore }[startFrom];
		this.backlog = new Set(visible.filter(passed));
		this.optional.clear();
		for (const name of late.filter(passed)) this.optional.add(name);
	}

	/** "Now" is when the list has been read once; until then changes may be passed over. */
	private noteStart(): void {
		if (this.history.startFrom !== 'now') return;
		const { visible, late } = this.service.versionsNow();
		for (const name of [...visible, ...late]) this.optional.add(name);
	}

	/** What is not later than the date of the start need not come. */
	private isBeforeStart(name: string): boolean {
		return this.history.startFrom === 'date' && (dateOf(name) ?? Infinity) <= this.startDate;
	}

	private assertMayCome(name: string): void {
		const isRepeated = this.backlog?.has(name) === true || (this.kept.get(name) ?? 0) > 0;
		if (isRepeated && this.mayComeAgain(name)) {
			this.outcome.again++;
			return;
		}
		if (this.backlog?.has(name))
			throw new Error(`${name} existed before the start and was delivered`);
		if ((this.kept.get(name) ?? 0) > 0) throw new Error(`${name} was delivered twice`);
	}

	/** Where a place was lost among more versions of one date than are remembered, they may not be told apart. */
	private mayComeAgain(name: string): boolean {
		const { mostRemembered } = this.history;
		const date = dateOf(name);
		const alike = [...this.ever].filter((one) => dateOf(one) === date);
		return date !== undefined && alike.length > mostRemembered / 4;
	}

	private assertComplete(): void {
		const { visible, undated } = this.service.versionsNow();
		for (const name of undated) if (!this.undatedAtStart.has(name)) this.optional.add(name);
		const missing = visible.filter(
			(name) =>
				!this.kept.has(name) &&
				!this.backlog?.has(name) &&
				!this.optional.has(name) &&
				!this.isBeforeStart(name),
		);
		if (missing.length > 0) throw new Error(`Never delivered: ${missing.join(', ')}`);
	}
}

/** Undefined for a record without a date. */
function dateOf(name: string): number | undefined {
	const date = Number(name.split('@')[1]);
	return Number.isNaN(date) ? undefined : date;
}
