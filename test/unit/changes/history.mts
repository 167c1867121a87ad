import { isDeepStrictEqual } from 'node:util';
import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { poll } from '../../../nodes/changes/poll.ts';
import type { PollResult, PollSettings } from '../../../nodes/changes/settings.ts';
import { readState, type TriggerState } from '../../../nodes/changes/state.ts';
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
	/** Deliveries again of records without a date, after a refused cursor and when those around were removed. */
	undatedAgain: number;
	/** Polls that could not tell which records are the newest. */
	unknownStarts: number;
	/** The largest stored state, in characters of JSON. */
	largestState: number;
	/** Requests of the last poll, which found nothing. */
	quietRequests: number;
}

const FINGERPRINT = 'f'.repeat(32);
const OWNER = { workspace: 'w'.repeat(32), credential: null };
/** Whether the service may keep the trigger from learning which records are the newest. */
export function mayStartUnknown({ traits }: Pick<History, 'traits'>): boolean {
	// Pages cut short that hold more than asked for cannot be counted.
	const countsPages = traits.mostOnPage === Infinity || traits.extraOnPage === 0;
	return traits.numbersPages !== 'yes' || traits.undated !== 'none' || !countsPages;
}

const MOST_POLLS_TO_DRAIN = 3_000;

/** Plays a history and checks everything the trigger promises. Throws with what is wrong. */
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
	private backlog: Set<string> | undefined;
	/** Versions that may be delivered and need not be. */
	private readonly optional = new Set<string>();
	/** Records without a date at the start; later ones are not promised. */
	private undatedAtStart = new Set<string>();
	private readonly history: History;
	private readonly acceptance = new Acceptance();
	private wereRefused = false;
	private readonly outcome: Outcome = {
		polls: 0,
		delivered: 0,
		afterCrash: 0,
		undatedAgain: 0,
		unknownStarts: 0,
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
	}

	async step(step: Step): Promise<void> {
		if (step.do === 'refuseCursors') {
			this.service.refuseCursors();
			this.wereRefused = true;
		} else if (step.do === 'restart') this.memory = this.saved;
		else if (step.do === 'poll') await this.poll(step);
		else this.change(step);
	}

	/** Polls until nothing comes any more, then compares with what had to come. */
	async drain(): Promise<Outcome> {
		this.service.commitLate();
		for (let polls = 0; polls < MOST_POLLS_TO_DRAIN; polls++) {
			const before = this.memory;
			const requests = this.service.requests;
			const result = await this.poll({
				do: 'poll',
				pages: 7,
				faults: [],
				meanwhile: [],
				crash: false,
			});
			this.outcome.quietRequests = this.service.requests - requests;
			if (result?.records.length === 0 && isDeepStrictEqual(before, this.memory)) {
				this.assertComplete();
				return this.outcome;
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

	private async poll(step: Step & { do: 'poll' }): Promise<PollResult | undefined> {
		const { service, history } = this;
		const stored = readState(this.memory, FINGERPRINT, OWNER);
		if (stored.state === undefined && stored.reason !== 'none') {
			throw new Error(`The trigger does not accept its own state (${stored.reason})`);
		}
		if (stored.state === undefined) this.rememberBacklog();
		const isFirst = stored.state === undefined;
		const meanwhile = [...step.meanwhile];
		let pages = 0;
		service.faults = [...step.faults];
		service.afterPage = () => {
			pages++;
			for (const change of meanwhile.shift() ?? []) this.change(change);
		};
		const settings = { ...this.settings(), mayContinue: () => pages < step.pages };
		this.outcome.polls++;
		try {
			const result = await poll(stored.state, service.reader(history.maxRecordsPerPoll), settings);
			this.noteUnknownStart(stored.state, result);
			this.take(result, step.crash, isFirst);
			return result;
		} catch (error) {
			if (!(error instanceof ServiceFailure)) throw error;
			// A record that comes in before the place that is read counts in the total all the same: the next poll sees it.
			const isInMotion = error.kind === 'incompleteList' && step.meanwhile.length > 0;
			if (error.facts.statusCode !== 503 && !isInMotion) throw error;
			return undefined;
		} finally {
			service.faults = [];
			service.afterPage = () => undefined;
		}
	}

	private settings(): Omit<PollSettings, 'mayContinue'> {
		const { traits, startFrom, maxRecordsPerPoll, windowRecords } = this.history;
		const limits = { maxRecordsPerPoll, windowRecords, overlapMs: traits.overlapMs };
		return { fingerprint: FINGERPRINT, owner: OWNER, startFrom, ...limits };
	}

	private take(result: PollResult, crash: boolean, isFirst: boolean): void {
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
		if (crash) {
			for (const name of names) this.lost.add(name);
			this.memory = this.saved;
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
		const { visible, undated, late } = this.service.versionsNow();
		this.undatedAtStart = new Set(undated);
		this.backlog = new Set(this.history.startFrom === 'now' ? visible : []);
		this.optional.clear();
		if (this.history.startFrom === 'now') for (const name of late) this.optional.add(name);
	}

	/** Where the newest records cannot be told, "now" is when the list has been read once; until then changes may be passed over. */
	private noteUnknownStart(before: TriggerState | undefined, { notes }: PollResult): void {
		const startsUnknown = notes.some(({ kind }) => kind === 'newestUnknown');
		if (startsUnknown) this.outcome.unknownStarts++;
		const isUnknown = before
			? before.seeding !== null && before.seeding.upTo === null
			: startsUnknown;
		if (!isUnknown) return;
		const { visible, late } = this.service.versionsNow();
		for (const name of [...visible, ...late]) this.optional.add(name);
	}

	private assertMayCome(name: string): void {
		const isRepeated = this.backlog?.has(name) === true || (this.kept.get(name) ?? 0) > 0;
		if (isRepeated && this.wereRefused && name.endsWith('@none')) {
			this.outcome.undatedAgain++;
			return;
		}
		if (this.backlog?.has(name))
			throw new Error(`${name} existed before the start and was delivered`);
		if ((this.kept.get(name) ?? 0) > 0) throw new Error(`${name} was delivered twice`);
	}

	private assertComplete(): void {
		const { visible, undated } = this.service.versionsNow();
		for (const name of undated) if (!this.undatedAtStart.has(name)) this.optional.add(name);
		const missing = visible.filter(
			(name) => !this.kept.has(name) && !this.backlog?.has(name) && !this.optional.has(name),
		);
		if (missing.length > 0) throw new Error(`Never delivered: ${missing.join(', ')}`);
	}
}
