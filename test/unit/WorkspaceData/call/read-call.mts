import {
	readCallParameters,
	type CallParameters,
} from '../../../../nodes/WorkspaceData/call/parameters.ts';
import { panel, rowOf } from '../parameters-support.mts';

export const ENRICH = rowOf('company', 'enrich');
export const PROSPECT = rowOf('company', 'prospect');
export const SCORE_COMPANY = rowOf('company', 'score');
export const SCORE_DEAL = rowOf('deal', 'score');

/** Reads the parameters of a node whose panel holds these values. */
export function read(
	values: Record<string, unknown>,
	operation = ENRICH,
	inputJson: Record<string, unknown> = {},
	expression?: string,
): CallParameters {
	return readCallParameters(panel(values), operation, inputJson, (name) => name === expression);
}

/** Define Below with such fields. */
export const fieldsOf = (...values: unknown[]) => ({
	dataToSend: 'defineBelow',
	fields: { values },
});
/** JSON with such a text or value. */
export const jsonOf = (jsonBody: unknown) => ({ dataToSend: 'json', jsonBody });
