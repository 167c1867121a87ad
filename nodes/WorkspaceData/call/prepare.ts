import type { ApiRequest } from '../../client/api';
import { InputProblem } from '../../common/errors';
import { WrittenNumber, writeJson } from '../../client/exact-json';
import { readCallParameters, type CallParameters } from './parameters';
import { isExpression, shown } from '../../common/parameters';
import { endpointOf, type Task } from '../task';

/** What the call of one item is, apart from how it is sent. */
export interface PreparedCall {
	parameters: CallParameters;
	request: ApiRequest;
	/** Equal for calls that ask for the same. */
	content: unknown;
}

/**
 * Reads what the call of an item is.
 *
 * @throws InputProblem for what is not to be sent
 */
export function prepareCall(task: Task): PreparedCall {
	const { get, operation, item } = task;
	const isComputed = (path: string): boolean => isExpression(task.written, path);
	const parameters = readCallParameters(get, operation, item.json, isComputed);
	const request = requestOf(task, parameters);
	return { parameters, request, content: [request.method, request.path, parameters.body] };
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
		const values = (Array.isArray(value) ? value : [value]).map((entry: unknown) =>
			entry instanceof WrittenNumber ? entry.text : entry,
		);
		const isPlain = values.every((entry) => ['string', 'number', 'boolean'].includes(typeof entry));
		// An empty list has no form in an address: without it, the question would be another one.
		if (!isPlain || values.length === 0) {
			throw new InputProblem(
				`The field ${shown(name)} cannot be sent with GET`,
				`It is ${shown(value)}. Only text, numbers, booleans and lists of them that are not empty fit into an address. Set the option HTTP Method to POST.`,
			);
		}
		query.push([name, (Array.isArray(value) ? values : values[0]) as string | string[]]);
	}
	return Object.fromEntries(query);
}
