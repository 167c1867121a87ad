import type { IExecuteFunctions } from 'n8n-workflow';
import { InputProblem } from '../../../nodes/shared/errors/node-errors.ts';
import { readOptions } from '../../../nodes/shared/panel/read-parameters.ts';
import type { Operation } from '../../../nodes/WorkspaceData/operation-row.ts';
import { findOperation } from '../../../nodes/WorkspaceData/operations.ts';
import { NodeRun } from '../../../nodes/WorkspaceData/node-run.ts';
import type { Task } from '../../../nodes/WorkspaceData/task.ts';
import { thrown } from '../thrown.mts';

/** Returns the row of an operation in the operations table. Throws an error if the operation does not exist. */
export function rowOf(resource: string, operation: string): Operation {
	const row = findOperation(resource, operation);
	if (row === undefined) throw new Error(`no operation ${resource}:${operation}`);
	return row;
}

const NODE = { name: 'Node', type: 'workspaceData', parameters: {} };

/** Creates an attempt of a node run with these functions of n8n. `before` is the earlier attempt of the same run. */
export function nodeRunOf(
	context: object = {},
	operation = rowOf('company', 'enrich'),
	before?: NodeRun,
) {
	const functions = { getInputData: () => [], getNode: () => NODE, ...context };
	return new NodeRun(functions as unknown as IExecuteFunctions, operation, before);
}

/** Returns a function that reads these parameter values as n8n does: a missing parameter has the fallback value. */
export function panel(
	values: Record<string, unknown>,
): (name: string, fallback?: unknown) => unknown {
	return (name, fallback) => (Object.hasOwn(values, name) ? values[name] : fallback);
}

/**
 * Returns the task of an input item with these parameter values. `expression` names a parameter that is an expression.
 */
export function taskOf(
	values: Record<string, unknown>,
	operation: Operation,
	json: Record<string, unknown> = {},
	expression?: string,
	type = 'workspaceData',
): Task {
	return {
		context: { getTimezone: () => 'UTC', getNode: () => ({ type }) },
		operation,
		session: { credentialScope: 'session' },
		endpoint: operation.endpoints.v2,
		itemIndex: 0,
		item: { json },
		get: panel(values),
		options: readOptions(panel(values)),
		nodeRun: { rawParameters: expression === undefined ? {} : { [expression]: '={{ 1 }}' } },
	} as unknown as Task;
}

/** Returns the InputProblem that a function throws. */
export const problemOf = (work: () => unknown): InputProblem => thrown(InputProblem, work);
