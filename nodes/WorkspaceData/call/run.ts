import type { INodeExecutionData } from 'n8n-workflow';

import type { ApiRequest } from '../../client/api';
import { InputProblem } from '../../common/errors';
import { WrittenNumber, writeJson } from '../../client/exact-json';
import { readCallParameters, readForm, type CallParameters, type OutputForm } from './parameters';
import { readOptions, shown } from '../../common/parameters';
import { countOf, resultsOf } from '../answer';
import { asJson, endpointOf, type Runner, type Task } from '../task';

/** What the call of one item is, apart from how it is sent. */
export interface PreparedCall {
	parameters: CallParameters;
	request: ApiRequest;
	/** Equal for calls that ask for the same. */
	content: unknown;
}

/** Operations that do something for each item: sends the item's data once and puts out the result. */
export const runCall: Runner = async (task) => {
	task.session.throwIfCancelled();
	const { calls, get, itemIndex, operation, output } = task;
	const known = calls.known(itemIndex);
	const { answer, form } =
		known === undefined
			? await newAnswer(task)
			: { answer: await known, form: readForm(readOptions(get), operation) };
	const results = resultsOf(operation, answer);
	if (operation.result === 'items') task.totals.note(answer, countOf(answer));
	const parts = form.output === 'response' ? [answer] : results;
	for (const part of parts) output.push(outputItem(task, part, form.resultField));
};

async function newAnswer(task: Task): Promise<{ answer: unknown; form: OutputForm }> {
	const { parameters, request, content } = prepareCall(task);
	const { form, sendIdenticalOnce, maxCalls, previewOnly, limits } = parameters;
	if (previewOnly) {
		throw new InputProblem(
			'Preview Only is on for this item, but not for the first',
			'It holds for all items of a run. Turn it on or off in this node without an expression that depends on the item.',
		);
	}
	const { isWanted } = task;
	const answer = await task.calls.once({
		itemIndex: task.itemIndex,
		content: sendIdenticalOnce ? content : undefined,
		maxCalls,
		send: async () => (await task.session.client.answer(request, limits, { isWanted })).body,
	});
	return { answer, form };
}

/**
 * Reads what the call of an item is.
 *
 * @throws InputProblem for what is not to be sent
 */
export function prepareCall(task: Task): PreparedCall {
	const { context, get, operation, item } = task;
	const isComputed = (path: string): boolean => isExpression(context.getNode().parameters, path);
	const parameters = readCallParameters(get, operation, item.json, isComputed);
	const request = requestOf(task, parameters);
	return { parameters, request, content: [request.method, request.path, parameters.body] };
}

/** Whether n8n makes the parameter's value, and not the user: an expression may stand at any level above it. */
function isExpression(written: unknown, path: string): boolean {
	let level = written;
	for (const key of path.split('.')) {
		if (typeof level !== 'object' || level === null) break;
		level = (level as Record<string, unknown>)[key];
	}
	return typeof level === 'string' && level.startsWith('=');
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
