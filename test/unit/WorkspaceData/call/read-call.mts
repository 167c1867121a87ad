import { readDataToSend } from '../../../../nodes/WorkspaceData/call/body.ts';
import { readCall, type ItemCall } from '../../../../nodes/WorkspaceData/call/parameters.ts';
import type { Task } from '../../../../nodes/WorkspaceData/task.ts';
import { panel, rowOf } from '../parameters-support.mts';

export const ENRICH = rowOf('company', 'enrich');
export const PROSPECT = rowOf('company', 'prospect');
export const SCORE_COMPANY = rowOf('company', 'score');
export const SCORE_DEAL = rowOf('deal', 'score');

export const session = { key: 'payer', credential: { apiVersion: 'v2' } };

/** An input item of a node whose panel holds these values, one of them made by an expression. */
export function taskOf(
	values: Record<string, unknown>,
	operation = ENRICH,
	json: Record<string, unknown> = {},
	expression?: string,
): Task {
	const written = expression === undefined ? {} : { [expression]: '={{ 1 }}' };
	const item = { json };
	return { get: panel(values), operation, item, written, session, itemIndex: 0 } as unknown as Task;
}

/** What it asks for, and the body of that. */
export function read(
	...values: Parameters<typeof taskOf>
): ItemCall & { body: Record<string, unknown> } {
	const task = taskOf(...values);
	return { ...readCall(task), body: readDataToSend(task) };
}

/** Define Below with such fields. */
export const fieldsOf = (...values: unknown[]) => ({
	dataToSend: 'defineBelow',
	fields: { values },
});
/** JSON with such a text or value. */
export const jsonOf = (jsonBody: unknown) => ({ dataToSend: 'json', jsonBody });
