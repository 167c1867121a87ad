import { createHash } from 'crypto';

import type { ApiRequest } from '../../client/api';
import { WrittenNumber, writePlainJson } from '../../client/exact-json';
import { InputProblem } from '../../common/errors';
import {
	oneOf,
	optionalText,
	refuseLostValues,
	shown,
	trueOrFalse,
	wholeNumber,
	type GetParameter,
} from '../../common/parameters';
import { readRequestLimits } from '../../common/request-options';
import { readForm } from '../results';
import { needsRecordId } from '../operation-row';
import type { Task } from '../task';
import { readDataToSend } from './body';

export const DEFAULT_MAX_CONCURRENT = 5;
export const MOST_CONCURRENT = 100;

/** The call that one input item asks for. */
export type ItemCall = ReturnType<typeof readCall>;

/** How many calls may be under way at once, for the whole run. Throws InputProblem. */
export function readMaxConcurrent({ maxConcurrent }: Record<string, unknown>): number {
	const value = maxConcurrent ?? DEFAULT_MAX_CONCURRENT;
	return wholeNumber(value, 'Max Concurrent', 1, MOST_CONCURRENT);
}

/** Reads and checks the call that an item asks for. Throws InputProblem naming the parameter and the fix. */
export function readCall(task: Task) {
	const { operation, session, itemIndex: index, options } = task;
	readMaxConcurrent(options);
	const form = readForm(options, operation);
	const sendIdenticalOnce = trueOrFalse(options.sendIdenticalOnce, 'Send Identical Once', false);
	// Only for billed calls: reusing the result of an action would skip the action.
	const reuse = operation.repeat === 'billed' ? options.reuseResultsFor : undefined;
	const days = reuse === undefined ? undefined : wholeNumber(reuse, 'Reuse Results For (Days)', 1);
	const { maxCalls: most } = options;
	const maxCalls = most === undefined ? undefined : wholeNumber(most, 'Max Calls', 0);
	const body = operation.sendsData ? readDataToSend(task) : undefined;
	const request = requestOf(task, body);
	const content = [request.method, request.path, body ?? null];
	const hash = createHash('sha256').update(`${session.key} ${writePlainJson(content, true)}`);
	return {
		index,
		session,
		request,
		limits: readRequestLimits(options, operation.timeoutMs),
		form,
		/** Equal for calls that ask for the same with the same credential, also in later executions and releases. */
		key: hash.digest('hex'),
		isShared: sendIdenticalOnce || days !== undefined,
		/** Undefined where the result is not kept. */
		days,
		maxCalls,
	};
}

function requestOf(
	{ operation, endpoint, get, options }: Task,
	body: Record<string, unknown> | undefined,
): ApiRequest {
	const { methods, repeat: risk } = operation;
	const method = methods
		? oneOf(options.httpMethod ?? endpoint.method, 'HTTP Method', methods)
		: endpoint.method;
	const id = needsRecordId(operation) ? readRecordId(get) : '';
	const path = endpoint.path.replace('{id}', () => encodeURIComponent(id));
	if (body === undefined) return { method, path, risk };
	return method === 'GET'
		? { method, path, query: queryOf(body), risk }
		: { method, path, bodyText: writePlainJson(body, false), risk };
}

function readRecordId(get: GetParameter): string {
	const value = get('recordId', '');
	refuseLostValues(value, { what: 'parameter', name: 'Record ID' });
	const recordId = optionalText(value, 'Record ID');
	// Dots would lead to another address.
	if (recordId !== undefined && !['.', '..'].includes(recordId)) return recordId;
	throw new InputProblem(
		"'Record ID' must be the ID of a record",
		`Enter the ID of the record in the service. It is ${shown(recordId)} now.`,
	);
}

/** Fields for the address of a GET request. Throws InputProblem for a nested one, for which no form is defined. */
function queryOf(body: Record<string, unknown>): NonNullable<ApiRequest['query']> {
	const query: Array<[string, string | string[]]> = [];
	for (const [name, value] of Object.entries(body)) {
		if (value === null) continue;
		const plain = (entry: unknown) => (entry instanceof WrittenNumber ? entry.text : entry);
		const values = [value].flat().map(plain);
		const isPlain = values.every((entry) => ['string', 'number', 'boolean'].includes(typeof entry));
		// An empty list has no form in an address: without it, the question would be another one.
		if (!isPlain || values.length === 0) {
			throw new InputProblem(
				`The field ${shown(name)} cannot be sent with GET`,
				`It is ${shown(value)}. Only text, numbers, booleans and lists of them that are not empty fit into an address. Set the option 'HTTP Method' to POST.`,
			);
		}
		query.push([name, (Array.isArray(value) ? values : values[0]) as string | string[]]);
	}
	return Object.fromEntries(query);
}
