import { readDataToSend } from '../../../../nodes/WorkspaceData/call/body.ts';
import { readCall, type ItemCall } from '../../../../nodes/WorkspaceData/call/call-parameters.ts';
import { rowOf, taskOf } from '../parameters-support.mts';

export const ENRICH = rowOf('company', 'enrich');
export const PROSPECT = rowOf('company', 'prospect');
export const SCORE_COMPANY = rowOf('company', 'score');
export const SCORE_DEAL = rowOf('deal', 'score');

/** What an input item asks for, and the body of that. */
export function read(
	values: Record<string, unknown>,
	operation = ENRICH,
	...more: [json?: Record<string, unknown>, expression?: string, nodeType?: string]
): ItemCall & { body: Record<string, unknown> } {
	const task = taskOf(values, operation, ...more);
	return { ...readCall(task), body: readDataToSend(task)?.body ?? {} };
}

/** Fields to Send with such fields. */
export const fieldsOf = (...values: unknown[]) => ({
	dataToSend: 'defineBelow',
	fields: { values },
});
/** JSON with such a text or value. */
export const jsonOf = (jsonBody: unknown) => ({ dataToSend: 'json', jsonBody });
