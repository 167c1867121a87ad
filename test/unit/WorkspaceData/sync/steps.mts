import type { Change } from '../../shared/changes/change.mts';
import type { AnyHistory, Disturbances, SettingsStep } from '../../shared/changes/steps.mts';

/** One run of the workflow. */
export interface RunStep extends Disturbances {
	do: 'run';
	/**
	 * How the run ends. `arrives`: all changes are loaded into the destination and confirmed. `fails`: no change is
	 * loaded. `dies`: all changes are loaded, but n8n is killed before Confirm Changes runs. `stays`: a later step
	 * loads and confirms the changes, perhaps after other runs.
	 */
	end: 'arrives' | 'fails' | 'dies' | 'stays';
	/**
	 * Index of the file that n8n cannot store, from 0. It has no effect in a run with fewer files. The error becomes an
	 * item, and the workflow continues.
	 */
	unstored?: number;
}

/** One step of a history. */
export type Step = Change | SettingsStep | RunStep | { do: 'finish'; which: number };

/** A history of Sync: the parameters of the node, and the steps to play. */
export interface History extends AnyHistory {
	progress: 'confirmed' | 'given';
	outputAs: 'items' | 'batch' | 'ndjson';
	maxRecords?: number;
	recordsPerFile: number;
	steps: Step[];
}
