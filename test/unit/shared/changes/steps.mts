import type { Change } from './change.mts';
import { plainTraits, type ServiceTraits } from './service-traits.mts';

/** What happens to what a place belongs to. */
export type PlaceStep =
	/** A poll or run with another credential. */
	| { do: 'otherKey' }
	/** The same workspace at another Base URL. */
	| { do: 'moveAddress' }
	/** Other Filters. */
	| { do: 'editFilter' }
	/** Another version of the package has written the state. */
	| { do: 'otherVersion' };

/** Faults in a poll or a run. */
export interface Disturbances {
	/** Which requests fail. */
	faults: boolean[];
	/** Changes after the first page, after the second and so on. */
	meanwhile: Change[][];
}

export interface PollStep extends Disturbances {
	do: 'poll';
	/** The most pages before the time is up. */
	pages: number;
	/** n8n is killed after it gave out the records and before it saved the state. */
	crash: boolean;
}

/** One step of a random history: a change, a fault or a poll. */
export type Step = Change | PlaceStep | PollStep;

/** A service, and what of it is followed, and from where: what histories of the trigger and of Sync have in common. */
export interface AnyHistory {
	traits: ServiceTraits;
	event: 'recordCreated' | 'recordUpdated';
	startFrom: 'now' | 'beginning' | 'date';
	/**
	 * Whether every change gets a date of its own; one with the newest date there is may be sorted before it. False where
	 * changes may be seen late.
	 */
	datesAdvance: boolean;
	/** What exists at the beginning. */
	initial: Change[];
}

/** With a trigger, and what happens to them. */
export interface History extends AnyHistory {
	maxRecordsPerPoll: number;
	/** The most versions that are remembered one by one. */
	maxRemembered: number;
	steps: Step[];
}

/** A poll that is not disturbed but for what is given. */
export function poll(more: Partial<PollStep> = {}): PollStep {
	return { do: 'poll', pages: Infinity, faults: [], meanwhile: [], crash: false, ...more };
}

/** A history with nothing special about it but what is given. */
export function historyOf({
	traits,
	...more
}: Partial<Omit<History, 'traits'>> & { traits?: Partial<ServiceTraits> }): History {
	return {
		traits: { ...plainTraits, ...traits },
		event: 'recordUpdated',
		startFrom: 'now',
		maxRecordsPerPoll: 1_000,
		maxRemembered: 2_000,
		datesAdvance: false,
		initial: [],
		steps: [],
		...more,
	};
}
