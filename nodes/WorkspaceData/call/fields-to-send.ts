import { isObject } from '../../client/envelope';
import { parseExactJson, toPlainJson, WrittenNumber } from '../../client/exact-json';
import { InputProblem } from '../../common/errors';
import { isEmpty, isExpression, optionalText, shown } from '../../common/parameters';
import type { Task } from '../task';

/** The types of rows that text is converted to, by n8n's name: as the panel calls each, and how the user writes it. */
const TYPES = new Map<unknown, { label: string; fix: string }>([
	['number', { label: 'Number', fix: 'Write it in digits, such as 12 or 12.5' }],
	['boolean', { label: 'Boolean', fix: 'Use true or false' }],
	['array', { label: 'Array', fix: 'Write it as a JSON list, such as ["a", "b"]' }],
	['object', { label: 'Object', fix: 'Write it as a JSON object, such as { "city": "Paris" }' }],
]);

/**
 * The fields of Fields to Send. The rows of n8n's assignment collection have types: text in a row
 * of another type is read as that type. What an expression gives keeps its own type in a row for text, and in rows
 * without one. A field that was left empty, or whose expression gives nothing, is undefined. Throws InputProblem.
 *
 * @param value `{assignments: [{name, value, type}]}`, `{values: [{name, value}]}`, or both
 */
export function readFieldsToSend(value: unknown, rawParameters: Task['rawParameters']) {
	const body = new Map<string, unknown>();
	for (const shape of ['assignments', 'values']) {
		const rows: unknown = isObject(value) ? (value[shape] ?? []) : [];
		// An expression may give a single row without a list.
		for (const [index, row] of [rows].flat().entries()) {
			const { name: given, value: content, type } = isObject(row) ? row : {};
			const name = optionalText(given, 'Fields to Send: Name');
			if (name === undefined) {
				throw new InputProblem(
					`Field ${body.size + 1} under 'Fields to Send' has no name`,
					'Enter its name, or remove the field.',
				);
			}
			if (body.has(name)) {
				throw new InputProblem(
					`The field ${shown(name)} is listed twice under 'Fields to Send'`,
					'Remove one of them: only one value can be sent.',
				);
			}
			const isWritten = !isExpression(rawParameters, `fields.${shape}.${index}.value`);
			body.set(name, valueToSend(name, content, type, isWritten));
		}
	}
	return Object.fromEntries(body);
}

/** @param isWritten false where n8n made the value: numbers in it may have lost digits before */
function valueToSend(name: string, value: unknown, type: unknown, isWritten: boolean): unknown {
	if (type === 'binary') {
		throw new InputProblem(
			`The field ${shown(name)} under 'Fields to Send' is set to Binary, but files cannot be sent`,
			'Choose another type for the field, or remove it.',
		);
	}
	if (isBlank(value)) return undefined;
	const wanted = TYPES.get(type);
	if (wanted === undefined) return value;
	const plain = toPlainJson(value);
	const found = typeof plain === 'string' ? readText(plain.trim(), isWritten) : plain;
	if (typeOf(found) === type) return found;
	throw new InputProblem(
		`The field ${shown(name)} under 'Fields to Send' is set to ${wanted.label}, but its value is something else`,
		`${wanted.fix}, or choose another type for the field. It is ${shown(value)} now.`,
	);
}

/** What text means in a row that is not for text; undefined, which no row accepts, where it means nothing. */
function readText(text: string, isWritten: boolean): unknown {
	try {
		return parseExactJson(/^(?:true|false)$/i.test(text) ? text.toLowerCase() : text, isWritten);
	} catch {
		return undefined;
	}
}

/** By n8n's name. */
function typeOf(value: unknown): string {
	if (value instanceof WrittenNumber) return 'number';
	if (Array.isArray(value)) return 'array';
	return value === null ? 'null' : typeof value;
}

/** Also text of spaces alone: it says nothing about any record. */
export function isBlank(value: unknown): boolean {
	return isEmpty(typeof value === 'string' ? value.trim() : value);
}
