import { readDataToSend } from '../../../../nodes/WorkspaceData/call/body.ts';
import { readCall, type ItemCall } from '../../../../nodes/WorkspaceData/call/call-parameters.ts';
import { rowOf, taskOf } from '../parameters-support.mts';

export const ENRICH = rowOf('company', 'enrich');
export const PROSPECT = rowOf('company', 'prospect');
export const SCORE_COMPANY = rowOf('company', 'score');
export const SCORE_DEAL = rowOf('deal', 'score');

/** Returns the call that the node sends for an input item, with the body of the request as `body`. */
export function read(
	values: Record<string, unknown>,
	operation = ENRICH,
	...more: [json?: Record<string, unknown>, expression?: string, nodeType?: string]
): ItemCall & { body: Record<string, unknown> } {
	const task = taskOf(values, operation, ...more);
	return { ...readCall(task), body: readDataToSend(task)?.body ?? {} };
}

/** Returns parameters with these Fields to Send. */
export const fieldsOf = (...values: unknown[]) => ({
	dataToSend: 'defineBelow',
	fields: { values },
});
/** Returns parameters that send this JSON text or object. */
export const jsonOf = (jsonBody: unknown) => ({ dataToSend: 'json', jsonBody });
