import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { resultOf } from '../client/envelope';
import { ServiceFailure } from '../client/failures';
import { createNodeError, errorJson, InputProblem } from '../common/errors';
import { readObjectType } from '../common/object-type';
import { labelsOf, readOptions, refusingNothing } from '../common/parameters';
import { readRequestLimits } from '../common/request-options';
import { readOutput } from './answer';
import type { CallRun } from './call/plan';
import { runCalls } from './call/run-calls';
import { runList } from './list/run';
import { operationKind, titleOf, type Operation } from './operation';
import { findOperation } from './operations';
import { properties } from './properties';
import { sessionsFor } from './sessions';
import { confirmChanges } from './sync/confirm';
import { runSync } from './sync/run';
import { asJson, endpointOf, isTool, markForErrorOutput, type Runner, type Task } from './task';

const LABELS = labelsOf(properties);

/** Work that is done for one input item after the other. */
const RUNNERS: Record<'list' | 'changes' | 'read', Runner> = {
	list: runList,
	changes: runSync,
	read: runRead,
};

/**
 * Runs the chosen operation for every input item and returns the results in the order of the input. Calls run several
 * at once; lists one after the other, since one list alone keeps the service busy. Under "Continue" a failed item gives
 * an error item and the others continue; otherwise the first failure ends the node.
 *
 * @throws NodeApiError or NodeOperationError with the index of the item that failed
 */
export async function executeOperation(
	context: IExecuteFunctions,
): Promise<INodeExecutionData[][]> {
	const execution = new Execution(context, chosenOperation(context));
	const kind = operationKind(execution.operation);
	if (kind === 'call') return [await runCalls(execution)];
	if (kind === 'confirm') return [await execution.confirm()];
	return [await execution.runEach(RUNNERS[kind])];
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

class Execution implements CallRun {
	readonly context: IExecuteFunctions;
	readonly operation: Operation;
	private readonly sessions: ReturnType<typeof sessionsFor>;
	private readonly fileNames = new Set<string>();
	/** n8n copies the whole node each time it is asked for it. */
	private readonly written: Task['written'];
	private readonly items: INodeExecutionData[];
	/** True once a failure has ended the node: nobody gets what would be sent after it. */
	private isOver = false;

	constructor(context: IExecuteFunctions, operation: Operation) {
		this.context = context;
		this.operation = operation;
		this.sessions = sessionsFor(context, operation);
		this.written = context.getNode().parameters;
		this.items = context.getInputData();
	}

	/** Once for all of the input, and without a session: the service is not asked. */
	async confirm(): Promise<INodeExecutionData[]> {
		try {
			return await confirmChanges(this.context);
		} catch (error) {
			return [await this.errorItem(error, 0)];
		}
	}

	async runEach(run: Runner): Promise<INodeExecutionData[]> {
		const output: INodeExecutionData[] = [];
		for (const index of this.items.keys()) {
			try {
				await run(await this.taskOf(index, output));
			} catch (error) {
				output.push(await this.errorItem(error, index));
			}
		}
		return output;
	}

	isWanted(): boolean {
		return !this.isOver;
	}

	async taskOf(itemIndex: number, output: INodeExecutionData[] = []): Promise<Task> {
		const { context, operation, written, fileNames } = this;
		const session = await this.sessions.of(itemIndex);
		const read = (name: string, fallback?: unknown): unknown =>
			context.getNodeParameter(name, itemIndex, fallback);
		const get = refusingNothing(read, written, LABELS);
		const item = this.items[itemIndex];
		return { context, operation, session, itemIndex, item, get, written, output, fileNames };
	}

	/** A cancelled execution always ends with its error. */
	async errorItem(error: unknown, itemIndex: number): Promise<INodeExecutionData> {
		const { context } = this;
		const nodeError = await this.explain(error, itemIndex);
		const isCancelled = error instanceof ServiceFailure && error.kind === 'cancelled';
		if (isCancelled || !context.continueOnFail()) {
			this.isOver = true;
			throw nodeError;
		}
		const { message, ...rest } = errorJson(nodeError);
		// What a model gets says everything once; people get the fix beside what happened.
		const json = isTool(context) ? rest : { ...rest, message };
		return markForErrorOutput({ json, pairedItem: { item: itemIndex } }, nodeError, context);
	}

	async explain(error: unknown, itemIndex: number): Promise<NodeApiError | NodeOperationError> {
		const { context, operation, sessions } = this;
		const opened = await sessions.of(itemIndex).catch(() => undefined);
		const apiVersion = opened?.credential.apiVersion;
		return createNodeError(error, {
			node: context.getNode(),
			itemIndex,
			apiVersion,
			permission: apiVersion && operation.permission[apiVersion],
			secrets: sessions.secrets,
			operation: titleOf(operation),
			needsV2: operation.endpoints.v1 === undefined,
			objectType: this.objectTypeOf(itemIndex),
			keepsOutput: context.continueOnFail(),
			messageAlone: isTool(context),
		});
	}

	/** For the words of an error; undefined where the error is about this very parameter. */
	private objectTypeOf(itemIndex: number): string | undefined {
		if (!this.operation.choosesObjectType) return undefined;
		try {
			return readObjectType(this.context.getNodeParameter('objectType', itemIndex));
		} catch {
			return undefined;
		}
	}
}

/** Who Am I: one request without parameters, one item. */
async function runRead(task: Task): Promise<void> {
	const { session, operation, itemIndex } = task;
	session.throwIfCancelled();
	const options = readOptions(task.get);
	const output = readOutput(options, ['result', 'response']);
	const limits = readRequestLimits(options, operation.timeoutMs);
	const { body } = await session.client({ ...endpointOf(task), risk: operation.repeat }, limits);
	const json = asJson(output === 'response' ? body : resultOf(body));
	task.output.push({ json, pairedItem: { item: itemIndex } });
}
