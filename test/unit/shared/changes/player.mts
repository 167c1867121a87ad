import { ServiceFailure } from '../../../../nodes/shared/client/failures.ts';
import type { Checkpoint } from '../../../../nodes/shared/changes/checkpoint.ts';
import { applyChange, type Change } from './change.mts';
import { dateOf, ExpectedVersions } from './expected.mts';
import { ListService } from './service.mts';
import type { AnyHistory, Disturbances } from './steps.mts';

/** A checkpoint that a poll of the trigger or a run of Sync returned, even if n8n did not store the checkpoint. */
interface Remembered {
	/** Checkpoint as JSON. */
	state: string;
	/** Names of the record versions that were returned up to this checkpoint, or existed before the start. */
	returned: ReadonlySet<string>;
	promised: ExpectedVersions;
}

/** Counts of the final check, which resumes once from every checkpoint that a history (a list of steps) returned. */
export interface Accepted {
	/** Number of record versions returned after resuming. */
	newer: number;
	/** Number of checkpoints after which at least one record version was returned. */
	olderStates: number;
}

/**
 * Plays a history (a list of steps) of the trigger or of Sync, and checks that the node returns every record version
 * once. Finally, the player resumes from every checkpoint that was ever returned, as Airbyte's acceptance tests do.
 */
export abstract class Player<Step, H extends AnyHistory & { steps: Step[] }, Outcome> {
	readonly service: ListService;
	protected readonly history: H;
	protected readonly promised: ExpectedVersions;
	private readonly remembered = new Map<string, Remembered>();

	constructor(history: H) {
		this.history = history;
		const field = history.event === 'recordCreated' ? 'created_at' : 'updated_at';
		this.service = new ListService(history.traits, field);
		this.promised = new ExpectedVersions(this.service, history.startFrom);
	}

	protected abstract step(step: Step): Promise<void>;
	/**
	 * Reads until the node returns nothing more. Then checks that every version that the node must return was returned.
	 */
	protected abstract drain(): Promise<Outcome>;
	/** Whether one reading from a checkpoint returns every newer version exactly once. */
	protected abstract readonly givesAllAtOnce: boolean;
	/**
	 * Resumes from a checkpoint (JSON), or from the beginning of the list if the checkpoint is undefined. Reads to the
	 * end of the list, and no request fails. Uses a page size that the history does not use, because users can change
	 * the page size. Returns the names of the returned versions in order.
	 */
	protected abstract readFrom(state: string | undefined): Promise<string[]>;

	/**
	 * Plays the history, and returns its counts.
	 *
	 * @throws Error that describes the first failed check
	 */
	async play(): Promise<Outcome & Accepted> {
		for (const change of this.history.initial) this.change(change);
		for (const step of this.history.steps) await this.step(step);
		return { ...(await this.drain()), ...(await this.resumeFromCheckpoints()) };
	}

	protected change(change: Change): void {
		applyChange(this.service, change, this.history.datesAdvance);
	}

	/** Page size for resuming from a checkpoint. It differs from all page sizes that the steps of the history use. */
	protected get otherPageSize(): number {
		return Math.min(11, this.history.traits.rejectPageSizeAbove?.size ?? 11);
	}

	protected remember(state: string, returned: Iterable<string>): void {
		const before = new Set(returned);
		const one = { state, returned: before, promised: this.promised.asOfNow() };
		this.remembered.set(`${before.size} ${state}`, one);
	}

	/**
	 * Runs `work` while requests fail and records change. Returns undefined if these faults or changes make `work`
	 * fail. Rethrows every other error.
	 */
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
			// If a record was inserted before the current page, the total includes this record, but this reading misses
			// it. The next reading returns the record.
			const isMissed = ['incompleteList', 'repeatedPage'].includes(error.kind);
			// If cursors are positions, a record that appears late moves other records to later pages
			// (docs/maintainers/assumptions.md, A4). If all earlier dates are equal, the list then seems to be in
			// descending order. The next reading finds the records in ascending order.
			const hasMoved = ['position', 'pages'].includes(cursors) && error.kind === 'notAscending';
			const isOfChanges = isMissed || hasMoved || (cursors === 'seconds' && isRefusal);
			if (!mayFail(error) && !(meanwhile.length > 0 && isOfChanges)) throw error;
			return undefined;
		} finally {
			service.faults = [];
			service.afterPage = () => undefined;
		}
	}

	/**
	 * Checks that a reading from each checkpoint returns every newer version, and no version that was returned before.
	 */
	private async resumeFromCheckpoints(): Promise<Accepted> {
		const accepted: Accepted = { newer: 0, olderStates: 0 };
		if (!this.givesAllAtOnce) return accepted;
		await this.readAllTwice();
		for (const { state, returned, promised } of this.remembered.values()) {
			const names = await this.readFrom(state);
			const came = new Set(names);
			const repeated = names.filter((name) => returned.has(name) && dateOf(name) !== undefined);
			if (came.size < names.length || repeated.length > 0)
				throw new Error(
					`Came twice from ${state}: ${names.join()}, and before: ${repeated.join()}`,
				);
			const { starting } = JSON.parse(state) as Checkpoint;
			if (starting) promised.recordStart();
			promised.assertAll((name) => returned.has(name) || came.has(name), state);
			accepted.newer += names.length;
			if (names.length > 0) accepted.olderStates++;
		}
		return accepted;
	}

	/** Checks that two readings of the whole list return every version exactly once, in the same order. */
	private async readAllTwice(): Promise<void> {
		const first = (await this.readFrom(undefined)).join();
		const again = (await this.readFrom(undefined)).join();
		if (first !== again) throw new Error(`Two full reads differ: ${first}, then ${again}`);
		const there = this.service.versionsNow().visible.toSorted().join();
		if (first.split(',').toSorted().join() === there) return;
		throw new Error(`A full read is ${first}, and there is ${there}`);
	}
}
