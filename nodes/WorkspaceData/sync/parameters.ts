import { readChangesParameters, type ChangesParameters } from '../../common/changes-options';
import { InputProblem } from '../../common/errors';
import {
	oneOf,
	optionalText,
	readOptions,
	wholeNumber,
	type GetParameter,
} from '../../common/parameters';
import { readFileParameters, type FileParameters } from '../export/parameters';
import { readCheckpoint } from './checkpoint';

/** The checked parameters of Get Changes for one input item. */
export interface SyncParameters extends ChangesParameters {
	outputAs: 'items' | 'batch' | 'ndjson' | 'csv';
	/** For `ndjson` and `csv` only. */
	files?: FileParameters;
	/** Who keeps the place from one run to the next; see `properties.ts`. */
	progress: 'confirmed' | 'given';
	/** For `given` only: what the user gave; undefined for the start. */
	checkpoint?: unknown;
	/** What the place is kept under, in the place of the node. */
	syncName?: string;
	/** Most records of one run; Infinity for all. */
	maxRecords: number;
}

/**
 * Reads and checks the parameters of Get Changes.
 *
 * @param timezone of the workflow
 * @throws InputProblem naming the parameter and the fix, before any request is sent
 */
export function readSyncParameters(get: GetParameter, timezone: string): SyncParameters {
	const options = readOptions(get);
	const outputs = ['items', 'batch', 'ndjson', 'csv'] as const;
	const outputAs = oneOf(get('outputAs', 'items'), 'Output As', outputs);
	const progress = oneOf(get('progress', 'confirmed'), 'Progress', ['confirmed', 'given']);
	if (progress === 'given' && outputAs === 'items') {
		throw new InputProblem(
			'Set Output As to Batch, NDJSON Files or CSV Files',
			'With Progress "Use My Own Checkpoint", the new checkpoint belongs to all records of the run together, so Items have no place for it. To get items, add a Split Out node after Batch.',
		);
	}
	const isFiles = outputAs === 'ndjson' || outputAs === 'csv';
	const most = options.maxRecords;
	return {
		...readChangesParameters(get, { startFrom: 'beginning', timezone }),
		outputAs,
		files: isFiles ? readFileParameters(options, outputAs) : undefined,
		progress,
		...(progress === 'given'
			? { checkpoint: readCheckpoint(get('checkpoint', '')) }
			: { syncName: optionalText(options.syncName, 'Sync Name') }),
		maxRecords: most === undefined ? Infinity : wholeNumber(most, 'Max Records per Run', 1),
	};
}
