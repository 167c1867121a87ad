import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

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

/** The endpoint for the credential's API version: `sessionsFor` opens none for a version that the operation lacks. */
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

/**
 * Makes every version of n8n send an error item to the error output. Before some 2.x they did so only for an item
 * with an `error`, or whose json holds nothing but `error` and `message`; and an item that still has its `error`
 * afterwards loses its json. What n8n sends there is a copy, and a property that cannot be enumerated is not copied.
 *
 * @param item changed and given back
 */
export function markForErrorOutput(
	item: INodeExecutionData,
	error: NodeApiError | NodeOperationError,
	context: IExecuteFunctions,
): INodeExecutionData {
	if (context.getNode().onError !== 'continueErrorOutput') return item;
	// Where no node comes before this one, n8n sends the item itself.
	if (context.getExecuteData().source === null) return item;
	return Object.defineProperty(item, 'error', { value: error, enumerable: false });
}

/**
 * Adds what has become of the other items to the error that ends the node.
 *
 * @param error one of this package's node errors; changed and given back
 */
export function withRemark(error: unknown, remark: string): unknown {
	const nodeError = error as NodeApiError | NodeOperationError;
	const { message, description } = nodeError;
	if (remark === '') return error;
	// A model gets the message alone.
	if (description) nodeError.description = `${description} ${remark}`;
	else nodeError.message = `${message.replace(/\.$/, '')}. ${remark}`;
	return error;
}
