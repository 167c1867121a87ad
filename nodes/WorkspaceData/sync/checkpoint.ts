// nodes/WorkspaceData/sync/: Get Changes and Confirm Changes: every run gives what changed since the last one.

import type { State } from '../../changes/state';
import { isObject, parseJson } from '../../client/envelope';
import { InputProblem } from '../../common/errors';
import { shown } from '../../common/parameters';

/** A place in the list, as text that any program can keep: JSON without a secret or a record, under 64 KB. */
export function checkpointOf(state: State): string {
	return JSON.stringify(state);
}

/**
 * Reads the parameter Checkpoint: what an earlier run gave, as text or, from a column of JSON, as an object.
 *
 * @returns what is to be read as a state; undefined for the start
 * @throws InputProblem for what no run can have given
 */
export function readCheckpoint(value: unknown): unknown {
	if (value === undefined || value === null) return undefined;
	const text = typeof value === 'string' ? value.trim() : undefined;
	if (text === '') return undefined;
	const found = text === undefined ? value : parseJson(text);
	if (isObject(found)) return found;
	throw new InputProblem(
		'Checkpoint must be the whole checkpoint of an earlier run',
		`It is ${shown(value)}. Use the field "checkpoint" of the last batch or file, or leave it empty to start.`,
	);
}
