import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { isObject, resultOf } from '../client/envelope';
import { InputProblem } from '../common/errors/node-errors';
import { keepFields, readFields } from '../common/panel/choices';
import {
	optionalText,
	readChoice,
	shown,
	trueOrFalse,
	worksOnlyWith,
} from '../common/panel/parameters';
import { choice, text, type Choices } from '../common/panel/fields';
import type { Operation } from './operation-row';

const OUTPUTS = {
	result: ['Result', 'The data of the response'],
	response: [
		'Whole Response',
		'The full API response as one item, with success and meta (request ID, number of results)',
	],
} as const;

/** The option Output of operations that return the API response. */
export const outputOption = outputOf(OUTPUTS);

const selectableOutput = outputOf({
	...OUTPUTS,
	selected: ['Selected Fields', 'Only some fields of the result: small answers for an AI agent'],
});

/** The same, with a choice of fields. */
export const selectableOutputOptions: INodeProperties[] = [
	selectableOutput,
	text('Output Fields', 'outputFields', {
		placeholder: 'e.g. domain, industry, employees',
		displayOptions: { show: { output: ['selected'] } },
		description: 'Names of the fields to return, separated by commas; the ID comes with them',
	}),
];

function outputOf<T extends string>(choices: Choices<T | 'result'>) {
	return choice('Output', 'output', { choices, default: 'result', description: 'What to return' });
}

/** What comes out for an answer, and where. */
export type OutputForm = Partial<ReturnType<typeof readForm>>;

/** Reads and checks the options of the output. Throws InputProblem. */
export function readForm(options: Record<string, unknown>, operation: Operation) {
	const { outputFields } = options;
	const output = readChoice(options.output, selectableOutput);
	const resultField = optionalText(options.resultField, 'Result Field');
	const includesInput = trueOrFalse(options.includeInputFields, 'Include Input Fields', false);
	if (resultField !== undefined && !includesInput) {
		throw worksOnlyWith('Result Field', resultField, ['Include Input Fields']);
	}
	const fields = readFields(outputFields, 'Output Fields');
	if ((fields !== undefined) !== (output === 'selected')) {
		throw new InputProblem(
			"The options 'Output Fields' and 'Output': Selected Fields work only together",
			fields === undefined
				? "Name the fields to return under 'Output Fields', for example domain, industry; or set 'Output' to Result."
				: `Set 'Output' to Selected Fields, or remove the option 'Output Fields' (it is ${shown(outputFields)}).`,
		);
	}
	return {
		output,
		/** Top-level fields of the result to keep; undefined keeps all. */
		fields,
		/** The field that it goes into, beside the fields of the input; undefined returns it alone. */
		resultField: includesInput ? (resultField ?? operation.operation) : undefined,
	};
}

/** The items that come out for an answer, each paired with the input item. What is no object goes under `data`. */
export function itemsOf(
	answer: unknown,
	operation: Operation,
	{ output, fields, resultField }: OutputForm,
	input: { item: INodeExecutionData; index: number },
): INodeExecutionData[] {
	const { json: inputJson, binary } = input.item;
	const pairedItem = { item: input.index };
	const parts = output === 'response' ? [answer] : resultsOf(operation, answer);
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
	// The ID is always kept, so it counts only where it alone is named.
	const named = fields.length > 1 ? fields.filter((field) => field !== 'id') : fields;
	return !parts.some((part) => isObject(part) && named.some((one) => Object.hasOwn(part, one)));
}

/** Whether an operation finds one or many. */
export type Finds = Pick<Operation, 'result'>;

/** Where an operation finds many, each element of its list. Where that list is not known, all is one result. */
export function resultsOf({ result: wanted }: Finds, answer: unknown): unknown[] {
	const result = resultOf(answer);
	if (wanted === 'one') return [result];
	return elementsOf(result) ?? [listsIn(answer).length === 0 ? result : answer];
}

/** How many of an answer's results came out, where that is not all, and how many there are, where it says so. */
export type Incomplete = { cameOut: number; total?: number };

/** Whether an answer says so, in its `meta.pagination` (docs/maintainers/api.md, Envelope): none or one. */
export function incompleteOf(answer: unknown): Incomplete[] {
	const meta = isObject(answer) && isObject(answer.meta) ? answer.meta : {};
	const { total, next_cursor: cursor } = isObject(meta.pagination) ? meta.pagination : {};
	const result = resultOf(answer);
	const list = elementsOf(result);
	// Where it is not known which list holds the results, the longest one counts.
	const lists = list === undefined ? [...listsIn(answer), ...listsIn(result)] : [list];
	const cameOut = Math.max(0, ...lists.map(({ length }) => length));
	if (typeof total === 'number' && total > cameOut) return [{ cameOut, total }];
	return typeof cursor === 'string' && cursor !== '' ? [{ cameOut }] : [];
}

/** `data.items` (docs/maintainers/api.md, Envelope), or `data` where that is the list. */
function elementsOf(result: unknown): unknown[] | undefined {
	if (Array.isArray(result)) return result;
	return isObject(result) && Array.isArray(result.items) ? result.items : undefined;
}

function listsIn(value: unknown): unknown[][] {
	return isObject(value) ? Object.values(value).filter(Array.isArray) : [];
}
