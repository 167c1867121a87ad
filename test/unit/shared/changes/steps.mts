import type { Change } from './change.mts';
import { plainTraits, type ServiceTraits } from './service-traits.mts';

/** A step that concerns the credential, the Base URL, Filters or the package version of a checkpoint. */
export type PlaceStep =
	/** A poll or run uses another credential. */
	| { do: 'otherKey' }
	/** The same workspace moves to another Base URL. */
	| { do: 'moveAddress' }
	/** The user edits Filters. */
	| { do: 'editFilter' }
	/** Another version of the package writes the checkpoint. */
	| { do: 'otherVersion' };

/** Failing requests and record changes during a poll or run. */
export interface Disturbances {
	/** Whether each request fails, in the order of the requests. */
	faults: boolean[];
	/** Changes after each page, in the order of the pages. */
	meanwhile: Change[][];
}

export interface PollStep extends Disturbances {
	do: 'poll';
	/** Maximum number of pages before the time of the poll is up. */
	pages: number;
	/** Whether n8n crashes after it returned the records and before it stores the checkpoint. */
	crash: boolean;
}

/** One step of a random history: a change, a fault or a poll. */
export type Step = Change | PlaceStep | PollStep;

/** Members of all histories, of the trigger and of Sync: the service, the followed event and the start. */
export interface AnyHistory {
	traits: ServiceTraits;
	event: 'recordCreated' | 'recordUpdated';
	startFrom: 'now' | 'beginning' | 'date';
	/**
	 * Whether each change gets a newer date than all changes before. If not, changes can share the newest date or
	 * appear late.
	 */
	datesAdvance: boolean;
	/** Changes that create the initial records. */
	initial: Change[];
}

/** A history of the trigger. */
export interface History extends AnyHistory {
	maxRecordsPerPoll: number;
	/** Maximum number of versions that the checkpoint remembers individually. */
	maxRemembered: number;
	steps: Step[];
}

/** Returns a poll without disturbances, except for the given ones. */
export function poll(more: Partial<PollStep> = {}): PollStep {
	return { do: 'poll', pages: Infinity, faults: [], meanwhile: [], crash: false, ...more };
}

/** Returns a history with plain settings, except for the given ones. */
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
