import type { Change } from './change.mts';
import { plainTraits, type ServiceTraits } from './service-traits.mts';

/** A change of the credential, the Base URL, Filters, or the package version that wrote the checkpoint. */
export type SettingsStep =
	/** A poll or run tries to use the checkpoint with another credential. */
	| { do: 'otherKey' }
	/** The workspace moves to a different Base URL. */
	| { do: 'moveAddress' }
	/** The user edits Filters. */
	| { do: 'editFilter' }
	/** Another version of the package has written the checkpoint. */
	| { do: 'otherVersion' };

/** Requests that fail and records that change during a poll of the trigger or a run of Sync. */
export interface Disturbances {
	/** Whether each request fails, in the order of the requests. */
	faults: boolean[];
	/** Changes to make after each page, in the order of the pages. */
	meanwhile: Change[][];
}

/** A poll of the trigger, as one step of a history (a list of steps). */
export interface PollStep extends Disturbances {
	do: 'poll';
	/** Number of pages after which the poll has used up its time. */
	pages: number;
	/** Whether n8n crashes after the poll has returned its records, but before n8n stores the checkpoint. */
	crash: boolean;
}

/** One step of a history (a list of steps): a change of the service, a change of the settings, or a poll. */
export type Step = Change | SettingsStep | PollStep;

/**
 * Common members of all histories, for the trigger and for Sync. A history is a list of steps, together with the
 * simulated service and the settings.
 */
export interface AnyHistory {
	traits: ServiceTraits;
	event: 'recordCreated' | 'recordUpdated';
	startFrom: 'now' | 'beginning' | 'date';
	/**
	 * Whether each change gets a newer date than all earlier changes. Otherwise, several changes can have the newest
	 * date, and changes can appear late.
	 */
	datesAdvance: boolean;
	/** Changes that create the initial records. */
	initial: Change[];
}

/** A history of the trigger: a list of steps, together with the simulated service and the settings. */
export interface History extends AnyHistory {
	maxRecordsPerPoll: number;
	/** Maximum number of record versions that the checkpoint remembers after the high-water mark. */
	maxRemembered: number;
	steps: Step[];
}

/** Returns a poll step. By default, nothing fails or changes during the poll, and its time is unlimited. */
export function poll(more: Partial<PollStep> = {}): PollStep {
	return { do: 'poll', pages: Infinity, faults: [], meanwhile: [], crash: false, ...more };
}

/** Returns a history (a list of steps with settings) with the given members. Missing members get default values. */
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
