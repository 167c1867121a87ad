import type { HttpMethod, ApiRequest } from '../../client/api';
import { InputProblem } from '../../common/errors';
import type { RequestLimits } from '../../client/request';
import { readForm, type OutputForm } from '../answer';
import { needsRecordId, type Operation } from '../operation';
import { readDataToSend } from './body';
import type { IsExpression } from './fields-to-send';
import { readRequestLimits } from '../../common/request-options';
import {
	isEmpty,
	oneOf,
	optionalText,
	readOptions,
	shown,
	trueOrFalse,
	wholeNumber,
	type GetParameter,
	isExpression,
} from '../../common/parameters';
import { WrittenNumber, writeJson } from '../../client/exact-json';
import { endpointOf, type Task } from '../task';

export const DEFAULT_MAX_CONCURRENT = 5;
export const MOST_CONCURRENT = 100;

/** The checked parameters of a call for one input item. */
export interface CallParameters {
	/** Where the operation has data: plain JSON values, with integers beyond 2^53 as WrittenNumber. */
	body?: Record<string, unknown>;
	/** Where the operation is about one record. */
	recordId?: string;
	/** What the user chose, where there is a choice. */
	httpMethod?: HttpMethod;
	form: OutputForm;
	/** Equal bodies of one run are sent once. */
	sendIdenticalOnce: boolean;
	/** For how many days a result is kept and used again; undefined where the option is not set. */
	reuseResultsFor?: number;
	/** Most calls of one run of the node; undefined for any number. */
	maxCalls?: number;
	/** Nothing is sent; one item says what would be. */
	previewOnly: boolean;
	limits: RequestLimits;
}

/**
 * How many calls may be under way at once, for the whole run.
 *
 * @throws InputProblem when it is not a whole number from 1 to 100
 */
export function readMaxConcurrent(options: Record<string, unknown>): number {
	const value = options.maxConcurrent ?? DEFAULT_MAX_CONCURRENT;
	const maxConcurrent = wholeNumber(value, 'Max Concurrent', 1);
	if (maxConcurrent <= MOST_CONCURRENT) return maxConcurrent;
	throw new InputProblem(
		`Max Concurrent must be at most ${MOST_CONCURRENT}`,
		`Set a smaller number: the service would only refuse some of so many requests. It is ${maxConcurrent} now.`,
	);
}

/**
 * Reads and checks the parameters of a call operation.
 *
 * @param inputJson the input item, for Auto-Map Input Data
 * @param isExpression whether n8n makes the parameter's value, and not the user
 * @throws InputProblem naming the parameter and the fix, before any request is sent
 */
export function readCallParameters(
	get: GetParameter,
	operation: Operation,
	inputJson: Record<string, unknown>,
	isExpression: IsExpression = () => false,
): CallParameters {
	const options = readOptions(get);
	readMaxConcurrent(options);
	return {
		form: readForm(options, operation),
		sendIdenticalOnce: trueOrFalse(options.sendIdenticalOnce, 'Send Identical Once', false),
		reuseResultsFor: readReuseResultsFor(options, operation),
		maxCalls: readMaxCalls(options.maxCalls, isExpression('options.maxCalls')),
		previewOnly: trueOrFalse(options.previewOnly, 'Preview Only', false),
		body:
			operation.input === 'data'
				? readDataToSend({ get, inputJson, isExpression }, operation)
				: undefined,
		recordId: needsRecordId(operation) ? readRecordId(get('recordId', '')) : undefined,
		httpMethod:
			operation.methods && options.httpMethod !== undefined
				? oneOf(options.httpMethod, 'HTTP Method', operation.methods)
				: undefined,
		limits: readRequestLimits(options, operation.timeoutMs),
	};
}

/** Left empty it means any number; an expression that gives nothing does not: that would lift a limit on spending. */
function readMaxCalls(value: unknown, isExpression: boolean): number | undefined {
	return isEmpty(value) && !isExpression ? undefined : wholeNumber(value, 'Max Calls', 0);
}

/** Only what may be billed: an action that was skipped, because it had been done before, would not be done. */
function readReuseResultsFor(
	options: Record<string, unknown>,
	{ repeat }: Operation,
): number | undefined {
	if (repeat !== 'billed' || options.reuseResultsFor === undefined) return undefined;
	return wholeNumber(options.reuseResultsFor, 'Reuse Results For (Days)', 1);
}

function readRecordId(value: unknown): string {
	if (typeof value === 'number' && !Number.isSafeInteger(value)) {
		throw new InputProblem(
			'Record ID is a number that has lost digits',
			'Enter it as text: as a number, it could be the ID of another record.',
		);
	}
	const recordId = optionalText(value, 'Record ID');
	if (recordId === undefined) {
		throw new InputProblem('Record ID is empty', 'Enter the ID of the record in the service.');
	}
	// These two would lead to another address.
	if (recordId === '.' || recordId === '..') {
		throw new InputProblem(
			'Record ID cannot be dots alone',
			`Enter the ID of the record in the service. It is ${shown(recordId)} now.`,
		);
	}
	return recordId;
}

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
