import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { createNodeError, errorJson, InputProblem } from '../common/errors';
import { ServiceFailure } from '../client/failures';
import { runPool } from './call/pool';
import type { Session } from '../common/session';
import { kindOf, titleOf, type Operation } from './operation';
import { findOperation } from './operations';
import { runCall } from './call/run';
import { markForErrorOutput } from './error-output';
import { IdenticalRequests } from './call/identical';
import { runList } from './list/run';
import { ResultTotals } from './call/result-totals';
import { runRead } from './whoAmI/run';
import type { Runner } from './task';
import { openOperationSession } from './open-session';

const RUNNERS: Record<ReturnType<typeof kindOf>, Runner> = {
	list: runList,
	call: runCall,
	read: runRead,
};

/** One execution of the node. */
interface Execution {
	context: IExecuteFunctions;
	operation: Operation;
	/** Opens the session at the first call and gives the same one, or the same failure, at each. */
	session: () => Promise<Session>;
	identical: IdenticalRequests;
	totals: ResultTotals;
	/** True once a failure has ended the node: nobody gets what is not sent by then. */
	isOver: boolean;
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
	const items = context.getInputData();
	const session = lazy(async () => await openOperationSession(context, operation));
	const totals = new ResultTotals();
	const execution: Execution = {
		context,
		operation,
		session,
		identical: new IdenticalRequests(),
		totals,
		isOver: false,
	};
	const output: INodeExecutionData[] = [];
	if (kindOf(operation) !== 'call') {
		for (const [itemIndex, item] of items.entries()) {
			await runItem(execution, itemIndex, item, output);
		}
		return [output];
	}
	const { pace } = await session().catch(() => ({ pace: { concurrency: 1 } }));
	const results: INodeExecutionData[][] = items.map(() => []);
	await runPool(
		items.length,
		() => pace.concurrency,
		async (index) => await runItem(execution, index, items[index], results[index]),
	);
	for (const result of results) for (const item of result) output.push(item);
	const message = totals.hint(operation.name);
	// n8n versions before hints lack the function.
	if (message !== undefined) context.addExecutionHints?.({ message, location: 'outputPane' });
	return [output];
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
	const { context, operation, session, identical, totals } = execution;
	const get = (name: string, fallback?: unknown): unknown =>
		context.getNodeParameter(name, itemIndex, fallback);
	try {
		const run = RUNNERS[kindOf(operation)];
		await run({
			context,
			operation,
			session: await session(),
			identical,
			totals,
			itemIndex,
			item,
			get,
			output,
			isWanted: () => !execution.isOver,
		});
	} catch (error) {
		// Given up because of another item's failure, which is the one to tell.
		if (execution.isOver && isCancelled(error)) return;
		output.push(await errorItem(error, execution, itemIndex));
	}
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
	const { context, operation, session } = execution;
	const credential = await session().then(
		(opened) => opened.credential,
		() => undefined,
	);
	const forModel = isTool(context);
	const nodeError = createNodeError(error, {
		node: context.getNode(),
		itemIndex,
		apiVersion: credential?.apiVersion,
		permission: credential && operation.permission[credential.apiVersion],
		secrets: credential?.secrets ?? [],
		operation: titleOf(operation),
		keepsOutput: context.continueOnFail(),
		forModel,
	});
	if (isCancelled(error) || !context.continueOnFail()) {
		execution.isOver = true;
		throw nodeError;
	}
	const { message, ...rest } = errorJson(nodeError);
	// What a model gets says everything once; people get the fix beside what happened.
	const json = forModel ? rest : { ...rest, message };
	return markForErrorOutput({ json, pairedItem: { item: itemIndex } }, nodeError, context);
}

/** n8n runs a node as a tool either as a node of its own type (with "Tool" at the end) or through its tool wrapper. */
function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool') || context.isToolExecution?.() === true;
}

/** Does the work at the first call and gives the same result, or the same failure, at each one. */
function lazy<T>(work: () => Promise<T>): () => Promise<T> {
	let result: Promise<T> | undefined;
	return async () => await (result ??= work());
}
