import { ServiceFailure } from '../../../../nodes/shared/client/failures.ts';
import type { Checkpoint } from '../../../../nodes/shared/changes/checkpoint.ts';
import { applyChange, type Change } from './change.mts';
import { dateOf, Promised } from './expected.mts';
import { ListService } from './service.mts';
import type { AnyHistory, Disturbances } from './steps.mts';

/** A state that was given out; whether it was stored does not matter. */
interface Remembered {
	/** As JSON. */
	state: string;
	/** Versions that were given before it, or existed before the start. */
	given: ReadonlySet<string>;
	promised: Promised;
}

/** What came of the states that were gone on from. */
export interface Accepted {
	/** Versions that came after them. */
	newer: number;
	/** Those of the states with anything after them. */
	olderStates: number;
}

/**
 * Plays a history of the trigger or of Sync, and checks everything that is promised; at last also of every state that was
 * ever remembered, as Airbyte's acceptance tests have it.
 */
export abstract class Player<Step, H extends AnyHistory & { steps: Step[] }, Outcome> {
	readonly service: ListService;
	protected readonly history: H;
	protected readonly promised: Promised;
	private readonly remembered = new Map<string, Remembered>();

	constructor(history: H) {
		this.history = history;
		const field = history.event === 'recordCreated' ? 'created_at' : 'updated_at';
		this.service = new ListService(history.traits, field);
		this.promised = new Promised(this.service, history.startFrom);
	}

	protected abstract step(step: Step): Promise<void>;
	/** Reads until nothing comes any more, then compares with what had to come. */
	protected abstract drain(): Promise<Outcome>;
	/** Whether reading on from a state once gives all that is newer, each version once. */
	protected abstract readonly givesAllAtOnce: boolean;
	/**
	 * Reads to the end of the list, undisturbed and by pages of another size, as a person may change it: from a state (as
	 * JSON), or (undefined) all that there is. Gives the names of the versions that came, in their order.
	 */
	protected abstract readOn(state: string | undefined): Promise<string[]>;

	/** @throws Error with what is wrong */
	async play(): Promise<Outcome & Accepted> {
		for (const change of this.history.initial) this.change(change);
		for (const step of this.history.steps) await this.step(step);
		return { ...(await this.drain()), ...(await this.goOnFromStates()) };
	}

	protected change(change: Change): void {
		applyChange(this.service, change, this.history.datesAdvance);
	}

	/** The size of other pages than before. */
	protected get otherPageSize(): number {
		return Math.min(11, this.history.traits.rejectPageSizeAbove?.size ?? 11);
	}

	protected remember(state: string, given: Iterable<string>): void {
		const before = new Set(given);
		const one = { state, given: before, promised: this.promised.asOfNow() };
		this.remembered.set(`${before.size} ${state}`, one);
	}

	/** Does what reads the service while that is disturbed; undefined where it ends in an error that it may end in. */
	protected async read<T>(
		{ faults, meanwhile }: Disturbances,
		work: () => Promise<T>,
		mayFail: (failure: ServiceFailure) => boolean,
		afterPage = (): void => undefined,
	): Promise<T | undefined> {
		const { service } = this;
		const changes = [...meanwhile];
		service.faults = [...faults];
		service.poll++;
		service.afterPage = () => {
			afterPage();
			for (const change of changes.shift() ?? []) this.change(change);
		};
		try {
			return await work();
		} catch (error) {
			if (!(error instanceof ServiceFailure)) throw error;
			const { cursors, refusal } = this.history.traits;
			const isRefusal = error.kind === 'unsuccessful' || error.facts.statusCode === refusal;
			// A record that comes in before the place that is read counts in the total all the same: the next reading sees it.
			const isMissed = ['incompleteList', 'repeatedPage'].includes(error.kind);
			// A record that comes in late moves positions on within one reading (A4): where all dates before were one, that
			// looks like a list that goes down. The next reading meets it in its place.
			const hasMoved = ['position', 'pages'].includes(cursors) && error.kind === 'notAscending';
			const isOfChanges = isMissed || hasMoved || (cursors === 'seconds' && isRefusal);
			if (!mayFail(error) && !(meanwhile.length > 0 && isOfChanges)) throw error;
			return undefined;
		} finally {
			service.faults = [];
			service.afterPage = () => undefined;
		}
	}

	/** What is newer than a state comes, all of it, and nothing that was given before. */
	private async goOnFromStates(): Promise<Accepted> {
		const accepted: Accepted = { newer: 0, olderStates: 0 };
		if (!this.givesAllAtOnce) return accepted;
		await this.readAllTwice();
		for (const { state, given, promised } of this.remembered.values()) {
			const names = await this.readOn(state);
			const came = new Set(names);
			const repeated = names.filter((name) => given.has(name) && dateOf(name) !== undefined);
			if (came.size < names.length || repeated.length > 0)
				throw new Error(
					`Came twice from ${state}: ${names.join()}, and before: ${repeated.join()}`,
				);
			const { starting } = JSON.parse(state) as Checkpoint;
			if (starting) promised.recordStart();
			promised.assertAll((name) => given.has(name) || came.has(name), state);
			accepted.newer += names.length;
			if (names.length > 0) accepted.olderStates++;
		}
		return accepted;
	}

	/** Two full reads give the same: everything, each version once. */
	private async readAllTwice(): Promise<void> {
		const first = (await this.readOn(undefined)).join();
		const again = (await this.readOn(undefined)).join();
		if (first !== again) throw new Error(`Two full reads differ: ${first}, then ${again}`);
		const there = this.service.versionsNow().visible.toSorted().join();
		if (first.split(',').toSorted().join() === there) return;
		throw new Error(`A full read is ${first}, and there is ${there}`);
	}
}
