import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { createNodeError, InputProblem } from '../shared/errors/node-errors';
import { trueOrFalse } from '../shared/panel/read-parameters';
import { readRequestLimits } from '../shared/panel/request-options';
import { contextOfQuery } from '../shared/session/session';
import { runCalls } from './call/run-calls';
import { runList } from './list/run-list';
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

/** What n8n adds to Resource and Operation of a node whose credential HTTP Request offers. Not for a node to do. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** One input item after the other. */
const RUNNERS = { list: runList, changes: runSync, read: runRead };

/** The last try of each run of the node. Freed with the objects of n8n that they belong to. */
const lastRuns = new WeakMap<object, NodeRun>();

/** Runs the chosen operation for all items: calls several at once, lists in turn, since one keeps the service busy. */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const operation = await chosenOperation(this);
	const ofAllTries = dataOfAllAttempts(this);
	const nodeRun = new NodeRun(this, operation, lastRuns.get(ofAllTries));
	lastRuns.set(ofAllTries, nodeRun);
	const output = await outputOf(nodeRun);
	nodeRun.hintAtEnd();
	if (output.length > 0) return [output];
	if (!isTool(this)) {
		hintOnEmptyRound(nodeRun);
		return [output];
	}
	// A model would get an empty text.
	const result = `${titleOf(operation)} found nothing`;
	return [[{ json: { result }, pairedItem: { item: 0 } }]];
}

/** What comes out of all input items: of calls together, otherwise one item after the other. */
async function outputOf(nodeRun: NodeRun): Promise<INodeExecutionData[]> {
	const { kind } = nodeRun.operation;
	if (kind === 'call') return await runCalls(nodeRun);
	// Once for all of the input, and without a session: the service is not asked.
	if (kind === 'confirm')
		return await confirmChanges(nodeRun).catch(async (error) => [
			await errorItem(nodeRun, error, 0),
		]);
	const output: INodeExecutionData[] = [];
	for (const index of nodeRun.items.keys()) {
		try {
			await RUNNERS[kind](await taskOf(nodeRun, index, output));
		} catch (error) {
			output.push(await errorItem(nodeRun, error, index));
		}
	}
	return output;
}

async function chosenOperation(context: IExecuteFunctions): Promise<Operation> {
	const { parameters } = context.getNode();
	// n8n does not resolve it, and knows no other parameter of the operation then.
	const byExpression = [parameters.resource, parameters.operation].some((written) =>
		/^=|\{\{/.test(String(written)),
	);
	let message = "'Resource' and 'Operation' cannot be expressions";
	let description = 'Choose both in this node. For several operations, use a node for each.';
	if ([parameters.resource, parameters.operation].includes(CUSTOM_API_CALL)) {
		message = 'For a custom API call, use the HTTP Request node';
		description =
			"There, set 'Authentication' to Predefined Credential Type and 'Credential Type' to Workspace Data API. It uses the same credential.";
	} else if (!byExpression) {
		const resource = context.getNodeParameter('resource', 0);
		const name = context.getNodeParameter('operation', 0);
		const operation = findOperation(resource, name);
		if (operation !== undefined) return operation;
		message = `The operation "${name}" does not exist for the resource "${resource}"`;
		description = "Choose 'Resource' and 'Operation' again in this node.";
	}
	throw createNodeError(new InputProblem(message, description), await contextOfQuery(context));
}

/** What an operation that put out nothing means for the loop that it is in. */
function hintOnEmptyRound(nodeRun: NodeRun): void {
	const { context } = nodeRun;
	if (context.getNode().alwaysOutputData === true || !isInLoop(context)) return;
	nodeRun.hint(
		'Nothing came out, so the nodes after this one do not run, and in a loop no later round either. For that, turn on Always Output Data in Settings.',
	);
}
