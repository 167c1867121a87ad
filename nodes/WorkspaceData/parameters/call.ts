import type { HttpMethod } from '../../shared/api';
import { isObject } from '../../shared/envelope';
import { InputProblem } from '../../shared/errors';
import type { RequestLimits } from '../../shared/request';
import { asksRecordId, type Operation } from '../operation';
import { DEFAULT_MAX_CONCURRENT, DEFAULT_MAX_RETRIES, MOST_CONCURRENT } from './defaults';
import {
	oneOf,
	optionalText,
	readOptions,
	readRequestLimits,
	shown,
	wholeNumber,
	type GetParameter,
} from './read';

/** The checked parameters of a call for one input item. */
export interface CallParameters {
	/** Where the operation takes data. */
	body?: Record<string, unknown>;
	/** Where the operation is about one record. */
	recordId?: string;
	/** What the user chose, where there is a choice. */
	httpMethod?: HttpMethod;
	/** Where the result goes beside the fields of the input; undefined gives the result alone. */
	resultField?: string;
	/** Equal bodies of one run are sent once. */
	sendIdenticalOnce: boolean;
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
		`It is ${maxConcurrent}. More requests at once would only make the service refuse some.`,
	);
}

/**
 * Reads and checks the parameters of a call operation.
 *
 * @param inputJson the input item, for Auto-Map Input Data
 * @throws InputProblem naming the parameter and the fix, before any request is sent
 */
export function readCallParameters(
	get: GetParameter,
	operation: Operation,
	inputJson: Record<string, unknown>,
): CallParameters {
	const options = readOptions(get);
	readMaxConcurrent(options);
	return {
		resultField:
			options.includeInputFields === true
				? (optionalText(options.resultField, 'Result Field') ?? operation.operation)
				: undefined,
		sendIdenticalOnce: options.sendIdenticalOnce === true,
		body:
			operation.input === 'data'
				? withFixedFields(readBody(get, operation, inputJson), operation)
				: undefined,
		recordId: asksRecordId(operation) ? readRecordId(get('recordId', '')) : undefined,
		httpMethod: operation.methods && readMethod(options.httpMethod, operation.methods),
		limits: readRequestLimits(options, {
			maxRetries: DEFAULT_MAX_RETRIES,
			timeoutMs: operation.timeoutMs,
		}),
	};
}

function readMethod(value: unknown, methods: readonly HttpMethod[]): HttpMethod | undefined {
	if (value === undefined || value === null) return undefined;
	return oneOf(value, 'HTTP Method', methods);
}

function readBody(
	get: GetParameter,
	operation: Operation,
	inputJson: Record<string, unknown>,
): Record<string, unknown> {
	const source = oneOf(get('dataToSend', 'defineBelow'), 'Data to Send', [
		'autoMapInputData',
		'defineBelow',
		'json',
	]);
	const body =
		source === 'autoMapInputData'
			? { ...inputJson }
			: source === 'json'
				? bodyOfJson(get('jsonBody', '{}'))
				: bodyOfFields(get('fields', {}));
	// Prospecting without filters is a question; a paid call about nothing is a mistake.
	if (Object.keys(body).length === 0 && !operation.mayBeEmpty) {
		throw new InputProblem('There is nothing to send', EMPTY_BODY_FIX[source]);
	}
	return body;
}

const EMPTY_BODY_FIX = {
	autoMapInputData:
		'The input item has no fields. Check what the node before this one gives, or set Data to Send to another choice.',
	defineBelow: 'Add at least one field under Fields to Send, for example domain with example.com.',
	json: 'The JSON is an empty object. Write at least one field, for example { "domain": "example.com" }.',
};

function bodyOfFields(value: unknown): Record<string, unknown> {
	const fields: unknown = isObject(value) ? (value.values ?? []) : [];
	const body: Record<string, unknown> = {};
	for (const [index, field] of (Array.isArray(fields) ? fields : [fields]).entries()) {
		const { name, value: content } = isObject(field) ? field : {};
		const key = optionalText(name, 'The name of a field to send');
		if (key === undefined) {
			throw new InputProblem(
				`Field ${index + 1} under Fields to Send has no name`,
				'Enter its name, or remove the field.',
			);
		}
		if (Object.hasOwn(body, key)) {
			throw new InputProblem(
				`The field ${shown(key)} is listed twice under Fields to Send`,
				'Remove one of them: only one value can be sent.',
			);
		}
		Object.defineProperty(body, key, {
			value: content,
			enumerable: true,
			configurable: true,
			writable: true,
		});
	}
	return body;
}

function bodyOfJson(value: unknown): Record<string, unknown> {
	const parsed = typeof value === 'string' ? parseObject(value) : value;
	if (!isObject(parsed)) throw notAnObject(`It is ${shown(parsed)}.`);
	return { ...parsed };
}

function parseObject(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch (error) {
		throw notAnObject(`It cannot be read as JSON: ${(error as Error).message}.`);
	}
}

function notAnObject(found: string): InputProblem {
	return new InputProblem(
		'JSON must be a JSON object',
		`${found} Write the body in curly braces, for example { "domain": "example.com" }.`,
	);
}

/** What the service must be told the same way each time; data that says otherwise is a mistake. */
function withFixedFields(
	body: Record<string, unknown>,
	{ fixedFields = {}, resource }: Operation,
): Record<string, unknown> {
	for (const [name, value] of Object.entries(fixedFields)) {
		if (body[name] === undefined || body[name] === value) continue;
		throw new InputProblem(
			`The data to send says ${name} ${shown(body[name])}, but this operation sends ${shown(value)}`,
			`Remove ${name} from the data, or choose another Resource than ${resource} in this node.`,
		);
	}
	return { ...body, ...fixedFields };
}

function readRecordId(value: unknown): string {
	if (typeof value === 'number' && !Number.isSafeInteger(value)) {
		throw new InputProblem(
			'Record ID is a number that has lost digits',
			'Give it as text, so that another record is not meant by mistake.',
		);
	}
	const recordId = optionalText(value, 'Record ID');
	if (recordId === undefined) {
		throw new InputProblem(
			'Record ID is empty',
			'Enter the ID of the record, as the service gives it.',
		);
	}
	// These two would lead to another address.
	if (recordId === '.' || recordId === '..') {
		throw new InputProblem('Record ID cannot be dots alone', `It is ${shown(recordId)}.`);
	}
	return recordId;
}
