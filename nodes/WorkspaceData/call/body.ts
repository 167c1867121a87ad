import { isObject } from '../../shared/client/json';
import {
	formInJson,
	parseExactJson,
	toPlainJson,
	WrittenNumber,
} from '../../shared/client/exact-json';
import { InputProblem } from '../../shared/errors/node-errors';
import { readRows } from '../../shared/panel/additional-parameters';
import { isExpression } from '../../shared/panel/raw-parameters';
import { choiceOf, isBlank, refuseLostValues, shown } from '../../shared/panel/read-parameters';
import type { NodeRun } from '../node-run';
import { isTool, type Task } from '../task';
import { dataToSend } from './call-properties';

/** Where n8n's binary mode `combined` keeps an item's files, and, in a tool, the ID of a model's call. */
const [FILES, CALL_ID] = ['_files', 'toolCallId'];

export type DataToSend = NonNullable<ReturnType<typeof readDataToSend>>;

/**
 * The body of a call as plain JSON: integers beyond 2^53 are a WrittenNumber. Undefined for an operation without one.
 * @param own what the operation's own parameters say
 * @throws InputProblem for a mistake in it
 */
export function readDataToSend(task: Task, own: Readonly<Record<string, string>> = {}) {
	const { operation } = task;
	const { sendsData, parameters = [], fixedFields = {}, mayBeEmpty, resource } = operation;
	const fixed = { ...fixedFields, ...own };
	if (!sendsData) {
		const hasBody = parameters.some(({ goesInto }) => goesInto === 'body');
		return hasBody ? { body: fixed, data: {}, fixed } : undefined;
	}
	const source = choiceOf(task.get, dataToSend);
	const body = givenBy(source, task);
	// Data must not contradict a field of the operation.
	for (const [name, value] of Object.entries(fixed)) {
		const said = body[name];
		if (said !== undefined && said !== value) {
			const or = name in own ? '' : `, or choose another 'Resource' than ${resource} in this node`;
			throw new InputProblem(
				`The data to send sets ${name} to ${shown(said)}, but this operation sends ${shown(value)}`,
				`Remove ${name} from the data${or}.`,
			);
		}
		delete body[name];
	}
	// Prospect may be sent with no fields at all; anything else without a value is refused.
	if (!hasValue(body) && !(mayBeEmpty && Object.keys(body).length === 0)) {
		const without = mayBeEmpty ? ' To send the request without filters, remove all fields.' : '';
		throw nothingToSend(source, task, Object.keys(body), without);
	}
	const sent = Object.entries(body).filter(([, value]) => value !== undefined);
	return {
		body: { ...Object.fromEntries(sent), ...fixed } as Record<string, unknown>,
		/** Apart, since Deduplicate By names only fields of the user; undefined for one without a value. */
		data: body,
		fixed,
	};
}

/** The fields as plain JSON; undefined for one without a value. */
function givenBy(
	source: Source,
	{ nodeRun: { rawParameters }, context, get, item }: Task,
): Record<string, unknown> {
	// Both differ in every run, so the same data would look new and be paid for again.
	const added = isTool(context) ? [FILES, CALL_ID] : [FILES];
	if (source === 'defineBelow') return readFieldsToSend(get('fields', {}), rawParameters, added);
	const isMapped = source === 'autoMapInputData';
	if (isMapped && isTool(context)) {
		throw new InputProblem(
			"'Data to Send' of a tool cannot be Auto-Map Input Data to Fields: it would send the instructions of the agent",
			"Set 'Data to Send' to Define Below for Each Field, and let the model fill in the values.",
		);
	}
	const isWritten = !isMapped && !isExpression(rawParameters, 'jsonBody');
	const data = isMapped ? item.json : objectOfJson(get('jsonBody', '{}'), isWritten);
	refuseLostValues(data, { what: 'field', name: '' }, OR_AS_JSON);
	const leftOut = isWritten ? [] : added;
	const fields = Object.entries(data).filter(([name]) => !leftOut.includes(name));
	const plain = fields.map(([name, value]) => [name, toPlainJson(value, leftOut)] as const);
	const found = Object.fromEntries(plain);
	if (!isWritten) refuseRequest(found);
	return found;
}

const OR_AS_JSON =
	", or set 'Data to Send' to JSON and write the digits there without an expression";

type Source = (typeof dataToSend)['default'];

/** What n8n's Webhook gives of a request. */
const PARTS_OF_REQUEST = ['headers', 'params', 'query', 'body'];

/** Throws InputProblem where what n8n made, as plain JSON, holds such a request: the secrets of its caller would go along. */
function refuseRequest(data: unknown): void {
	if (typeof data !== 'object' || data === null) return;
	if (PARTS_OF_REQUEST.every((name) => name in data)) {
		throw new InputProblem(
			'A whole webhook request would be sent, including the keys of the caller in its headers',
			"Set 'Data to Send' to Define Below for Each Field, with values such as {{ $json.body.domain }}.",
		);
	}
	for (const part of Object.values(data)) refuseRequest(part);
}

/**
 * Returns the error of an item without values. Most often one row of a sheet is blank. If no item has a value, the
 * expressions read fields that the input does not have.
 * @param fields names of the fields that would be sent
 * @param more advice for the operation alone
 */
function nothingToSend(
	source: Source,
	{ nodeRun: { rawParameters }, context, operation, itemIndex }: Task,
	fields: readonly string[],
	more: string,
): InputProblem {
	const [name, value] = operation.exampleField ?? ['name', 'value'];
	const isMapped = source === 'autoMapInputData';
	const where = source === 'json' ? 'JSON' : 'Fields to Send';
	const isOfItem = source === 'json' ? isExpression(rawParameters, 'jsonBody') : fields.length > 0;
	if (!isTool(context) && (isOfItem || isMapped)) {
		const fix = "Remove blank rows before this node, for example with n8n's Filter.";
		const otherwise =
			' If the item is not blank, check the data to send: none of its fields has a value.';
		const named = isMapped ? '' : fields.map(shown).join(', ');
		const correct = isMapped
			? 'Check the previous node: all fields that it returns are empty.'
			: `Correct the values under '${where}': usually, an expression reads a field that the input does not have.`;
		return new InputProblem(`[item ${itemIndex}] has no values to send`, fix + otherwise + more, [
			`No item has a value for ${named || 'any field'}`,
			correct + more,
		]);
	}
	const how = `Add at least one field under '${where}', for example ${name} with ${value}.`;
	return new InputProblem('There is nothing to send', how + more);
}

/** False for empty text, spaces, null, and lists and objects of nothing else: they say nothing about any record. */
export function hasValue(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.values(value).some(hasValue);
	return !isBlank(value);
}

/** @param isWritten false where n8n made the text: numbers in it may have lost digits before */
function objectOfJson(value: unknown, isWritten: boolean): Record<string, unknown> {
	const isText = typeof value === 'string' && value.trim() !== '';
	const found = isText ? parseExactJson(value, isWritten) : value;
	if (isText && found === undefined) throw invalidJson(value);
	if (isObject(found)) return found;
	throw new InputProblem(
		"'JSON' must be a JSON object",
		`Write the body in curly braces, for example { "name": "value" }. It is ${shown(found)}.`,
	);
}

const JSON_RULES =
	'Put names and texts in double quotation marks, and no comma after the last field.';

function invalidJson(text: string): InputProblem {
	let said = '';
	try {
		JSON.parse(text);
	} catch (error) {
		const { message } = error as Error;
		said = message.replace(/"(.*)"(?=(?:\.\.\.)? is not valid JSON$)/s, (_all, part) =>
			shown(part),
		);
	}
	// Of some mistakes, such as a word without quotation marks, the engine does not say where they are.
	const [, position] = /at position (\d+)/.exec(said) ?? [];
	const lines = text.slice(0, Number(position)).split('\n');
	const column = (lines.at(-1) ?? '').length + 1;
	const where = position === undefined ? '' : ` at line ${lines.length}, column ${column}`;
	return new InputProblem(
		`Invalid JSON${where}`,
		`Correct the parameter 'JSON': ${said}.\n${JSON_RULES}`,
	);
}

/** The types of rows that text is converted to, and what is none of them. Files cannot be sent. */
const TYPES: unknown[] = ['number', 'boolean', 'array', 'object', 'binary'];

/** Fields to Send: `{assignments: [{name, value, type}]}`, `{values: [{name, value}]}` or both. Throws InputProblem. */
export function readFieldsToSend(
	value: unknown,
	rawParameters: NodeRun['rawParameters'],
	added: readonly string[] = [],
) {
	const rows = ['assignments', 'values'].flatMap((shape) => {
		const found: unknown = isObject(value) ? (value[shape] ?? []) : [];
		// An expression may give a single row without a list.
		return [found].flat().map((row, index) => {
			const isWritten = !isExpression(rawParameters, `fields.${shape}.${index}.value`);
			return { ...(isObject(row) ? row : {}), isWritten } as FieldRow;
		});
	});
	return readRows(rows, 'Fields to Send', (name, row) => valueToSend(name, row, added));
}

/** `isWritten` is false where n8n made the value: numbers in it may have lost digits before. */
interface FieldRow {
	name?: unknown;
	value?: unknown;
	type?: unknown;
	isWritten: boolean;
}

/** @param added what n8n adds to values that it makes */
function valueToSend(name: string, { value, type, isWritten }: FieldRow, added: readonly string[]) {
	if (isBlank(value)) return undefined;
	const isOfType = TYPES.includes(type);
	const form = formInJson(value);
	const isText = isOfType && typeof form === 'string';
	const found = isText ? readText(form.trim(), isWritten) : value;
	refuseLostValues(found, { what: 'field', name }, OR_AS_JSON);
	const plain = toPlainJson(found, isWritten ? [] : added);
	if (!isWritten) refuseRequest(plain);
	if (!isOfType || typeOf(plain) === type) return plain;
	throw new InputProblem(
		`The field ${shown(name)} under 'Fields to Send' cannot be sent as ${String(type)}`,
		`Correct its value, or choose another type for the field. It is ${shown(value)} now.`,
	);
}

/** What text means in a row that is not for text; undefined, which no row accepts, where it means nothing. */
function readText(text: string, isWritten: boolean): unknown {
	return parseExactJson(/^(?:true|false)$/i.test(text) ? text.toLowerCase() : text, isWritten);
}

function typeOf(value: unknown): string {
	if (value instanceof WrittenNumber) return 'number';
	if (Array.isArray(value)) return 'array';
	return value === null ? 'null' : typeof value;
}
