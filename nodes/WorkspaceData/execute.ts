import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isCancelled } from '../shared/client/failures';
import type { RateLimiter } from '../shared/client/rate-limiter';
import { createNodeError, InputProblem } from '../shared/errors/node-errors';
import { trueOrFalse } from '../shared/panel/read-parameters';
import { readRequestLimits } from '../shared/panel/request-options';
import { contextOfQuery } from '../shared/session/session';
import { runCalls } from './call/run-calls';
import { hintOnFiles } from './list/list-hints';
import { runList } from './list/run-list';
import { runPool } from './pool';
import { titleOf, type Operation } from './operation-row';
import { findOperation } from './operations';
import { ResponsesToItems } from './response-to-items';
import { dataOfAllAttempts, NodeRun } from './node-run';
import { confirmChanges } from './sync/confirm';
import { runSync } from './sync/get-changes';
import { errorItem, isTool, taskOf, type Runner } from './task';
import { isInLoop } from './wiring';

/** Runs Who Am I: sends one request without parameters, and returns one item. */
const runRead: Runner = async (task) => {
	const { nodeRun, session, operation, endpoint, options, itemIndex, output } = task;
	const form = { isFull: trueOrFalse(options.fullResponse, 'Full API Response', false) };
	const limits = readRequestLimits(options, operation.timeoutMs);
	const response = await session.client({ ...endpoint, repeat: operation.repeat }, limits);
	output.push(...new ResponsesToItems(nodeRun).itemsOf(response, form, itemIndex));
};

/** Value for Resource and Operation that n8n adds for credentials of HTTP Request. The node cannot run it. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** Functions that process one input item, by kind of operation. */
const RUNNERS = { list: runList, changes: runSync, read: runRead };

/** The latest attempt of each node run. An entry is freed together with n8n's object for the run. */
const lastRuns = new WeakMap<object, NodeRun>();

/** Runs the chosen operation for all items: several calls or lists at once, syncs and exports to files in turn. */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const operation = await chosenOperation(this);
	const runData = dataOfAllAttempts(this);
	const nodeRun = new NodeRun(this, operation, lastRuns.get(runData));
	lastRuns.set(runData, nodeRun);
	const output = await outputOf(nodeRun);
	nodeRun.hintAtEnd();
	if (output.length > 0) return [output];
	if (!isTool(this)) {
		hintOnEmptyOutput(nodeRun);
		return [output];
	}
	// Without an item, the model would receive an empty text.
	const result = `${titleOf(operation)} found nothing`;
	return [[{ json: { result }, pairedItem: { item: 0 } }]];
}

/** Returns the output of all input items, in their order. */
async function outputOf(nodeRun: NodeRun): Promise<INodeExecutionData[]> {
	const { kind } = nodeRun.operation;
	if (kind === 'call') return await runCalls(nodeRun);
	// Runs once for all input items and needs no session, because it sends no request.
	if (kind === 'confirm')
		return await confirmChanges(nodeRun).catch(async (error) => [
			await errorItem(nodeRun, error, 0),
		]);
	const outputs = nodeRun.items.map((): INodeExecutionData[] => []);
	/** Processes one input item. */
	const work = async (index: number): Promise<void> => {
		try {
			await RUNNERS[kind](await taskOf(nodeRun, index, outputs[index]));
		} catch (error) {
			// The failure of another item ended the node and cancelled this list. Report only that failure.
			if (nodeRun.hasEnded && isCancelled(error)) return;
			outputs[index].push(await errorItem(nodeRun, error, index));
		}
	};
	await runPool(outputs.length, await limitersOf(nodeRun), work, nodeRun.signal);
	const output = outputs.flat();
	hintOnFiles(nodeRun, output);
	return output;
}

/** Maximum number of lists that are read at the same time, one for each input item. */
const LISTS_AT_ONCE = 5;
/** Returns a limiter for one item after the other. A run must not share it, because runPool() changes it. */
const oneAtOnce = () => [{ concurrency: 1, onRoom: (): void => {} }];

/** Returns the limiters for parallel input items. Exports run one by one, so that memory holds one file at a time. */
async function limitersOf(
	nodeRun: NodeRun,
): Promise<Array<Pick<RateLimiter, 'concurrency' | 'onRoom'>>> {
	const { operation, items, rawParameters } = nodeRun;
	const isShort = ['items', 'pages'].includes(String(rawParameters.outputAs ?? 'items'));
	if (operation.kind !== 'list' || items.length === 1 || !isShort) return oneAtOnce();
	const limiters = new Set<RateLimiter>();
	for (const index of items.keys()) {
		// taskOf() reports an invalid credential as the error of its item.
		const session = await nodeRun.sessionOf(index).catch(() => undefined);
		if (session) limiters.add(session.rateLimiter);
	}
	for (const limiter of limiters) limiter.allow(LISTS_AT_ONCE);
	return limiters.size > 0 ? [...limiters] : oneAtOnce();
}

async function chosenOperation(context: IExecuteFunctions): Promise<Operation> {
	const { parameters } = context.getNode();
	// n8n does not resolve an expression here, and then hides all other parameters of the operation.
	const hasExpression = [parameters.resource, parameters.operation].some((value) =>
		/^=|\{\{/.test(String(value)),
	);
	let message = "'Resource' and 'Operation' cannot be expressions";
	let description = 'Choose both in this node. For several operations, use a node for each.';
	if ([parameters.resource, parameters.operation].includes(CUSTOM_API_CALL)) {
		message = 'For a custom API call, use the HTTP Request node';
		description =
			"There, set 'Authentication' to Predefined Credential Type and 'Credential Type' to Workspace Data API. It uses the same credential.";
	} else if (!hasExpression) {
		const resource = context.getNodeParameter('resource', 0);
		const name = context.getNodeParameter('operation', 0);
		const operation = findOperation(resource, name);
		if (operation !== undefined) return operation;
		message = `The operation "${name}" does not exist for the resource "${resource}"`;
		description = "Choose 'Resource' and 'Operation' again in this node.";
	}
	throw createNodeError(new InputProblem(message, description), await contextOfQuery(context));
}

/** Shows a hint if the node returned nothing inside a loop, because that ends the loop. */
function hintOnEmptyOutput(nodeRun: NodeRun): void {
	const { context } = nodeRun;
	if (context.getNode().alwaysOutputData === true || !isInLoop(context)) return;
	nodeRun.hint(
		'The node returned no items, so the nodes after it do not run, and a loop ends here. To go on anyway, turn on Always Output Data in Settings.',
	);
}
