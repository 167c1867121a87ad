import { deepCopy, type INodeExecutionData } from 'n8n-workflow';

import type { ApiRequest } from '../../client/api';
import { isObject, resultOf } from '../../client/envelope';
import { InputProblem } from '../../common/errors';
import { WrittenNumber, writeJson } from '../../client/exact-json';
import { readCallParameters, type CallParameters } from './parameters';
import { shown } from '../../common/parameters';
import { asJson, endpointOf, type Runner, type Task } from '../task';

/** Operations that do something for each item: sends the item's data once and puts out the result. */
export const runCall: Runner = async (task) => {
	task.session.throwIfCancelled();
	const { get, operation, item, output } = task;
	const isComputed = isExpression(task, 'jsonBody');
	const parameters = readCallParameters(get, operation, item.json, isComputed);
	const answer = await answerFor(task, parameters);
	const results = resultsOf(task, answer);
	if (operation.result === 'items') task.totals.note(answer, results);
	for (const result of results) output.push(outputItem(task, result, parameters.resultField));
};

/** Whether n8n makes the parameter's value, and not the user. */
function isExpression({ context }: Task, name: string): boolean {
	const written = context.getNode().parameters[name];
	return typeof written === 'string' && written.startsWith('=');
}

async function answerFor(task: Task, parameters: CallParameters): Promise<unknown> {
	const request = requestOf(task, parameters);
	const { session, isWanted } = task;
	const send = async (): Promise<unknown> =>
		(await session.client.answer(request, parameters.limits, { isWanted })).body;
	if (!parameters.sendIdenticalOnce) return await send();
	const { method, path } = request;
	const answer = await task.identical.once([method, path, parameters.body], send);
	// Copied, so that a later node that changes one item does not change its twins.
	return deepCopy(answer as object);
}

function requestOf(task: Task, { body, httpMethod, recordId }: CallParameters): ApiRequest {
	const endpoint = endpointOf(task);
	const method = httpMethod ?? endpoint.method;
	const path = endpoint.path.replace('{id}', () => encodeURIComponent(recordId ?? ''));
	const risk = task.operation.repeat;
	if (body === undefined) return { method, path, risk };
	return method === 'GET'
		? { method, path, query: queryOf(body), risk }
		: { method, path, bodyText: writeJson(body), risk };
}

/**
 * Fields for the address of a GET request.
 *
 * @throws InputProblem for a nested field, for which no form is defined
 */
function queryOf(body: Record<string, unknown>): NonNullable<ApiRequest['query']> {
	const query: Array<[string, string | string[]]> = [];
	for (const [name, value] of Object.entries(body)) {
		if (value === null) continue;
		const values = (Array.isArray(value) ? value : [value]).map(inAddress);
		if (!values.every((entry) => ['string', 'number', 'boolean'].includes(typeof entry))) {
			throw new InputProblem(
				`The field ${shown(name)} cannot be sent with GET`,
				`It is ${shown(value)}. Only text, numbers, booleans and lists of them fit into an address. Set the option HTTP Method to POST.`,
			);
		}
		query.push([name, (Array.isArray(value) ? values : values[0]) as string | string[]]);
	}
	return Object.fromEntries(query);
}

function inAddress(value: unknown): unknown {
	return value instanceof WrittenNumber ? value.text : value;
}

/** Where the answer is a list, each of its elements becomes an item of its own. */
function resultsOf({ operation }: Task, answer: unknown): unknown[] {
	const result = resultOf(answer);
	if (operation.result === 'items' && isObject(result) && Array.isArray(result.items)) {
		return result.items;
	}
	return [result];
}

/** The result alone, or the input item with the result in one of its fields. */
function outputItem(
	{ item, itemIndex }: Task,
	result: unknown,
	resultField: string | undefined,
): INodeExecutionData {
	const pairedItem = { item: itemIndex };
	if (resultField === undefined) return { json: asJson(result), pairedItem };
	const json = { ...item.json, [resultField]: result } as INodeExecutionData['json'];
	return item.binary === undefined
		? { json, pairedItem }
		: { json, binary: item.binary, pairedItem };
}
