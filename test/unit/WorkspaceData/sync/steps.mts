import type { Change } from '../../changes/change.mts';
import type { ServiceTraits } from '../../changes/service-traits.mts';
import type { PlaceStep } from '../../changes/steps.mts';

/** One run of the workflow. */
export interface RunStep {
	do: 'run';
	/** Which requests fail. */
	faults: boolean[];
	/** Changes after the first page, after the second and so on. */
	meanwhile: Change[][];
	/**
	 * `arrives`: all is loaded and confirmed. `fails`: nothing is loaded. `dies`: all is loaded, and n8n is killed before
	 * it is confirmed. `stays`: loaded and confirmed by a later step, maybe after other runs.
	 */
	end: 'arrives' | 'fails' | 'dies' | 'stays';
}

/** One thing that happens in a history. */
export type Step = Change | PlaceStep | RunStep | { do: 'finish'; which: number };

/** A service, a sync, and what happens to them. */
export interface History {
	traits: ServiceTraits;
	event: 'recordCreated' | 'recordUpdated';
	startFrom: 'now' | 'beginning' | 'date';
	progress: 'confirmed' | 'given';
	outputAs: 'items' | 'batch' | 'ndjson';
	maxRecords?: number;
	recordsPerFile: number;
	datesAdvance: boolean;
	initial: Change[];
	steps: Step[];
}
