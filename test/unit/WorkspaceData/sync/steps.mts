import type { Change } from '../../shared/changes/change.mts';
import type { AnyHistory, Disturbances, PlaceStep } from '../../shared/changes/steps.mts';

/** One run of the workflow. */
export interface RunStep extends Disturbances {
	do: 'run';
	/**
	 * `arrives`: all is loaded and confirmed. `fails`: nothing is loaded. `dies`: all is loaded, and n8n is killed before
	 * it is confirmed. `stays`: loaded and confirmed by a later step, maybe after other runs.
	 */
	end: 'arrives' | 'fails' | 'dies' | 'stays';
	/** Which of its files n8n cannot store, if it gives so many: the error is an item, and the run goes on. */
	unstored?: number;
}

/** One thing that happens in a history. */
export type Step = Change | PlaceStep | RunStep | { do: 'finish'; which: number };

/** With a sync, and what happens to them. */
export interface History extends AnyHistory {
	progress: 'confirmed' | 'given';
	outputAs: 'items' | 'batch' | 'ndjson';
	maxRecords?: number;
	recordsPerFile: number;
	steps: Step[];
}
