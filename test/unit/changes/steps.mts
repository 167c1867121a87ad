import type { Change } from './change.mts';
import { plainTraits, type ServiceTraits } from './service-traits.mts';

/** What happens to what a place belongs to. */
export type PlaceStep = {
	/**
	 * `otherKey`: a poll or run with the key of another workspace. `moveAddress`: the same workspace at another Base URL.
	 * `editFilter`: other Additional Parameters. `otherVersion`: another version of the package has written the state.
	 */
	do: 'otherKey' | 'moveAddress' | 'editFilter' | 'otherVersion';
};

/** One thing that happens in a history. */
export type Step =
	| Change
	/** n8n is stopped, or killed, and started again. */
	| { do: 'restart' }
	| PlaceStep
	| {
			do: 'poll';
			/** The most pages before the time is up. */
			pages: number;
			/** Which requests fail. */
			faults: boolean[];
			/** Changes after the first page, after the second and so on. */
			meanwhile: Change[][];
			/** n8n is killed after it gave out the records and before it saved the state, or polls once more from the same state. */
			crash: boolean | 'again';
	  };

/** A service, a trigger, and what happens to them. */
export interface History {
	traits: ServiceTraits;
	event: 'recordCreated' | 'recordUpdated';
	startFrom: 'now' | 'beginning' | 'date';
	/** Whether n8n saves the state of polls that give out nothing (durable cursors) or only keeps it in memory. */
	durable: boolean;
	maxRecordsPerPoll: number;
	/** The most versions that are remembered one by one. */
	mostRemembered: number;
	/** Whether every change gets a date of its own; one with the newest date there is may be sorted before it. */
	datesAdvance: boolean;
	initial: Change[];
	steps: Step[];
}

export type PollStep = Step & { do: 'poll' };

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
		durable: true,
		maxRecordsPerPoll: 1_000,
		mostRemembered: 2_000,
		datesAdvance: false,
		initial: [],
		steps: [],
		...more,
	};
}
