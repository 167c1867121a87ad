import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { isCancelled } from '../client/failures';
import { createNodeError, errorJson, needsDeveloperKey } from '../common/errors/node-errors';
import { readObjectType } from '../common/panel/choices';
import {
	readOptions,
	refusingNothing,
	trueOrFalse,
	type GetParameter,
} from '../common/panel/parameters';
import type { Session } from '../common/session/session';
import { MissingFields } from './hints';
import { ItemSessions } from './item-sessions';
import { enteredIn, titleOf, type Endpoint, type Operation } from './operation-row';
import { namesForV1 } from './operations';
import { memoryOf } from './run-memory';

/** One input item on its way through an operation. */
export interface Task {
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
	/** As the user wrote them, expressions unresolved. */
	rawParameters: Readonly<Record<string, unknown>>;
	/** A runner adds results as they come, so that what was read before a failure is kept. */
	output: INodeExecutionData[];
	/** Of the whole run, so that no two are alike. */
	fileNames: Set<string>;
	/** Of the whole run: what the records of one input item lack, those of another may have. */
	missing: MissingFields;
}

/** Does the work of one kind of operation for one input item. */
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

/** One run of the node: makes the tasks of its input items, and the errors of those that fail. */
export class NodeRun {
	readonly context: IExecuteFunctions;
	readonly operation: Operation;
	readonly items: INodeExecutionData[];
	/** Aborted once a failure has ended the node: nobody gets what would be sent after it. */
	readonly over = new AbortController();
	private readonly panel: readonly INodeProperties[];
	private readonly sessions: ItemSessions;
	readonly missing = new MissingFields();
	private readonly fileNames = new Set<string>();
	/** n8n copies the whole node each time it is asked for it. */
	private readonly rawParameters: Task['rawParameters'];

	/** @param panel all parameters of the node, which errors call as the panel does */
	constructor(
		context: IExecuteFunctions,
		operation: Operation,
		panel: readonly INodeProperties[],
		maxConcurrent: number,
	) {
		this.context = context;
		this.operation = operation;
		this.panel = panel;
		this.items = context.getInputData();
		memoryOf(context).beginTry();
		this.sessions = new ItemSessions(context, maxConcurrent, this.over.signal);
		this.rawParameters = context.getNode().parameters;
	}

	/** An input item with its session. Throws CredentialProblem or InputProblem before any request is sent. */
	async taskOf(itemIndex: number, output: INodeExecutionData[] = []): Promise<Task> {
		const { context, operation, rawParameters, fileNames, missing } = this;
		const item = this.items[itemIndex];
		const session = await this.sessions.of(itemIndex);
		const endpoint = operation.endpoints[session.credential.apiVersion];
		if (endpoint === undefined) throw needsDeveloperKey(titleOf(operation), namesForV1());
		const read = (name: string, fallback?: unknown): unknown =>
			context.getNodeParameter(name, itemIndex, fallback);
		const get = refusingNothing(read, rawParameters, this.panel);
		const ofItem = { context, operation, session, endpoint, rawParameters, output };
		const ofRun = { fileNames, missing };
		return { ...ofItem, ...ofRun, itemIndex, item, get, options: readOptions(get) };
	}

	/** The error item of a failed input. Throws where the node ends with the error; a cancelled execution always does. */
	async errorItem(error: unknown, itemIndex: number): Promise<INodeExecutionData> {
		const { context } = this;
		const nodeError = await this.explain(error, itemIndex);
		if (isCancelled(error) || !context.continueOnFail()) {
			this.over.abort();
			throw nodeError;
		}
		const { message, ...rest } = errorJson(nodeError);
		// What a model gets says everything once; people get the fix beside what happened.
		const told = isTool(context) ? rest : { ...rest, message };
		const { json, binary } = this.includedInput(itemIndex);
		const item = { json: { ...json, ...told }, pairedItem: { item: itemIndex } };
		return markForErrorOutput(binary ? { ...item, binary } : item, nodeError, context);
	}

	/** Only this one parameter is read: another may be what is wrong with the item. */
	private includedInput(itemIndex: number): Partial<INodeExecutionData> {
		if (this.operation.kind !== 'call') return {};
		const read = (value: unknown): boolean => trueOrFalse(value, 'Include Input Fields', false);
		const isOn = this.tryToRead('includeInputFields', itemIndex, read);
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

	async explain(error: unknown, itemIndex: number) {
		const { context, operation, sessions } = this;
		const { choosesObjectType, permission, endpoints } = operation;
		const opened = await sessions.of(itemIndex).catch(() => undefined);
		const apiVersion = opened?.credential.apiVersion;
		return createNodeError(error, {
			node: context.getNode(),
			itemIndex,
			apiVersion,
			permission: apiVersion && permission[apiVersion],
			secrets: memoryOf(context).secrets,
			operation: titleOf(operation),
			needsV2: endpoints.v1 === undefined,
			objectType: choosesObjectType && this.tryToRead('objectType', itemIndex, readObjectType),
			values: enteredIn(operation),
			keepsOutput: context.continueOnFail(),
			messageAlone: isTool(context),
		});
	}
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
