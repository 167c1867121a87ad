// nodes/WorkspaceData/call/: operations that do something for each input item: Enrich, Score, Prospect.

import { isObject } from '../../client/envelope';
import { InputProblem } from '../../common/errors';
import { parseExactJson, toPlainJson, WrittenNumber } from '../../client/exact-json';
import { refuseLostDigits } from '../../common/value-types';
import type { Operation } from '../operation';
import { oneOf, shown, type GetParameter } from '../../common/parameters';
import { isBlank, readFieldsToSend, type IsExpression } from './fields-to-send';
import { placeOfMistake } from './json-mistake';

/** What the data to send is read from, for one input item. */
export interface BodySources {
	get: GetParameter;
	/** The input item, for Auto-Map Input Data. */
	inputJson: Record<string, unknown>;
	isExpression: IsExpression;
}

/**
 * The body of a call, as plain JSON values: integers beyond 2^53 are a WrittenNumber with all their digits.
 *
 * @throws InputProblem when there is nothing to send, or not what the user meant
 */
export function readDataToSend(
	sources: BodySources,
	operation: Operation,
): Record<string, unknown> {
	const { get, inputJson, isExpression } = sources;
	const source = oneOf(get('dataToSend', 'defineBelow'), 'Data to Send', [
		'autoMapInputData',
		'defineBelow',
		'json',
	]);
	const given =
		source === 'autoMapInputData'
			? inputJson
			: source === 'json'
				? objectOfJson(get('jsonBody', '{}'), isExpression('jsonBody'))
				: readFieldsToSend(get('fields', {}), isExpression);
	const body = toPlainJson({ ...given }) as Record<string, unknown>;
	refuseLostDigits(body, { what: 'field', name: '' }, OR_WRITE_JSON);
	const { fixedFields = {} } = operation;
	for (const [name, value] of Object.entries(fixedFields)) {
		refuseOtherValue(body, { name, value }, operation.resource);
		delete body[name];
	}
	// Prospecting without filters is a question; a paid call about nothing, or with filters that are gone, is a mistake.
	const mayBeEmpty = operation.mayBeEmpty && Object.keys(given).length === 0;
	if (!mayBeEmpty && !hasValue(body)) {
		const without = operation.mayBeEmpty ? ' To ask without filters, remove all fields.' : '';
		throw new InputProblem('There is nothing to send', `${EMPTY_BODY_FIX[source]}${without}`);
	}
	return { ...body, ...fixedFields };
}

const OR_WRITE_JSON =
	', or set Data to Send to JSON and write its digits there without an expression';

const EMPTY_BODY_FIX = {
	autoMapInputData:
		'No field of the input item has a value. Check what the node before this one returns, or set Data to Send to another choice.',
	defineBelow:
		'Add at least one field with a value under Fields to Send, for example domain with example.com. A field whose expression returns nothing is not sent.',
	json: 'No field of the JSON has a value. Write at least one, for example { "domain": "example.com" }.',
};

/** Empty text, null, and lists and objects of nothing else say nothing about any record. */
function hasValue(value: unknown): boolean {
	if (value instanceof WrittenNumber) return true;
	if (typeof value === 'object' && value !== null) return Object.values(value).some(hasValue);
	return !isBlank(value);
}

function objectOfJson(value: unknown, isExpression: boolean): Record<string, unknown> {
	const isText = typeof value === 'string' && value.trim() !== '';
	const parsed = isText ? parse(value, isExpression) : value;
	if (!isObject(parsed)) throw notAnObject(parsed);
	return parsed;
}

function parse(text: string, isExpression: boolean): unknown {
	try {
		return parseExactJson(text, !isExpression);
	} catch {
		throw invalidJson(text);
	}
}

function invalidJson(text: string): InputProblem {
	const place = placeOfMistake(text);
	const lines = text.slice(0, place).split('\n');
	const column = (lines.at(-1) ?? '').length + 1;
	const isEnd = place === text.length;
	return new InputProblem(
		`Invalid JSON at line ${lines.length}, column ${column}`,
		isEnd
			? 'Complete the parameter JSON: its end is missing, for example a quotation mark or a closing brace.'
			: `Correct the parameter JSON there: ${shown(text.slice(place, place + 20))} cannot follow.\nNames and texts need double quotation marks, and there is no comma after the last field.`,
	);
}

function notAnObject(found: unknown): InputProblem {
	return new InputProblem(
		'JSON must be a JSON object',
		`Write the body in curly braces, for example { "domain": "example.com" }. It is ${shown(found)}.`,
	);
}

/** What the service must be told the same way each time; data that says otherwise is a mistake. */
function refuseOtherValue(
	body: Record<string, unknown>,
	{ name, value }: { name: string; value: string },
	resource: string,
): void {
	const said = body[name];
	if (said === undefined || said === value) return;
	throw new InputProblem(
		`The data to send says ${name} ${shown(said)}, but this operation sends ${shown(value)}`,
		`Remove ${name} from the data, or choose another Resource than ${resource} in this node.`,
	);
}
