import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { ServiceResponse } from '../shared/client/api';
import { resultOf, WITHOUT_RESULT } from '../shared/client/envelope';
import { isObject } from '../shared/client/json';
import { counted, formatNumber } from '../shared/errors/words';
import { readFields } from '../shared/panel/fields-option';
import { aboutLongNumbers, hasField, pickFields } from '../shared/panel/record-fields';
import {
	shown,
	trueOrFalse,
	worksNotWith,
	type GetParameter,
} from '../shared/panel/read-parameters';
import { hasValue } from './call/body';
import type { NodeRun } from './node-run';
import type { Operation } from './operation-row';

/** Options that decide how a response becomes output items. */
export type OutputForm = Partial<ReturnType<typeof readForm>>;

/** The member of an operation that says whether a response has one result or many. */
export type ResultKind = Pick<Operation, 'result'>;

/** Reads the output options of a call. Throws InputProblem if an option is invalid, or if two exclude each other. */
export function readForm(get: GetParameter, options: Record<string, unknown>, row: Operation) {
	const { outputFields } = options;
	const includeInput = get('includeInputFields', false);
	const includesInput = trueOrFalse(includeInput, 'Include Input Fields', false);
	const isFull = trueOrFalse(options.fullResponse, 'Full API Response', false);
	const fields = readFields(outputFields, 'Output Fields');
	if (isFull && fields !== undefined) {
		throw worksNotWith('Output Fields', outputFields, 'Full API Response');
	}
	return {
		isFull,
		/** Fields of the result to keep. Undefined keeps all fields. */
		fields,
		/** Field for the result next to the input fields. Undefined if the output has no input fields. */
		resultField: includesInput ? (row.resultField ?? row.operation) : undefined,
	};
}

/** Turns the responses of a run into output items, and counts results for the hints at the end of the run. */
export class ResponsesToItems {
	private readonly nodeRun: NodeRun;
	/** HTTP statuses of responses without a result, one for each input item that got such a response. */
	private readonly withoutResult: number[] = [];
	/** Numbers of results in the service and in the responses. Both leave out responses with all results. */
	private resultsInService = 0;
	private resultsReturned = 0;

	constructor(nodeRun: NodeRun) {
		this.nodeRun = nodeRun;
	}

	/**
	 * Returns the output items for an input item: one for each result, or one with the full response. Returns whole
	 * results if no result has any of the chosen fields, because the results were paid for.
	 */
	itemsOf(response: ServiceResponse, form: OutputForm, index: number): INodeExecutionData[] {
		const { nodeRun } = this;
		const { isFull, fields = [], resultField } = form;
		const results = resultsIn(response.body, nodeRun.operation);
		const objects = results.filter(isObject);
		this.countResults(response, results.length);
		if (hasResult(response, nodeRun.operation)) nodeRun.missing.lookAt(objects, fields);
		const hasFields = objects.some((result) => fields.some((field) => hasField(result, field)));
		const keep = (result: unknown) =>
			isObject(result) && hasFields ? pickFields(result, fields) : result;
		const kept = results.map(keep);
		nodeRun.hintLast(() => aboutLongNumbers(kept.map(toObject), LONG_NUMBERS));
		const { json: input, binary } = nodeRun.items[index];
		const pairedItem = { item: index };
		return (isFull ? [response.body] : kept).map((part) => {
			if (resultField === undefined) return { json: toObject(part), pairedItem };
			const json = { ...input, [resultField]: part } as IDataObject;
			return { json, pairedItem, ...(binary && { binary }) };
		});
	}

	private countResults(response: ServiceResponse, count: number): void {
		const { operation } = this.nodeRun;
		if (!hasResult(response, operation)) this.withoutResult.push(response.statusCode ?? 200);
		const total = totalIn(response.body) ?? 0;
		if (operation.result === 'one' || listIn(response.body) === undefined || total <= count) return;
		this.resultsInService += total;
		this.resultsReturned += count;
	}

	/** Returns hints on responses without a result, and on lists with more results than the node returned. */
	hints(): string[] {
		const { operation, items } = this.nodeRun;
		const hints: string[] = [];
		const { length } = this.withoutResult;
		if (length > 0) {
			const statuses = [...new Set(this.withoutResult)];
			const accepted = statuses.includes(202) ? ACCEPTED : '';
			hints.push(
				`${operation.name} returned no result for ${formatNumber(length)} of ${counted(items.length, 'item')} (HTTP ${statuses.join(', ')}).${accepted}`,
			);
		}
		if (this.resultsInService > 0) {
			hints.push(
				`${operation.name} found ${counted(this.resultsInService, 'result')} and returned ${formatNumber(this.resultsReturned)}. To get more, send the field that sets the number of results or the next page: your service's documentation names it. To see the full API response, add the option 'Full API Response'.`,
			);
		}
		return hints;
	}
}

const LONG_NUMBERS = 'the service has to send them as text';
const ACCEPTED = ' After HTTP 202, the service may still be working on a result.';

function toObject(part: unknown): IDataObject {
	return (isObject(part) ? part : { data: part }) as IDataObject;
}

/**
 * Returns the results in the body of a response: one result, or the elements of the list if the operation finds many.
 * If the list is missing or in an unexpected place, the response counts as one result.
 */
export function resultsIn(body: unknown, { result: expected }: ResultKind): unknown[] {
	const result = resultOf(body);
	if (expected === 'one') return [result];
	const hasList = isObject(body) && Object.values(body).some(Array.isArray);
	return listIn(body) ?? [hasList ? body : result];
}

/** Returns the list `data.items`, or `data` if it is a list (docs/maintainers/api.md, Envelope), or undefined. */
function listIn(body: unknown): unknown[] | undefined {
	const result = resultOf(body);
	const list = isObject(result) ? result.items : result;
	return Array.isArray(list) ? list : undefined;
}

/** Returns how many results the service has: `meta.pagination.total` (docs/maintainers/api.md, Envelope). */
function totalIn(body: unknown): number | undefined {
	const meta = isObject(body) && isObject(body.meta) ? body.meta : {};
	const { total } = isObject(meta.pagination) ? meta.pagination : {};
	return typeof total === 'number' ? total : undefined;
}

/**
 * Members of a response body that never hold a result. The first list is for a body without the envelope (`success`,
 * `data` and `meta`), the second list for a body with it.
 */
const ERROR_MEMBERS = ['error', 'errors'];
const DESCRIPTIVE_MEMBERS = [...ERROR_MEMBERS, 'success', 'meta', 'message'];

/**
 * Checks whether a response has a result. Without `data`, any member with a value is a result, except errors and
 * metadata.
 */
function hasResult({ statusCode = 200, body }: ServiceResponse, operation: ResultKind): boolean {
	if (WITHOUT_RESULT.includes(statusCode)) return false;
	if (!isObject(body) || 'data' in body) return hasValue(resultsIn(body, operation));
	const descriptive = 'success' in body || 'meta' in body ? DESCRIPTIVE_MEMBERS : ERROR_MEMBERS;
	return Object.entries(body).some(
		([name, value]) => !descriptive.includes(name) && hasValue(value),
	);
}

/** HTTP statuses of a complete result. Status 206 is a partial result, and the meaning of other statuses is unknown. */
const FINAL_STATUSES = [200, 201];
export const NO_RESULT = 'the response has no result';

/**
 * Returns why a response must not be reused for other calls, or undefined. A reusable response has the status 200 or
 * 201, a result, a value in each required field, and no error.
 */
export function whyNotReusable(
	response: ServiceResponse,
	operation: ResultKind,
	requiredFields: readonly string[],
): string | undefined {
	if (!hasResult(response, operation)) return NO_RESULT;
	const { statusCode = 200, body } = response;
	if (!FINAL_STATUSES.includes(statusCode) || [body, resultOf(body)].some(reportsError))
		return 'the response contains an error, or its status is not 200 or 201';
	const results = resultsIn(body, operation).map((result) => (isObject(result) ? result : {}));
	const missing = requiredFields.filter((field) =>
		results.some((result) => !hasValue(pickFields(result, [field]))),
	);
	return missing.length > 0 ? `no value in ${missing.map(shown).join(', ')}` : undefined;
}

function reportsError(part: unknown): boolean {
	return isObject(part) && (part.success === false || [part.error, part.errors].some(isError));
}

/** Checks whether the value of an error member reports an error. `{ "code": 0, "message": "" }` does not. */
function isError(error: unknown): boolean {
	if (typeof error !== 'object' || error === null) return Boolean(error);
	return Object.values(error).some(isError);
}
