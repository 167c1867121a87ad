import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { createNodeError, errorJson, InputProblem } from '../common/errors';
import { ServiceFailure } from '../client/failures';
import { runPool } from './call/pool';
import type { Session } from '../common/session';
import { kindOf, titleOf, type Operation } from './operation';
import { findOperation } from './operations';
import { runCall } from './call/run';
import { markForErrorOutput } from './error-output';
import { LeftUnsent, paidCallsOf, type PaidCalls } from './call/paid-calls';
import { isPreview, previewOf } from './call/preview';
import { runList } from './list/run';
import { ResultTotals } from './call/result-totals';
import { confirmChanges } from './sync/confirm';
import { runSync } from './sync/run';
import { runRead } from './whoAmI/run';
import { isTool, type Runner, type Task } from './task';
import { openOperationSession } from './open-session';

const RUNNERS: Record<Exclude<ReturnType<typeof kindOf>, 'confirm'>, Runner> = {
	list: runList,
	changes: runSync,
	call: runCall,
	read: runRead,
};

/** One execution of the node. */
interface Execution {
	context: IExecuteFunctions;
	operation: Operation;
	/** Opens the session at the first call and gives the same one, or the same failure, at each. */
	session: () => Promise<Session>;
	/** Undefined until the session is open. */
	opened?: Session;
	calls: PaidCalls;
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
	const kind = kindOf(operation);
	const session = lazy(
		async () => (execution.opened = await openOperationSession(context, operation)),
	);
	const calls = paidCallsOf(context, operation);
	const totals = new ResultTotals();
	const execution: Execution = { context, operation, session, calls, totals, isOver: false };
	if (kind === 'confirm') return [await runConfirm(execution)];
	if (kind !== 'call') {
		const output: INodeExecutionData[] = [];
		for (const [itemIndex, item] of context.getInputData().entries()) {
			await runItem(execution, itemIndex, item, output);
		}
		return [output];
	}
	return [isPreview(context) ? await runPreview(execution) : await runCalls(execution)];
}

/** Calls run several at once; what they cost is told under the output. */
async function runCalls(execution: Execution): Promise<INodeExecutionData[]> {
	const { context, operation, session, calls, totals } = execution;
	const items = context.getInputData();
	const { pace } = await session().catch(() => ({ pace: { concurrency: 1 } }));
	const results: INodeExecutionData[][] = items.map(() => []);
	await runPool(
		items.length,
		() => pace.concurrency,
		async (index) => await runItem(execution, index, items[index], results[index]),
	);
	for (const index of calls.left) {
		const problem = calls.leftProblem(context.continueOnFail());
		results[index].push(errorItem(problem, execution, index));
	}
	const hints = [
		totals.hint(operation.name),
		operation.repeat === 'billed' ? calls.hint(items.length) : undefined,
	];
	for (const message of hints) {
		// n8n versions before hints lack the function.
		if (message !== undefined) context.addExecutionHints?.({ message, location: 'outputPane' });
	}
	const output: INodeExecutionData[] = [];
	for (const result of results) for (const item of result) output.push(item);
	return output;
}

/** Once for all of the input, and without a session: the service is not asked. */
async function runConfirm(execution: Execution): Promise<INodeExecutionData[]> {
	try {
		return await confirmChanges(execution.context);
	} catch (error) {
		return [errorItem(error, execution, 0)];
	}
}

/** One item that says what would be sent. */
async function runPreview(execution: Execution): Promise<INodeExecutionData[]> {
	try {
		const opened = await execution.session();
		const items = execution.context.getInputData();
		const json = previewOf(
			items.map((item, index) => taskOf(execution, opened, index, item, [])),
			async (error, index) => nodeErrorOf(error, execution, index),
		);
		return [{ json: await json, pairedItem: items.map((_, item) => ({ item })) }];
	} catch (error) {
		return [errorItem(error, execution, 0)];
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
		await run(taskOf(execution, await execution.session(), itemIndex, item, output));
	} catch (error) {
		// Given up because of another item's failure, which is the one to tell.
		if (execution.isOver && isCancelled(error)) return;
		// Those are told of once it is known how many they are.
		if (!(error instanceof LeftUnsent)) output.push(errorItem(error, execution, itemIndex));
	}
}

function taskOf(
	execution: Execution,
	session: Session,
	itemIndex: number,
	item: INodeExecutionData,
	output: INodeExecutionData[],
): Task {
	const { context, operation, calls, totals } = execution;
	const get = (name: string, fallback?: unknown): unknown =>
		context.getNodeParameter(name, itemIndex, fallback);
	const isWanted = (): boolean => !execution.isOver;
	return { context, operation, session, calls, totals, itemIndex, item, get, output, isWanted };
}

function isCancelled(error: unknown): boolean {
	return error instanceof ServiceFailure && error.kind === 'cancelled';
}

/** The error item of a failed input, or a throw where the execution must stop: a cancelled one always does. */
function errorItem(error: unknown, execution: Execution, itemIndex: number): INodeExecutionData {
	const { context } = execution;
	const nodeError = nodeErrorOf(error, execution, itemIndex);
	if (isCancelled(error) || !context.continueOnFail()) {
		execution.isOver = true;
		throw nodeError;
	}
	const { message, ...rest } = errorJson(nodeError);
	// What a model gets says everything once; people get the fix beside what happened.
	const json = isTool(context) ? rest : { ...rest, message };
	return markForErrorOutput({ json, pairedItem: { item: itemIndex } }, nodeError, context);
}

function nodeErrorOf(
	error: unknown,
	{ context, operation, opened }: Execution,
	itemIndex: number,
): NodeApiError | NodeOperationError {
	const credential = opened?.credential;
	return createNodeError(error, {
		node: context.getNode(),
		itemIndex,
		apiVersion: credential?.apiVersion,
		permission: credential && operation.permission[credential.apiVersion],
		secrets: credential?.secrets ?? [],
		operation: titleOf(operation),
		keepsOutput: context.continueOnFail(),
		messageAlone: isTool(context),
	});
}

/** Does the work at the first call and gives the same result, or the same failure, at each one. */
function lazy<T>(work: () => Promise<T>): () => Promise<T> {
	let result: Promise<T> | undefined;
	return async () => await (result ??= work());
}
