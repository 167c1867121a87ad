import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isCancelled } from '../shared/client/failures';
import { createNodeError, errorJson, endpointFor } from '../shared/errors/node-errors';
import { refusingMistakes } from '../shared/panel/raw-parameters';
import { readObjectType } from '../shared/panel/object-type';
import { readOptions, trueOrFalse, type GetParameter } from '../shared/panel/read-parameters';
import type { Session } from '../shared/session/session';
import { enteredIn, titleOf, type Endpoint, type Operation } from './operation-row';
import { properties } from './node-properties';
import type { NodeRun } from './node-run';

/** One input item, with everything that an operation needs to process it. */
export interface Task {
	nodeRun: NodeRun;
	context: IExecuteFunctions;
	operation: Operation;
	session: Session;
	/** Endpoint of the operation for the API version of the session's credential. */
	endpoint: Endpoint;
	itemIndex: number;
	item: INodeExecutionData;
	/** Reads a parameter of this input item. Throws InputProblem, for example if an expression returns nothing. */
	get: GetParameter;
	options: Record<string, unknown>;
	/** Output items for this input item. Runners add each result at once, so that a later failure does not lose it. */
	output: INodeExecutionData[];
}

/** Runs an operation for one input item, and adds the results to the output of the task. */
export type Runner = (task: Task) => Promise<void>;

/** Adds values to the output as items, each paired with the input item. */
export function putOut({ output, itemIndex }: Task, values: readonly object[]): void {
	const pairedItem = { item: itemIndex };
	// Call push() once per record, because spreading about 130,000 records into one push() overflows the stack.
	for (const json of values as Array<INodeExecutionData['json']>) output.push({ json, pairedItem });
}

/** Checks whether an AI agent runs the node as a tool: its type ends with "Tool", or n8n marks the run as such. */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool') || context.isToolExecution?.() === true;
}

/** Creates the task of an input item. Throws CredentialProblem or InputProblem before any request is sent. */
export async function taskOf(
	nodeRun: NodeRun,
	itemIndex: number,
	output: INodeExecutionData[] = [],
): Promise<Task> {
	const { context, operation, rawParameters } = nodeRun;
	const session = await nodeRun.sessionOf(itemIndex);
	const { apiVersion } = session.credential;
	const endpoint = endpointFor(titleOf(operation), operation.endpoints, apiVersion);
	const read = (name: string, fallback?: unknown): unknown =>
		context.getNodeParameter(name, itemIndex, fallback);
	const evaluate = (expression: string) => context.evaluateExpression(expression, itemIndex);
	const get = refusingMistakes(read, rawParameters, properties, evaluate);
	const itemMembers = { itemIndex, item: nodeRun.items[itemIndex], get, options: readOptions(get) };
	return { nodeRun, context, operation, session, endpoint, output, ...itemMembers };
}

/**
 * Returns the output item for a failed input item. If the node stops on errors, or the execution was cancelled, cancels
 * the other requests of the run and throws the error instead.
 */
export async function errorItem(
	nodeRun: NodeRun,
	error: unknown,
	itemIndex: number,
): Promise<INodeExecutionData> {
	const { context } = nodeRun;
	const nodeError = await explainFor(nodeRun, error, itemIndex);
	if (isCancelled(error) || !context.continueOnFail()) {
		nodeRun.end();
		throw nodeError;
	}
	const { message, ...rest } = errorJson(nodeError);
	// Leave out `message` in an AI tool, because `error` already contains the whole text there.
	const fields = isTool(context) ? rest : { ...rest, message };
	const { json, binary } = includedInput(nodeRun, itemIndex);
	const item = { json: { ...json, ...fields }, pairedItem: { item: itemIndex } };
	return markForErrorOutput(binary ? { ...item, binary } : item, nodeError, context);
}

/** Returns the input item if Include Input Fields is on. Reads no other parameter, because others may be invalid. */
function includedInput(nodeRun: NodeRun, itemIndex: number): Partial<INodeExecutionData> {
	if (nodeRun.operation.kind !== 'call') return {};
	const read = (value: unknown): boolean => trueOrFalse(value, 'Include Input Fields', false);
	const isOn = tryToRead(nodeRun, 'includeInputFields', itemIndex, read);
	return isOn ? nodeRun.items[itemIndex] : {};
}

function tryToRead<T>(
	{ context }: NodeRun,
	name: string,
	itemIndex: number,
	read: (value: unknown) => T,
) {
	try {
		return read(context.getNodeParameter(name, itemIndex, undefined));
	} catch {
		return undefined;
	}
}

/** Returns the error of an input item as an error of n8n, with a text for the user. */
export async function explainFor(nodeRun: NodeRun, error: unknown, itemIndex: number) {
	const { context, operation, secrets, paidCalls } = nodeRun;
	const { choosesObjectType, fixedFields, permission, kind } = operation;
	const type = kind === 'list' ? fixedFields?.object_type : undefined;
	const session = await nodeRun.sessionOf(itemIndex).catch(() => undefined);
	const apiVersion = session?.credential.apiVersion;
	return createNodeError(error, {
		node: context.getNode(),
		itemIndex,
		apiVersion,
		permission: apiVersion && permission[apiVersion],
		secrets,
		operation: titleOf(operation),
		objectType: choosesObjectType
			? tryToRead(nodeRun, 'objectType', itemIndex, readObjectType)
			: type,
		isFixedType: type !== undefined,
		values: enteredIn(operation),
		othersAnswered: paidCalls.answered > 0,
		// Sync loses no records after an error, because the next run returns unconfirmed records again.
		keepsOutput: kind === 'changes' || context.continueOnFail(),
		isFollowed: kind === 'changes',
		messageAlone: isTool(context),
	});
}

/**
 * Marks an error item so that every version of n8n sends it to the error output. Some versions need a member `error`,
 * but also overwrite the item's json with it. So `error` is not enumerable: n8n's copy of the item then lacks it, and
 * keeps its json.
 */
export function markForErrorOutput(
	item: INodeExecutionData,
	error: Error,
	context: IExecuteFunctions,
): INodeExecutionData {
	if (context.getNode().onError !== 'continueErrorOutput') return item;
	// Do not mark the item if there is no previous node. n8n does not copy the item then, and would replace its json.
	if (context.getExecuteData().source === null) return item;
	return Object.defineProperty(item, 'error', { value: error, enumerable: false });
}
