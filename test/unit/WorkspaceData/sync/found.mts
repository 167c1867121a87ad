import { beginLate, create, tick } from '../../shared/changes/change.mts';
import type { History, RunStep } from './steps.mts';

const run = (more: Partial<RunStep> = {}): RunStep => ({
	...{ do: 'run', faults: [], meanwhile: [], end: 'arrives', unstored: undefined, ...more },
});

/** Histories that failed once, too rare to be met with the usual seed: the test of the model begins with them. */
export const foundHistories: readonly History[] = [
	// The last file of a start came before the end of the list was read, and a stored cursor shows the list as it was.
	{
		datesAdvance: false,
		traits: {
			...{ ids: 'none', dateFormat: 'http', resolutionMs: 1_000, undated: undefined },
			...{ cursors: 'frozen', refusal: 401, silentPageCap: 2, fixedPageSize: 3 },
			...{ rejectPageSizeAbove: undefined, extraRecords: 0, emptyPages: { count: 1, at: 0 } },
			...{ total: undefined, trailingCursor: 'toEmpty', pageSize: [2, 5, 9] },
			...{ lookbackMs: 0, clockAheadMs: 0 },
		},
		event: 'recordUpdated',
		startFrom: 'now',
		initial: [create(22), tick(3)],
		progress: 'given',
		outputAs: 'ndjson',
		maxRecords: undefined,
		recordsPerFile: 1,
		steps: [
			run({ meanwhile: [[create(1)]] }),
			run(),
			run({ meanwhile: [[beginLate(111)]] }),
			run(),
		],
	},
];
