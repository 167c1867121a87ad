import { isObject, parseJson } from '../../shared/client/json';
import { readChangesParameters } from '../../shared/panel/changes-options';
import { InputProblem } from '../../shared/errors/node-errors';
import { oneOf } from '../../shared/errors/words';
import {
	choiceOf,
	isEmpty,
	optionalText,
	shown,
	wholeNumber,
} from '../../shared/panel/read-parameters';
import { readFileParameters } from '../export/file-options';
import type { Task } from '../task';
import * as offered from './sync-properties';

/** Checked parameters of Get Changes. */
export type SyncParameters = ReturnType<typeof readSyncParameters>;

/** Reads and checks the parameters of Get Changes. Throws InputProblem for invalid values. */
export function readSyncParameters(
	{ get, options }: Pick<Task, 'get' | 'options'>,
	timezone: string,
) {
	const outputAs = choiceOf(get, offered.outputAs);
	const progress = choiceOf(get, offered.progress);
	const isGiven = progress === 'given';
	if (isGiven && outputAs === 'items') {
		const fitting = offered.outputAs.options.filter(({ value }) => value !== 'items');
		throw new InputProblem(
			`Set 'Output As' to ${oneOf(fitting.map(({ name }) => name))}`,
			"With 'Progress: Use My Own Checkpoint', the checkpoint belongs to all records of the run together, so it cannot be returned with Items. To get items, add a Split Out node after Batch.",
		);
	}
	const most = options.maxRecords;
	return {
		...readChangesParameters(get, options, 'run', timezone),
		outputAs,
		files: readFileParameters(get, options, outputAs),
		progress,
		checkpoint: isGiven ? readCheckpoint(get('checkpoint', '')) : undefined,
		syncName: isGiven ? undefined : optionalText(options.syncName, 'Sync Name'),
		maxRecords: most === undefined ? Infinity : wholeNumber(most, 'Limit', 1),
	};
}

/**
 * Returns the checkpoint of an earlier run as an object, or undefined if it is empty. Accepts JSON text, or an object,
 * for example from a JSON column. Throws InputProblem for other values.
 */
function readCheckpoint(value: unknown): unknown {
	const given = typeof value === 'string' ? value.trim() : value;
	if (isEmpty(given)) return undefined;
	const found = typeof given === 'string' ? parseJson(given) : given;
	if (isObject(found)) return found;
	throw new InputProblem(
		"'Checkpoint' must be the whole checkpoint of an earlier run",
		`It is ${shown(value)}. Use the field checkpoint of the last batch or file, or leave it empty to start.`,
	);
}
