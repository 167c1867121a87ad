import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Session } from '../common/session';
import type { Endpoint, Operation } from './operation';
import type { GetParameter } from '../common/parameters';

/** One input item on its way through an operation. */
export interface Task {
	context: IExecuteFunctions;
	operation: Operation;
	session: Session;
	itemIndex: number;
	item: INodeExecutionData;
	/** Throws InputProblem for a parameter or option whose expression gives nothing. */
	get: GetParameter;
	/** The node's parameters as the user wrote them, expressions unresolved. */
	written: Readonly<Record<string, unknown>>;
	/** Where results go, in order. A runner adds them as they come, so that what was read before a failure is kept. */
	output: INodeExecutionData[];
	/** The names of the files of this run, so that no two are alike. */
	fileNames: Set<string>;
}

/** Does the work of one kind of operation for one input item. */
export type Runner = (task: Task) => Promise<void>;

/** The endpoint for the credential's API version; `assertVersion` has checked that there is one. */
export function endpointOf({ operation, session }: Task): Endpoint {
	const endpoint = operation.endpoints[session.credential.apiVersion];
	if (endpoint === undefined)
		throw new RangeError('The operation has no endpoint for this version');
	return endpoint;
}

/** An answer as item json: an object as it is, anything else under `data`. */
export function asJson(value: unknown): INodeExecutionData['json'] {
	const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value);
	return (isPlain ? value : { data: value }) as INodeExecutionData['json'];
}

/** n8n runs a node as a tool either as a node of its own type (with "Tool" at the end) or through its tool wrapper. */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool') || context.isToolExecution?.() === true;
}
