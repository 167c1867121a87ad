import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { createNodeError, InputProblem } from '../common/errors/node-errors';
import { readOptions, refusingNothing, trueOrFalse } from '../common/panel/parameters';
import { readRequestLimits } from '../common/panel/request-options';
import { contextOfQuery } from '../common/session/session';
import { readMaxConcurrent } from './call/parameters';
import { DEFAULT_MAX_CONCURRENT } from './call/properties';
import { runCalls } from './call/run';
import { runList } from './list/run';
import { hintOnEmptyRound } from './hints';
import { NodeRun } from './task';
import { titleOf, type Operation } from './operation-row';
import { findOperation } from './operations';
import { itemsOf } from './results';
import { properties } from './properties';
import { confirmChanges } from './sync/confirm';
import { noteEnd } from './sync/progress';
import { runSync } from './sync/run';
import { isTool, type Runner } from './task';

/** Who Am I: one request without parameters, one item. */
const runRead: Runner = async (task) => {
	const { session, operation, endpoint, options, item, itemIndex, output } = task;
	const form = { isFull: trueOrFalse(options.fullResponse, 'Full API Response', false) };
	const limits = readRequestLimits(options, operation.timeoutMs);
	const { body } = await session.client({ ...endpoint, repeat: operation.repeat }, limits);
	output.push(...itemsOf(body, operation, form, { item, index: itemIndex }));
};

/** One input item after the other. */
const RUNNERS = { list: runList, changes: runSync, read: runRead };

/** Runs the chosen operation for all items: calls several at once, lists in turn, since one keeps the service busy. */
export async function executeOperation(context: IExecuteFunctions) {
	const operation = await chosenOperation(context);
	const { kind } = operation;
	const maxConcurrent = kind === 'call' ? maxConcurrentOf(context) : 1;
	const nodeRun = new NodeRun(context, operation, properties, maxConcurrent);
	let output: INodeExecutionData[] = [];
	if (kind === 'call') output = await runCalls(nodeRun);
	else if (kind === 'confirm') {
		// Once for all of the input, and without a session: the service is not asked.
		const failed = async (error: unknown) => [await nodeRun.errorItem(error, 0)];
		output = await confirmChanges(context).catch(failed);
	} else {
		let hasFailed = false;
		for (const index of nodeRun.items.keys()) {
			try {
				await RUNNERS[kind](await nodeRun.taskOf(index, output));
			} catch (error) {
				hasFailed = true;
				output.push(await nodeRun.errorItem(error, index));
			}
		}
		nodeRun.missing.hint(context);
		if (kind === 'changes') noteEnd(context, hasFailed);
	}
	if (output.length > 0) return [output];
	if (!isTool(context)) {
		hintOnEmptyRound(context);
		return [output];
	}
	// A model would get an empty text.
	const result = `${titleOf(operation)} found nothing`;
	return [[{ json: { result }, pairedItem: { item: 0 } }]];
}

/** Of the first item with options that can be read: what is wrong with those of an item is told of that item alone. */
function maxConcurrentOf(context: IExecuteFunctions): number {
	const { parameters } = context.getNode();
	for (const index of context.getInputData().keys()) {
		const get = (name: string, fallback?: unknown): unknown =>
			context.getNodeParameter(name, index, fallback);
		try {
			return readMaxConcurrent(readOptions(refusingNothing(get, parameters, properties)));
		} catch {
			continue;
		}
	}
	return DEFAULT_MAX_CONCURRENT;
}

async function chosenOperation(context: IExecuteFunctions): Promise<Operation> {
	const { parameters } = context.getNode();
	// n8n does not resolve it, and knows no other parameter of the operation then.
	const byExpression = [parameters.resource, parameters.operation].some((written) =>
		/^=|\{\{/.test(String(written)),
	);
	let message = "'Resource' and 'Operation' cannot be expressions";
	let description = 'Choose both in this node. For several operations, use a node for each.';
	if (!byExpression) {
		const resource = context.getNodeParameter('resource', 0);
		const name = context.getNodeParameter('operation', 0);
		const operation = findOperation(resource, name);
		if (operation !== undefined) return operation;
		message = `The operation "${name}" does not exist for the resource "${resource}"`;
		description = "Choose 'Resource' and 'Operation' again in this node.";
	}
	throw createNodeError(new InputProblem(message, description), await contextOfQuery(context));
}
