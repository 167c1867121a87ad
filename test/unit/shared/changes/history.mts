import { poll } from '../../../../nodes/shared/changes/poll.ts';
import {
	resumeFrom,
	type FollowedList,
	type Checkpoint,
} from '../../../../nodes/shared/changes/checkpoint.ts';
import type { ServiceFailure } from '../../../../nodes/shared/client/failures.ts';
import { OLDER } from '../../../../nodes/shared/changes/notices.ts';
import type { Change } from './change.mts';
import { Player, type Accepted } from './player.mts';
import { checkpointOf } from './follower.mts';
import { dateOf } from './expected.mts';
import { poll as pollOf, type History, type PollStep, type Step } from './steps.mts';

/** Counts of events in one history (a list of steps) of the trigger. */
type Outcome = typeof NOTHING;
const NOTHING = {
	polls: 0,
	delivered: 0,
	/** Number of versions returned again, because n8n crashed before it stored the checkpoint of an earlier poll. */
	afterCrash: 0,
	/** Number of versions returned again, because more versions have the same date than the node remembers. */
	again: 0,
	/** Number of versions returned before the first reading with Start From: Now reached the end of the list. */
	duringStart: 0,
	/** Number of polls that continued from a date, because Filters or the package version had changed. */
	byDate: 0,
	/**
	 * Number of polls that failed with `endlessSearch`, because several polls in a row came no nearer to the end of the
	 * list.
	 */
	endless: 0,
	/** Size of the largest checkpoint, in characters of JSON. */
	largestState: 0,
};

/** Maximum number of polls after the last step. More polls count as endless. */
const MAX_POLLS_TO_DRAIN = 3_000;

/** Plays a history of the trigger, and returns its counts. Throws an error that describes the first failed check. */
export const play = async (history: History): Promise<Outcome & Accepted> =>
	await new Run(history).play();

class Run extends Player<Step, History, Outcome> {
	private memory: unknown;
	/** Names of the versions returned by polls whose checkpoint n8n stored. */
	private readonly kept = new Set<string>();
	/** Names of the versions returned by polls whose checkpoint was lost in a crash. */
	private readonly lost = new Set<string>();
	/** Names of all versions that were ever visible in the list. */
	private readonly ever = new Set<string>();
	private readonly outcome = { ...NOTHING };
	private addresses = 0;
	private filters = 0;
	/**
	 * False if more versions can have the same date than the node remembers, because the node can then return versions
	 * twice.
	 */
	protected readonly givesAllAtOnce = this.history.maxRemembered === 2_000;

	protected override change(change: Change): void {
		super.change(change);
		for (const name of this.service.versionsNow().visible) this.ever.add(name);
	}

	protected async step(step: Step): Promise<void> {
		if (step.do === 'poll') await this.poll(step);
		else if (step.do === 'moveAddress') this.addresses++;
		else if (step.do === 'editFilter') this.filters++;
		else if (step.do === 'otherVersion') this.memory = writtenByOther(this.memory);
		else if (step.do === 'otherKey') this.openByOther();
		else this.change(step);
	}

	private openByOther(): void {
		if (this.memory === undefined) return;
		const opened = resumeFrom(this.memory, { ...this.start(), owner: 'other' });
		if (!('refusal' in opened)) throw new Error('Another credential is accepted');
	}

	protected async drain(): Promise<Outcome> {
		this.service.commitLate();
		// Do not limit the pages of a poll if changes can appear late, because a poll with few pages can miss them.
		// Otherwise, remove the limit only after the error `endlessSearch`.
		for (const pages of this.hasLate ? [Infinity] : [7, Infinity]) {
			let quiet = 0;
			for (let polls = 0; polls < MAX_POLLS_TO_DRAIN; polls++) {
				const { endless } = this.outcome;
				const result = await this.poll(pollOf({ pages }));
				if (this.outcome.endless > endless) break;
				// Wait for three polls in a row that return nothing, because the first of them can still change the
				// checkpoint.
				quiet = result?.reachedEnd === true && result.records.length === 0 ? quiet + 1 : 0;
				if (quiet < 3) continue;
				this.promised.assertAll((name) => this.kept.has(name));
				return this.outcome;
			}
		}
		throw new Error('The polls never come to rest');
	}

	private get hasLate(): boolean {
		const { initial, steps } = this.history;
		return [...initial, ...steps].some((step) => step.do === 'beginLate');
	}

	protected async readFrom(stored = 'null'): Promise<string[]> {
		const names: string[] = [];
		const reader = this.service.reader(this.otherPageSize);
		const settings = { ...this.settings(), maxRecords: 1_000, hasTimeLeft: () => true };
		const from = { ...this.start(), startFrom: 'beginning' } as const;
		for (let checkpoint = checkpointOf(resumeFrom(JSON.parse(stored), from)); ; ) {
			const result = await poll(checkpoint, reader, settings);
			names.push(...namesOf(result));
			const { starting } = checkpoint;
			({ checkpoint } = result);
			// Poll once more after a poll that returned records or completed the first reading of Start From: Now,
			// because only a further poll finds late changes.
			if (result.reachedEnd && result.records.length === 0 && !starting) return names;
		}
	}

	private settings() {
		const { maxRemembered, traits } = this.history;
		return { maxRemembered, lookbackMs: traits.lookbackMs, now: this.service.localTime };
	}

	private async poll(step: PollStep): Promise<Polled | undefined> {
		const { service, promised, history } = this;
		const isFirst = this.memory === undefined;
		if (isFirst) promised.begin();
		const opened = resumeFrom(this.memory, this.start());
		const checkpoint = checkpointOf(opened);
		if ('from' in opened && opened.from !== undefined) this.continueFrom(opened.from);
		let pages = 0;
		this.outcome.polls++;
		const settings = {
			...this.settings(),
			maxRecords: history.maxRecordsPerPoll,
			hasTimeLeft: () => pages < step.pages,
		};
		const read = async () => await poll(checkpoint, service.reader(), settings);
		const mayFail = (failure: ServiceFailure) => this.mayFail(failure, step);
		const result = await this.read(step, read, mayFail, () => void pages++);
		if (result === undefined) return undefined;
		if (isFirst || checkpoint.starting) promised.recordStart();
		if (checkpoint.starting) this.outcome.duringStart += result.records.length;
		if (result.notices.includes(OLDER)) this.assertSomeMissing(namesOf(result));
		this.take(result, step.crash);
		return result;
	}

	private start(): FollowedList {
		const { startFrom, traits } = this.history;
		const { field } = this.service;
		const whose = { owner: 'w', access: `a${this.addresses}`, now: this.service.localTime() };
		const { startDate } = this.promised;
		const list = { objectType: 'company', field, additional: { filter: this.filters } };
		return { ...list, ...whose, startFrom, startDate, lookbackMs: traits.lookbackMs };
	}

	/**
	 * Counts a poll that continues from a date. If changes can appear late, marks the versions before this date as
	 * optional, because the node skips them and reports this.
	 */
	private continueFrom(from: number): void {
		this.outcome.byDate++;
		if (!this.hasLate) return;
		const { visible, late } = this.service.versionsNow();
		for (const name of [...visible, ...late])
			if ((dateOf(name) ?? Infinity) < from) this.promised.optional.add(name);
	}

	/** Checks whether a poll can fail with this error even if no record changes during the poll. */
	private mayFail({ kind, facts }: ServiceFailure, step: PollStep): boolean {
		const { rejectPageSizeAbove: refused } = this.history.traits;
		if (kind === 'endlessSearch') {
			this.outcome.endless++;
			return step.pages < Infinity;
		}
		// If the service rejects the first page size and the next request fails, the node reports the rejection.
		const isFault = facts.statusCode === 503 || (facts.statusCode === 400 && refused !== undefined);
		return isFault && step.faults.length > 0;
	}

	private take(result: Polled, crash: boolean): void {
		const names = namesOf(result);
		if (names.length > this.history.maxRecordsPerPoll)
			throw new Error('More records than asked for');
		const text = JSON.stringify(result.checkpoint);
		this.outcome.largestState = Math.max(this.outcome.largestState, text.length);
		for (const name of names) this.assertMayCome(name);
		this.service.given = names;
		this.remember(text, [...this.kept, ...this.promised.backlog, ...names]);
		if (crash) {
			for (const name of names) this.lost.add(name);
			return;
		}
		for (const name of names) {
			this.kept.add(name);
			if (this.lost.has(name)) this.outcome.afterCrash++;
		}
		this.outcome.delivered += names.length;
		this.memory = JSON.parse(text) as Checkpoint;
	}

	/**
	 * Checks that some visible versions were never returned. Called if the node warns that older records were added.
	 */
	private assertSomeMissing(came: readonly string[]): void {
		const known = new Set([...came, ...this.kept, ...this.promised.backlog]);
		const { visible } = this.service.versionsNow();
		if (visible.every((name) => known.has(name))) throw new Error('No older records were added');
	}

	/**
	 * Checks that a version was not returned before, and did not exist before the start. There is one
	 * exception: so many versions share its date that the node cannot remember them all.
	 */
	private assertMayCome(name: string): void {
		const isOld = this.promised.backlog.has(name);
		if (!isOld && !this.kept.has(name)) return;
		const date = dateOf(name);
		const alike = [...this.ever].filter((one) => dateOf(one) === date);
		const mayComeAgain = date !== undefined && alike.length > this.history.maxRemembered / 4;
		if (mayComeAgain) this.outcome.again++;
		else
			throw new Error(`${name} ${isOld ? 'existed before the start' : 'was delivered'} and came`);
	}
}

type Polled = Awaited<ReturnType<typeof poll>>;

const namesOf = ({ records }: Polled): string[] => records.map(({ version }) => String(version));

/**
 * Returns a checkpoint as another version of the package could have written it. It has the members that all versions
 * share, and one unknown member.
 */
export function writtenByOther(stored: unknown): unknown {
	if (stored === undefined) return undefined;
	const { savedCursors, futile, isSkipping, filter, ...shared } = stored as Checkpoint;
	return {
		...shared,
		version: 1_000,
		bookmark: { savedCursors, futile, isSkipping, filter },
	};
}
