import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { createNodeError, errorJson, InputProblem } from '../common/errors';
import { ServiceFailure } from '../client/failures';
import { readObjectType } from '../common/object-type';
import { labelsOf, withoutNothing } from '../common/parameters';
import { kindOf, titleOf, type Operation } from './operation';
import { findOperation } from './operations';
import { runCalls, type CallRun } from './call/run-calls';
import { markForErrorOutput } from './error-output';
import { runList } from './list/run';
import { properties } from './properties';
import { confirmChanges } from './sync/confirm';
import { runSync } from './sync/run';
import { runRead } from './whoAmI/run';
import { isTool, type Runner, type Task } from './task';
import { Sessions } from './open-session';

const LABELS = labelsOf(properties);

const RUNNERS: Record<Exclude<ReturnType<typeof kindOf>, 'call' | 'confirm'>, Runner> = {
	list: runList,
	changes: runSync,
	read: runRead,
};

/** One execution of the node. */
interface Execution {
	context: IExecuteFunctions;
	operation: Operation;
	sessions: Sessions;
	fileNames: Set<string>;
	/** True once a failure has ended the node: nobody gets what is not sent by then. */
	isOver: boolean;
	/** The node's parameters, expressions unresolved. n8n copies the whole node each time it is asked for it. */
	written: Task['written'];
}

/**
 * Runs the chosen operation for every input item and puts out the results in the order of the input. Calls run
 * several at once; lists one after the other, since one list alone keeps the service busy. Under "Continue" a failed
 * item gives an error item and the others go on; otherwise the first failure ends the node.
 *
 * @throws NodeApiError or NodeOperationError with the index of the item that failed
 */
export async function executeOperation(
	context: IExecuteFunctions,
): Promise<INodeExecutionData[][]> {
	const operation = chosenOperation(context);
	const kind = kindOf(operation);
	const sessions = new Sessions(context, operation);
	const { parameters: written } = context.getNode();
	const fileNames = new Set<string>();
	const execution: Execution = {
		context,
		operation,
		sessions,
		fileNames,
		isOver: false,
		written,
	};
	if (kind === 'confirm') return [await runConfirm(execution)];
	if (kind === 'call') return [await runCalls(callRunOf(execution))];
	const output: INodeExecutionData[] = [];
	for (const [itemIndex, item] of context.getInputData().entries()) {
		await runItem(execution, itemIndex, item, output);
	}
	return [output];
}

function callRunOf(execution: Execution): CallRun {
	const { context, operation } = execution;
	const items = context.getInputData();
	return {
		context,
		operation,
		taskOf: async (index) => await taskOf(execution, index, items[index], []),
		explain: async (error, index) => await nodeErrorOf(error, execution, index),
		errorItem: async (error, index) => await errorItem(error, execution, index),
		isWanted: () => !execution.isOver,
	};
}

/** Once for all of the input, and without a session: the service is not asked. */
async function runConfirm(execution: Execution): Promise<INodeExecutionData[]> {
	try {
		return await confirmChanges(execution.context);
	} catch (error) {
		return [await errorItem(error, execution, 0)];
	}
}

function chosenOperation(context: IExecuteFunctions): Operation {
	const resource = context.getNodeParameter('resource', 0);
	const name = context.getNodeParameter('operation', 0);
	const operation = findOperation(resource, name);
	if (operation === undefined) {
		throw createNodeError(
			new InputProblem(
				`The operation "${name}" does not exist for the resource "${resource}"`,
				'Choose Resource and Operation again in this node.',
			),
			{ node: context.getNode(), secrets: [] },
		);
	}
	return operation;
}

async function runItem(
	execution: Execution,
	itemIndex: number,
	item: INodeExecutionData,
	output: INodeExecutionData[],
): Promise<void> {
	try {
		const run = RUNNERS[kindOf(execution.operation) as keyof typeof RUNNERS];
		await run(await taskOf(execution, itemIndex, item, output));
	} catch (error) {
		output.push(await errorItem(error, execution, itemIndex));
	}
}

async function taskOf(
	execution: Execution,
	itemIndex: number,
	item: INodeExecutionData,
	output: INodeExecutionData[],
): Promise<Task> {
	const { context, operation, sessions, written, fileNames } = execution;
	const session = await sessions.of(itemIndex);
	const read = (name: string, fallback?: unknown): unknown =>
		context.getNodeParameter(name, itemIndex, fallback);
	const get = withoutNothing(read, written, LABELS);
	return { context, operation, session, itemIndex, item, get, written, output, fileNames };
}

function isCancelled(error: unknown): boolean {
	return error instanceof ServiceFailure && error.kind === 'cancelled';
}

/** The error item of a failed input, or a throw where the execution must stop: a cancelled one always does. */
async function errorItem(
	error: unknown,
	execution: Execution,
	itemIndex: number,
): Promise<INodeExecutionData> {
	const { context } = execution;
	const nodeError = await nodeErrorOf(error, execution, itemIndex);
	if (isCancelled(error) || !context.continueOnFail()) {
		execution.isOver = true;
		throw nodeError;
	}
	const { message, ...rest } = errorJson(nodeError);
	// What a model gets says everything once; people get the fix beside what happened.
	const json = isTool(context) ? rest : { ...rest, message };
	return markForErrorOutput({ json, pairedItem: { item: itemIndex } }, nodeError, context);
}

async function nodeErrorOf(
	error: unknown,
	execution: Execution,
	itemIndex: number,
): Promise<NodeApiError | NodeOperationError> {
	const { context, operation, sessions } = execution;
	const opened = await sessions.of(itemIndex).catch(() => undefined);
	const credential = opened?.credential;
	return createNodeError(error, {
		node: context.getNode(),
		itemIndex,
		apiVersion: credential?.apiVersion,
		permission: credential && operation.permission[credential.apiVersion],
		secrets: sessions.secrets,
		operation: titleOf(operation),
		needsV2: operation.endpoints.v1 === undefined,
		objectType: objectTypeOf(execution, itemIndex),
		keepsOutput: context.continueOnFail(),
		messageAlone: isTool(context),
	});
}

/** For the words of an error; undefined where the error is about this very parameter. */
function objectTypeOf({ context, operation }: Execution, itemIndex: number): string | undefined {
	if (!operation.choosesObjectType) return undefined;
	try {
		return readObjectType(context.getNodeParameter('objectType', itemIndex));
	} catch {
		return undefined;
	}
}
