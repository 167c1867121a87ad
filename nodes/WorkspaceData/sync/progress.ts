import type { TriggerState } from '../../changes/state';

/** What a run has come to. */
export interface Reached {
	state: TriggerState;
	/** True when records came out, which are lost if they do not arrive and the place has moved. */
	hasRecords: boolean;
}

/** Where the place of a sync is kept between two runs. */
export interface Progress {
	/** What is remembered, as it was found; undefined for nothing. */
	stored: unknown;
	/** Remembers what this run has come to. */
	keep: (reached: Reached) => Promise<void>;
}

/** The place is given with each run, and the new one comes out with the records: whoever runs this keeps it. */
export function givenProgress(checkpoint: unknown): Progress {
	return { stored: checkpoint, keep: async () => undefined };
}
