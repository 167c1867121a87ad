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

/** One input item on its way through an operation. */
export interface Task {
	nodeRun: NodeRun;
	context: IExecuteFunctions;
	operation: Operation;
	session: Session;
	/** What to call with the session's kind of credential. */
	endpoint: Endpoint;
	itemIndex: number;
	item: INodeExecutionData;
	/** Throws InputProblem where an expression gives nothing. */
	get: GetParameter;
	options: Record<string, unknown>;
	/** A runner adds results as they come, so that what was read before a failure is kept. */
	output: INodeExecutionData[];
}

export type Runner = (task: Task) => Promise<void>;

/** Adds items to the output of an input item. */
export function putOut({ output, itemIndex }: Task, values: readonly object[]): void {
	const pairedItem = { item: itemIndex };
	// One push per record: spreading a page into push() overflows the stack at about 130,000 records.
	for (const json of values as Array<INodeExecutionData['json']>) output.push({ json, pairedItem });
}

/** n8n runs a node as a tool either as a node of its own type (with "Tool" at the end) or through its tool wrapper. */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool') || context.isToolExecution?.() === true;
}

/** An input item with its session. Throws CredentialProblem or InputProblem before any request is sent. */
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
	const ofItem = { itemIndex, item: nodeRun.items[itemIndex], get, options: readOptions(get) };
	return { nodeRun, context, operation, session, endpoint, output, ...ofItem };
}

/** The error item of a failed input. Throws where the node ends with the error; a cancelled execution always does. */
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
	// What a model gets says everything once; people get the fix beside what happened.
	const fields = isTool(context) ? rest : { ...rest, message };
	const { json, binary } = includedInput(nodeRun, itemIndex);
	const item = { json: { ...json, ...fields }, pairedItem: { item: itemIndex } };
	return markForErrorOutput(binary ? { ...item, binary } : item, nodeError, context);
}

/** Only this one parameter is read: another may be what is wrong with the item. */
function includedInput(nodeRun: NodeRun, itemIndex: number): Partial<INodeExecutionData> {
	if (nodeRun.operation.kind !== 'call') return {};
	const read = (value: unknown): boolean => trueOrFalse(value, 'Include Input Fields', false);
	const isOn = tryToRead(nodeRun, 'includeInputFields', itemIndex, read);
	return isOn ? nodeRun.items[itemIndex] : {};
}

/** Undefined where this very parameter is what is wrong. */
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

/** The error of an input item, as a user sees it. */
export async function explainFor(nodeRun: NodeRun, error: unknown, itemIndex: number) {
	const { context, operation, secrets, paidCalls } = nodeRun;
	const { choosesObjectType, fixedFields, permission, kind } = operation;
	const type = kind === 'list' ? fixedFields?.object_type : undefined;
	const opened = await nodeRun.sessionOf(itemIndex).catch(() => undefined);
	const apiVersion = opened?.credential.apiVersion;
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
		// What Sync has read, and nothing has confirmed, comes again.
		keepsOutput: kind === 'changes' || context.continueOnFail(),
		isFollowed: kind === 'changes',
		messageAlone: isTool(context),
	});
}

/**
 * Makes every version of n8n send an error item to the error output: some want an `error` on it, yet drop the json of
 * an item that still has it there. n8n passes on a copy without non-enumerable members.
 */
export function markForErrorOutput(
	item: INodeExecutionData,
	error: Error,
	context: IExecuteFunctions,
): INodeExecutionData {
	if (context.getNode().onError !== 'continueErrorOutput') return item;
	// Where no node comes before this one, n8n sends the item itself.
	if (context.getExecuteData().source === null) return item;
	return Object.defineProperty(item, 'error', { value: error, enumerable: false });
}
