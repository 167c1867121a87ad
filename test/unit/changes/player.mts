import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { Acceptance, type Accepted } from './acceptance.mts';
import { applyChange, type Change } from './change.mts';
import { Promised } from './promised.mts';
import { ListService } from './service.mts';
import type { History, PollStep } from './steps.mts';

type AnyHistory = Pick<History, 'traits' | 'event' | 'startFrom' | 'datesAdvance' | 'initial'>;

/** Plays a history of the trigger or of Sync, and checks everything that is promised. */
export abstract class Player<Step, H extends AnyHistory & { steps: Step[] }, Outcome> {
	readonly service: ListService;
	protected readonly history: H;
	protected readonly promised: Promised;
	protected readonly acceptance = new Acceptance((name) => !this.promised.isBeforeStart(name));

	constructor(history: H) {
		this.history = history;
		const field = history.event === 'recordCreated' ? 'created_at' : 'updated_at';
		this.service = new ListService(history.traits, field);
		this.promised = new Promised(this.service, history.startFrom);
	}

	protected abstract step(step: Step): Promise<void>;
	/** Reads until nothing comes any more, then compares with what had to come. */
	protected abstract drain(): Promise<Outcome>;
	/** Goes on from every state that was given out, as if it were the one that is stored. */
	protected abstract accept(): Promise<Accepted>;

	/** @throws Error with what is wrong */
	async play(): Promise<Outcome> {
		for (const change of this.history.initial) this.change(change);
		for (const step of this.history.steps) await this.step(step);
		return await this.drain();
	}

	/** As `play`, and goes on from every state that it has remembered. */
	async playAndAccept(): Promise<Accepted> {
		await this.play();
		return await this.accept();
	}

	protected change(change: Change): void {
		applyChange(this.service, change, this.history.datesAdvance);
	}

	/** Does what reads the service while that is disturbed; undefined where it ends in an error that it may end in. */
	protected async read<T>(
		{ faults, meanwhile }: Pick<PollStep, 'faults' | 'meanwhile'>,
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
			const isOfChanges = error.kind === 'incompleteList' || (cursors === 'seconds' && isRefusal);
			if (!mayFail(error) && !(meanwhile.length > 0 && isOfChanges)) throw error;
			return undefined;
		} finally {
			service.faults = [];
			service.afterPage = () => undefined;
		}
	}
}
