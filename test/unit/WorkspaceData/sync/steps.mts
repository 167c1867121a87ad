import type { Change } from '../../shared/changes/change.mts';
import type { AnyHistory, Disturbances, PlaceStep } from '../../shared/changes/steps.mts';

/** One run of the workflow. */
export interface RunStep extends Disturbances {
	do: 'run';
	/**
	 * `arrives`: all changes are loaded and confirmed. `fails`: no change is loaded. `dies`: all changes are loaded,
	 * and n8n is killed before Confirm Changes runs. `stays`: a later step loads and confirms the changes, perhaps
	 * after other runs.
	 */
	end: 'arrives' | 'fails' | 'dies' | 'stays';
	/**
	 * Index of the file that n8n cannot store, if the run has so many files. The error becomes an item, and the run
	 * continues.
	 */
	unstored?: number;
}

/** One step of a history. */
export type Step = Change | PlaceStep | RunStep | { do: 'finish'; which: number };

/** A history of Sync. */
export interface History extends AnyHistory {
	progress: 'confirmed' | 'given';
	outputAs: 'items' | 'batch' | 'ndjson';
	maxRecords?: number;
	recordsPerFile: number;
	steps: Step[];
}
