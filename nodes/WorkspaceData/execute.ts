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
import { isInLoop } from './workflow-graph';

/** Runs the operation Who Am I, which sends one request without parameters and returns one item. */
const runRead: Runner = async (task) => {
	const { nodeRun, session, operation, endpoint, options, itemIndex, output } = task;
	const form = { isFull: trueOrFalse(options.fullResponse, 'Full API Response', false) };
	const limits = readRequestLimits(options, operation.timeoutMs);
	const response = await session.client({ ...endpoint, repeat: operation.repeat }, limits);
	output.push(...new ResponsesToItems(nodeRun).itemsOf(response, form, itemIndex));
};

/** Value of the choice Custom API Call, which n8n adds to Resource and Operation. The node cannot run this choice. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** Functions that process one input item, by kind of operation. */
const RUNNERS = { list: runList, changes: runSync, read: runRead };

/** Latest attempt of each node run. The key is n8n's data object for the run. A WeakMap frees finished runs. */
const lastRuns = new WeakMap<object, NodeRun>();

/** Runs the chosen operation for all input items. Calls and lists run in parallel, syncs and exports one by one. */
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
	// Return an item to an AI model, because the model would receive an empty text if there were no item.
	const result = `${titleOf(operation)} found nothing`;
	return [[{ json: { result }, pairedItem: { item: 0 } }]];
}

/** Returns the output of all input items, in their order. */
async function outputOf(nodeRun: NodeRun): Promise<INodeExecutionData[]> {
	const { kind } = nodeRun.operation;
	if (kind === 'call') return await runCalls(nodeRun);
	// Confirm Changes runs once for all input items. It needs no session, because it sends no request.
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
			// Do not report this cancelled item. The failure of another item has ended the node and is reported.
			if (nodeRun.hasEnded && isCancelled(error)) return;
			outputs[index].push(await errorItem(nodeRun, error, index));
		}
	};
	await runPool(outputs.length, await limitersOf(nodeRun), work, nodeRun.signal);
	const output = outputs.flat();
	hintOnFiles(nodeRun, output);
	return output;
}

/** Maximum number of lists to read in parallel. The node reads one list for each input item. */
const LISTS_AT_ONCE = 5;
/** Returns a limiter for one item at a time. Each run needs a new limiter, because runPool() changes the object. */
const oneAtOnce = () => [{ concurrency: 1, onSlotFreed: (): void => {} }];

/** Returns the limiters for parallel input items. Exports run one by one, so that memory holds only one file. */
async function limitersOf(
	nodeRun: NodeRun,
): Promise<Array<Pick<RateLimiter, 'concurrency' | 'onSlotFreed'>>> {
	const { operation, items, rawParameters } = nodeRun;
	const isShort = ['items', 'pages'].includes(String(rawParameters.outputAs ?? 'items'));
	if (operation.kind !== 'list' || items.length === 1 || !isShort) return oneAtOnce();
	const limiters = new Set<RateLimiter>();
	for (const index of items.keys()) {
		// Ignore an invalid credential here, because taskOf() reports it as the error of its input item.
		const session = await nodeRun.sessionOf(index).catch(() => undefined);
		if (session) limiters.add(session.rateLimiter);
	}
	for (const limiter of limiters) limiter.allow(LISTS_AT_ONCE);
	return limiters.size > 0 ? [...limiters] : oneAtOnce();
}

async function chosenOperation(context: IExecuteFunctions): Promise<Operation> {
	const { parameters } = context.getNode();
	// n8n does not resolve expressions in Resource or Operation, and then hides all other parameters.
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

/** Shows a hint if the node is in a loop and returned no items, because n8n then ends the loop. */
function hintOnEmptyOutput(nodeRun: NodeRun): void {
	const { context } = nodeRun;
	if (context.getNode().alwaysOutputData === true || !isInLoop(context)) return;
	nodeRun.hint(
		'The node returned no items, so the nodes after it do not run, and a loop ends here. To go on anyway, turn on Always Output Data in Settings.',
	);
}
