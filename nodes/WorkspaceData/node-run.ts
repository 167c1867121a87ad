import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { ServiceFailure } from '../client/failures';
import { createNodeError, errorJson, needsDeveloperKey } from '../common/errors';
import { readObjectType } from '../common/choices';
import { readOptions, refusingNothing, trueOrFalse } from '../common/parameters';
import { needsRecordId, titleOf, type Operation } from './operation-row';
import { namesForV1 } from './operations';
import { ItemSessions } from './item-sessions';
import { isTool, type Task } from './task';

/** One run of the node: makes the tasks of its input items, and the errors of those that fail. */
export class NodeRun {
	readonly context: IExecuteFunctions;
	readonly operation: Operation;
	readonly items: INodeExecutionData[];
	/** True once a failure has ended the node: nobody gets what would be sent after it. */
	isOver = false;
	private readonly panel: readonly INodeProperties[];
	private readonly sessions: ItemSessions;
	private readonly fileNames = new Set<string>();
	/** n8n copies the whole node each time it is asked for it. */
	private readonly rawParameters: Task['rawParameters'];

	/** @param panel all parameters of the node, which errors call as the panel does */
	constructor(
		context: IExecuteFunctions,
		operation: Operation,
		panel: readonly INodeProperties[],
		readMaxConcurrent: () => number,
	) {
		this.context = context;
		this.operation = operation;
		this.panel = panel;
		this.items = context.getInputData();
		this.sessions = new ItemSessions(context, readMaxConcurrent);
		this.rawParameters = context.getNode().parameters;
	}

	/** An input item with its session. Throws CredentialProblem or InputProblem before any request is sent. */
	async taskOf(itemIndex: number, output: INodeExecutionData[] = []): Promise<Task> {
		const { context, operation, rawParameters, fileNames } = this;
		const item = this.items[itemIndex];
		const session = await this.sessions.of(itemIndex);
		const endpoint = operation.endpoints[session.credential.apiVersion];
		if (endpoint === undefined) throw needsDeveloperKey(titleOf(operation), namesForV1());
		const read = (name: string, fallback?: unknown): unknown =>
			context.getNodeParameter(name, itemIndex, fallback);
		const get = refusingNothing(read, rawParameters, this.panel);
		const ofRun = { context, operation, session, endpoint, rawParameters, fileNames, output };
		return { ...ofRun, itemIndex, item, get, options: readOptions(get) };
	}

	/**
	 * The error item of a failed input, with what the input holds where Include Input Fields is on. Throws the error where
	 * the node ends with it; a cancelled execution always does.
	 */
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
		const told = isTool(context) ? rest : { ...rest, message };
		const { json, binary } = this.includedInput(itemIndex);
		const item = { json: { ...json, ...told }, pairedItem: { item: itemIndex } };
		return markForErrorOutput(binary ? { ...item, binary } : item, nodeError, context);
	}

	/** Only this one option is read: another may be what is wrong with the item. */
	private includedInput(itemIndex: number): Partial<INodeExecutionData> {
		if (this.operation.kind !== 'call') return {};
		const isOn = this.tryToRead('options.includeInputFields', itemIndex, (value) =>
			trueOrFalse(value, 'Include Input Fields', false),
		);
		return isOn ? this.items[itemIndex] : {};
	}

	/** Undefined where this very parameter is what is wrong. */
	private tryToRead<T>(name: string, itemIndex: number, read: (value: unknown) => T) {
		try {
			return read(this.context.getNodeParameter(name, itemIndex, undefined));
		} catch {
			return undefined;
		}
	}

	/** The error that a user sees. */
	async explain(error: unknown, itemIndex: number) {
		const { context, operation, sessions } = this;
		const { kind, choosesObjectType, permission, endpoints } = operation;
		const isOnRecord = needsRecordId(operation);
		const opened = await sessions.of(itemIndex).catch(() => undefined);
		const apiVersion = opened?.credential.apiVersion;
		return createNodeError(error, {
			node: context.getNode(),
			itemIndex,
			apiVersion,
			permission: apiVersion && permission[apiVersion],
			secrets: sessions.secrets,
			operation: titleOf(operation),
			needsV2: endpoints.v1 === undefined,
			objectType: choosesObjectType && this.tryToRead('objectType', itemIndex, readObjectType),
			call: kind === 'call' ? (isOnRecord ? 'record' : 'data') : undefined,
			keepsOutput: context.continueOnFail(),
			messageAlone: isTool(context),
		});
	}
}

/**
 * Makes every version of n8n send an error item to the error output. Before some 2.x they did so only for an item
 * with an `error`, or whose json holds nothing but `error` and `message`; and an item that still has its `error`
 * afterwards loses its json. What n8n sends there is a copy, and a property that cannot be enumerated is not copied.
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
