import type { HttpMethod } from '../../client/api';
import { InputProblem } from '../../common/errors';
import type { RequestLimits } from '../../client/request';
import { readForm, type OutputForm } from '../answer';
import { asksRecordId, type Operation } from '../operation';
import { readBody } from './body';
import type { IsExpression } from './fields-to-send';
import {
	DEFAULT_MAX_CONCURRENT,
	DEFAULT_MAX_RETRIES,
	MOST_CONCURRENT,
} from '../../common/defaults';
import {
	oneOf,
	optionalText,
	readOptions,
	readRequestLimits,
	shown,
	trueOrFalse,
	wholeNumber,
	type GetParameter,
} from '../../common/parameters';

/** The checked parameters of a call for one input item. */
export interface CallParameters {
	/** Where the operation takes data: plain JSON values, with integers beyond 2^53 as WrittenNumber. */
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
		`It is ${maxConcurrent}. More requests at once would only make the service refuse some.`,
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
				? readBody({ get, inputJson, isExpression }, operation)
				: undefined,
		recordId: asksRecordId(operation) ? readRecordId(get('recordId', '')) : undefined,
		httpMethod:
			operation.methods && options.httpMethod !== undefined
				? oneOf(options.httpMethod, 'HTTP Method', operation.methods)
				: undefined,
		limits: readRequestLimits(options, {
			maxRetries: DEFAULT_MAX_RETRIES,
			timeoutMs: operation.timeoutMs,
		}),
	};
}

/** Left empty it means any number; an expression that gives nothing does not: that would lift a limit on spending. */
function readMaxCalls(value: unknown, isExpression: boolean): number | undefined {
	const isEmpty = value === undefined || value === null || value === '';
	return isEmpty && !isExpression ? undefined : wholeNumber(value, 'Max Calls', 0);
}

/** Only what may be billed: an action that is left out because it was done before would not be done. */
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
			'Give it as text, so that another record is not meant by mistake.',
		);
	}
	const recordId = optionalText(value, 'Record ID');
	if (recordId === undefined) {
		throw new InputProblem('Record ID is empty', 'Enter the ID that the service gives the record.');
	}
	// These two would lead to another address.
	if (recordId === '.' || recordId === '..') {
		throw new InputProblem('Record ID cannot be dots alone', `It is ${shown(recordId)}.`);
	}
	return recordId;
}
