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

/** Fields that n8n adds to an item: files in the binary mode `combined`, and the ID of an AI model's tool call. */
const [FILES, CALL_ID] = ['_files', 'toolCallId'];

/** Body of a call, with its parts, as `readDataToSend` returns it. */
export type DataToSend = NonNullable<ReturnType<typeof readDataToSend>>;

/**
 * Reads the body of a call as plain JSON, or returns undefined if the operation has none. Integers above 2^53 become a
 * WrittenNumber, so they keep all digits. Throws InputProblem if the data is invalid.
 * @param own values of the text parameters that only this operation has
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
	const body = readUserFields(source, task);
	// The user's data must not contain another value for a field with a fixed value.
	for (const [name, value] of Object.entries(fixed)) {
		const userValue = body[name];
		if (userValue !== undefined && userValue !== value) {
			const or = name in own ? '' : `, or choose another 'Resource' than ${resource} in this node`;
			throw new InputProblem(
				`The data to send sets ${name} to ${shown(userValue)}, but this operation sends ${shown(value)}`,
				`Remove ${name} from the data${or}.`,
			);
		}
		delete body[name];
	}
	// `mayBeEmpty` allows a call without fields, but no call may have only empty fields.
	if (!hasValue(body) && !(mayBeEmpty && Object.keys(body).length === 0)) {
		const without = mayBeEmpty ? ' To send the request without filters, remove all fields.' : '';
		throw nothingToSend(source, task, Object.keys(body), without);
	}
	const sent = Object.entries(body).filter(([, value]) => value !== undefined);
	return {
		body: { ...Object.fromEntries(sent), ...fixed } as Record<string, unknown>,
		/** The user's fields without the fixed fields, for Deduplicate By. A field without a value is undefined. */
		data: body,
		fixed,
	};
}

/** Returns the user's fields as plain JSON. A field without a value is undefined. */
function readUserFields(
	source: Source,
	{ nodeRun: { rawParameters }, context, get, item }: Task,
): Record<string, unknown> {
	// Remove fields that n8n adds, because they differ in every run. The same call would be paid for again.
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
	const namesToRemove = isWritten ? [] : added;
	const fields = Object.entries(data).filter(([name]) => !namesToRemove.includes(name));
	const plain = fields.map(([name, value]) => [name, toPlainJson(value, namesToRemove)] as const);
	const found = Object.fromEntries(plain);
	if (!isWritten) refuseRequest(found);
	return found;
}

const OR_AS_JSON =
	", or set 'Data to Send' to JSON and write the digits there without an expression";

type Source = (typeof dataToSend)['default'];

/** Fields that n8n's Webhook node returns for every HTTP request. */
const PARTS_OF_REQUEST = ['headers', 'params', 'query', 'body'];

/** Throws InputProblem if the data contains a whole webhook request, because its headers hold secrets of the caller. */
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
 * Returns the error for an item without any value to send. The usual cause is a blank row or, if no item has a value,
 * an expression that reads a field which the input does not have.
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
	const dependsOnItem =
		source === 'json' ? isExpression(rawParameters, 'jsonBody') : fields.length > 0;
	if (!isTool(context) && (dependsOnItem || isMapped)) {
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

/** Checks whether a value has content. Blank text, null, undefined, and lists and objects of them have none. */
export function hasValue(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.values(value).some(hasValue);
	return !isBlank(value);
}

/** Returns the object in a JSON text. If `isWritten`, the user typed the text, so its numbers have all digits. */
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
	let reason = '';
	try {
		JSON.parse(text);
	} catch (error) {
		const { message } = error as Error;
		reason = message.replace(/"(.*)"(?=(?:\.\.\.)? is not valid JSON$)/s, (_match, part) =>
			shown(part),
		);
	}
	// JSON.parse() gives no position for some mistakes, such as a word without quotation marks.
	const [, position] = /at position (\d+)/.exec(reason) ?? [];
	const lines = text.slice(0, Number(position)).split('\n');
	const column = (lines.at(-1) ?? '').length + 1;
	const where = position === undefined ? '' : ` at line ${lines.length}, column ${column}`;
	return new InputProblem(
		`Invalid JSON${where}`,
		`Correct the parameter 'JSON': ${reason}.\n${JSON_RULES}`,
	);
}

/** Types of rows whose text is parsed as JSON. A file (`binary`) always fails: no parsed value has this type. */
const TYPES: unknown[] = ['number', 'boolean', 'array', 'object', 'binary'];

/** Reads the rows `assignments` (`values` in an AI tool) of Fields to Send. Throws InputProblem for an invalid row. */
export function readFieldsToSend(
	value: unknown,
	rawParameters: NodeRun['rawParameters'],
	added: readonly string[] = [],
) {
	const rows = ['assignments', 'values'].flatMap((shape) => {
		const found: unknown = isObject(value) ? (value[shape] ?? []) : [];
		// An expression can return a single row instead of a list of rows.
		return [found].flat().map((row, index) => {
			const isWritten = !isExpression(rawParameters, `fields.${shape}.${index}.value`);
			return { ...(isObject(row) ? row : {}), isWritten } as FieldRow;
		});
	});
	return readRows(rows, 'Fields to Send', (name, row) => valueToSend(name, row, added));
}

/** A row of Fields to Send. If `isWritten`, the user typed the value, so its numbers have all digits. */
interface FieldRow {
	name?: unknown;
	value?: unknown;
	type?: unknown;
	isWritten: boolean;
}

/** Returns a row's value as plain JSON, without the fields `added` by n8n. Throws InputProblem for a wrong type. */
function valueToSend(name: string, { value, type, isWritten }: FieldRow, added: readonly string[]) {
	if (isBlank(value)) return undefined;
	const isTyped = TYPES.includes(type);
	const form = formInJson(value);
	const isText = isTyped && typeof form === 'string';
	const found = isText ? readText(form.trim(), isWritten) : value;
	refuseLostValues(found, { what: 'field', name }, OR_AS_JSON);
	const plain = toPlainJson(found, isWritten ? [] : added);
	if (!isWritten) refuseRequest(plain);
	if (!isTyped || typeOf(plain) === type) return plain;
	throw new InputProblem(
		`The field ${shown(name)} under 'Fields to Send' cannot be sent as ${String(type)}`,
		`Correct its value, or choose another type for the field. It is ${shown(value)} now.`,
	);
}

/** Parses the text of a row. Returns undefined for invalid text, so that the type check fails. */
function readText(text: string, isWritten: boolean): unknown {
	return parseExactJson(/^(?:true|false)$/i.test(text) ? text.toLowerCase() : text, isWritten);
}

function typeOf(value: unknown): string {
	if (value instanceof WrittenNumber) return 'number';
	if (Array.isArray(value)) return 'array';
	return value === null ? 'null' : typeof value;
}
