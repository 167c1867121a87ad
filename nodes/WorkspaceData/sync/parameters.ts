import { readChangesParameters } from '../../common/changes-options';
import { InputProblem } from '../../common/errors';
import {
	oneOf,
	optionalText,
	readOptions,
	wholeNumber,
	type GetParameter,
} from '../../common/parameters';
import { readFileParameters } from '../export/parameters';
import { readCheckpoint } from './checkpoint';

/** The checked parameters of Get Changes for one input item. */
export type SyncParameters = ReturnType<typeof readSyncParameters>;

/** Reads and checks the parameters of Get Changes. Throws as `readChangesParameters` does. */
export function readSyncParameters(get: GetParameter, timezone: string) {
	const options = readOptions(get);
	const outputs = ['items', 'batch', 'ndjson', 'csv'] as const;
	const outputAs = oneOf(get('outputAs', 'items'), 'Output As', outputs);
	const progress = oneOf(get('progress', 'confirmed'), 'Progress', ['confirmed', 'given']);
	const isGiven = progress === 'given';
	if (isGiven && outputAs === 'items') {
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
		checkpoint: isGiven ? readCheckpoint(get('checkpoint', '')) : undefined,
		syncName: isGiven ? undefined : optionalText(options.syncName, 'Sync Name'),
		maxRecords: most === undefined ? Infinity : wholeNumber(most, 'Max Records per Run', 1),
	};
}
