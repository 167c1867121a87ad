import { beginLate, create, tick } from '../../shared/changes/change.mts';
import type { History, RunStep } from './steps.mts';

const run = (more: Partial<RunStep> = {}): RunStep => ({
	...{ do: 'run', faults: [], meanwhile: [], end: 'arrives', unstored: undefined, ...more },
});

/**
 * Histories (sequences of changes and runs) that failed once. Random generation rarely produces them, so the test plays
 * them first.
 */
export const foundHistories: readonly History[] = [
	// The first run, with Start From: Now, returned its last file before it had read the end of the list. Later runs
	// then used a stored cursor that still showed the list as it was at the first page.
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
