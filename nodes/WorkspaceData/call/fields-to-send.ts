import { isObject } from '../../client/envelope';
import { toPlainJson } from '../../client/exact-json';
import { InputProblem } from '../../common/errors';
import { isEmpty, optionalText, shown } from '../../common/parameters';
import { valueType } from '../../common/value-types';

/** One row of Fields to Send, as it was found. */
interface Field {
	name: string;
	value: unknown;
	/** What the row says its value is; undefined where rows have no type, as in a tool of an AI agent. */
	type: unknown;
	/** n8n made the value, and not the user: numbers in it may have lost digits before. */
	isExpression: boolean;
}

/**
 * Whether n8n makes the value of a parameter, and not the user.
 *
 * @param path of the value below the node's parameters, for example `fields.assignments.0.value`
 */
export type IsExpression = (path: string) => boolean;

/**
 * The fields of Fields to Send, as plain JSON values. The rows of n8n's assignment collection have types: text in a row
 * of another type is read as that type. What an expression gives keeps its own type in a row for text, and in rows
 * without one. A field that was left empty, or whose expression gives nothing, is undefined.
 *
 * @param value `{assignments: [{name, value, type}]}`, `{values: [{name, value}]}`, or both
 * @throws InputProblem for a row without a name, a name that is listed twice, a file, and a value that is not what
 * its row says
 */
export function readFieldsToSend(
	value: unknown,
	isExpression: IsExpression = () => false,
): Record<string, unknown> {
	const body = new Map<string, unknown>();
	const rows = ['assignments', 'values'].flatMap((shape) => fieldsOf(value, shape, isExpression));
	for (const [index, row] of rows.entries()) {
		const name = optionalText(row.name, 'The name of a field to send');
		if (name === undefined) {
			throw new InputProblem(
				`Field ${index + 1} under Fields to Send has no name`,
				'Enter its name, or remove the field.',
			);
		}
		if (body.has(name)) {
			throw new InputProblem(
				`The field ${shown(name)} is listed twice under Fields to Send`,
				'Remove one of them: only one value can be sent.',
			);
		}
		body.set(name, valueToSend({ ...row, name }));
	}
	return Object.fromEntries(body);
}

/** An expression may give a single row without a list. */
function fieldsOf(
	value: unknown,
	shape: string,
	isExpression: IsExpression,
): Array<Omit<Field, 'name'> & { name: unknown }> {
	const given: unknown = isObject(value) ? (value[shape] ?? []) : [];
	const rows: unknown[] = Array.isArray(given) ? given : [given];
	return rows.map((row, index) => {
		const { name, value: content, type } = isObject(row) ? row : {};
		const path = `fields.${shape}.${index}.value`;
		return { name, value: content, type, isExpression: isExpression(path) };
	});
}

function valueToSend({ name, value, type, isExpression }: Field): unknown {
	if (type === 'binary') {
		throw new InputProblem(
			`The field ${shown(name)} under Fields to Send is set to Binary, but files cannot be sent`,
			'Choose another type for the field, or remove it.',
		);
	}
	const plain = toPlainJson(value);
	if (isBlank(plain)) return undefined;
	const wanted = valueType(type);
	if (wanted === undefined) return plain;
	const found = typeof plain === 'string' ? wanted.read(plain.trim(), !isExpression) : plain;
	if (wanted.accepts(found)) return found;
	throw new InputProblem(
		`The field ${shown(name)} under Fields to Send is set to ${wanted.label}, but its value is something else`,
		`${wanted.fix}, or choose another type for the field. It is ${shown(value)} now.`,
	);
}

/** Also text of spaces alone: it says nothing about any record. */
export function isBlank(value: unknown): boolean {
	return isEmpty(typeof value === 'string' ? value.trim() : value);
}
