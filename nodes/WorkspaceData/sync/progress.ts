import type { IExecuteFunctions } from 'n8n-workflow';

import type { State } from '../../changes/state';
import { noteRead } from './executions';

/** What a run has come to. */
export interface Reached {
	state: State;
	/** Records that came out: they are lost if they do not arrive and the place has moved. */
	records: number;
	/** The items that they came out in. */
	items: number;
}

/** Where the place of a sync is kept between two runs. */
export interface Progress {
	/** What is remembered, as it was found; undefined for nothing. */
	stored: unknown;
	/** Remembers what this run has come to. */
	keep: (reached: Reached) => Promise<void>;
}

/** The place is given with each run, and the new one comes out with the records: the caller keeps it. */
export function givenProgress(context: IExecuteFunctions, checkpoint: unknown): Progress {
	return {
		stored: checkpoint,
		keep: async ({ records, items }) => noteRead(context, 'given', { owner: null, records, items }),
	};
}
