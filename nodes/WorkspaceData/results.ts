import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isObject, resultOf } from '../client/envelope';
import { readFields } from '../common/panel/choices';
import { text, yesOrNo } from '../common/panel/fields';
import { aboutLongNumbers, hasField, keepFields } from '../common/panel/kept-fields';
import { trueOrFalse, worksNotWith, type GetParameter } from '../common/panel/read-parameters';
import type { Operation } from './operation-row';
import type { Try } from './node-try';

/** An option of operations that return the API response. */
export const fullResponseOption = yesOrNo('Full API Response', 'fullResponse', {
	description:
		'Whether to return one item with the full API response, such as request ID and total',
});

/** An option of those of which a part may be enough. */
export const outputFieldsOption = text('Output Fields (Columns)', 'outputFields', {
	placeholder: 'e.g. domain, industry, employees',
	description:
		'Fields of the result to return, and no others, separated by commas: small answers for an AI agent. For a field inside another, write address.city.',
});

/** What comes out for an answer, and where. */
export type OutputForm = Partial<ReturnType<typeof readForm>>;

/** Reads and checks the options of the output. Throws InputProblem. */
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
		/** Fields of the result to keep; undefined keeps all. */
		fields,
		/** The field that it goes into, beside the fields of the input; undefined returns it alone. */
		resultField: includesInput ? (row.resultField ?? row.operation) : undefined,
	};
}

/** The items that come out for an answer, each paired with the input item. What is no object goes under `data`. */
export function itemsOf(
	answer: unknown,
	operation: Operation,
	{ isFull, fields, resultField }: OutputForm,
	input: { item: INodeExecutionData; index: number },
): INodeExecutionData[] {
	const { json: inputJson, binary } = input.item;
	const pairedItem = { item: input.index };
	const parts = isFull ? [answer] : resultsOf(operation, answer);
	const isWhole = hasNoneOf(fields, parts);
	const kept = parts.map((part) => (isObject(part) && !isWhole ? keepFields(part, fields) : part));
	if (resultField === undefined) {
		const alone = kept.map((part) => (isObject(part) ? part : { data: part }) as IDataObject);
		return alone.map((json) => ({ json, pairedItem }));
	}
	const beside = kept.map((part) => ({ ...inputJson, [resultField]: part }) as IDataObject);
	return beside.map((json) => ({ json, pairedItem, ...(binary && { binary }) }));
}

/** Whether what a call found has none of the fields to keep: it was paid for, so all of it comes out. */
export function hasNoneOf(fields: OutputForm['fields'], parts: readonly unknown[]): boolean {
	if (fields === undefined) return false;
	return !parts.some((part) => isObject(part) && fields.some((field) => hasField(part, field)));
}

export function hintOnLongResults(
	nodeTry: Pick<Try, 'hintLast'>,
	results: ReadonlyArray<Record<string, unknown>>,
): void {
	const fix = 'the service has to send them as text';
	nodeTry.hintLast(() => aboutLongNumbers(results, fix));
}

/** Whether an operation finds one or many. */
export type Finds = Pick<Operation, 'result'>;

/** Where an operation finds many, each element of its list. Where that list is not known, all is one result. */
export function resultsOf({ result: wanted }: Finds, answer: unknown): unknown[] {
	const result = resultOf(answer);
	if (wanted === 'one') return [result];
	return elementsOf(result) ?? [listsIn(answer).length === 0 ? result : answer];
}

/** How many of an answer's results came out, where that is not all, and how many there are. */
export type Incomplete = { cameOut: number; total: number };

/** Whether an answer says so, in its `meta.pagination` (docs/maintainers/api.md, Envelope): none or one. */
export function incompleteOf(answer: unknown): Incomplete[] {
	const meta = isObject(answer) && isObject(answer.meta) ? answer.meta : {};
	const { total } = isObject(meta.pagination) ? meta.pagination : {};
	const cameOut = elementsOf(resultOf(answer))?.length ?? Infinity;
	return typeof total === 'number' && total > cameOut ? [{ cameOut, total }] : [];
}

/** `data.items` (docs/maintainers/api.md, Envelope), or `data` where that is the list. */
function elementsOf(result: unknown): unknown[] | undefined {
	if (Array.isArray(result)) return result;
	return isObject(result) && Array.isArray(result.items) ? result.items : undefined;
}

function listsIn(value: unknown): unknown[][] {
	return isObject(value) ? Object.values(value).filter(Array.isArray) : [];
}
