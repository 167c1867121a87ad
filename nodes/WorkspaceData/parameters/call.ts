import type { HttpMethod } from '../../shared/api';
import { InputProblem } from '../../shared/errors';
import type { RequestLimits } from '../../shared/request';
import type { Operation } from '../operations';
import { readBody } from './body';
import {
	DEFAULT_CALL_TIMEOUT_MS,
	DEFAULT_MAX_CONCURRENT,
	DEFAULT_MAX_RETRIES,
	MOST_CONCURRENT,
} from './defaults';
import {
	oneOf,
	optionalText,
	readOptions,
	readRequestLimits,
	trueOrFalse,
	wholeNumber,
	type GetParameter,
} from './read';

/** The checked parameters of Enrich, Score and Prospect for one input item. */
export interface CallParameters {
	/** Plain JSON values, with integers beyond 2^53 as WrittenNumber. */
	body: Record<string, unknown>;
	/** Prospect only; undefined uses the method of the operations table. */
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
 * @param jsonIsExpression n8n made the JSON, and not the user: numbers in it may have lost digits before
 * @throws InputProblem naming the parameter and the fix, before any request is sent
 */
export function readCallParameters(
	get: GetParameter,
	operation: Operation,
	inputJson: Record<string, unknown>,
	jsonIsExpression = false,
): CallParameters {
	const options = readOptions(get);
	readMaxConcurrent(options);
	return {
		resultField: trueOrFalse(options.includeInputFields, 'Include Input Fields', false)
			? (optionalText(options.resultField, 'Result Field') ?? operation.operation)
			: undefined,
		sendIdenticalOnce: trueOrFalse(options.sendIdenticalOnce, 'Send Identical Once', false),
		body: readBody({ get, inputJson, jsonIsExpression }, operation),
		httpMethod:
			operation.operation === 'prospect'
				? oneOf(options.httpMethod ?? 'POST', 'HTTP Method', ['POST', 'GET'] as const)
				: undefined,
		limits: readRequestLimits(options, {
			maxRetries: DEFAULT_MAX_RETRIES,
			timeoutMs: DEFAULT_CALL_TIMEOUT_MS,
		}),
	};
}
