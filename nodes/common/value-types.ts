import { isObject } from '../client/envelope';
import { parseExactJson, WrittenNumber } from '../client/exact-json';

/** A type that a row of n8n's assignment collection may say its value has. */
export interface ValueType {
	/** As the panel calls it. */
	label: string;
	accepts: (value: unknown) => boolean;
	/** What text means in such a row; undefined, which no row accepts, for text that is nothing of the kind. */
	read: (text: string, isWritten: boolean) => unknown;
	/** What the user can do, without a full stop. */
	fix: string;
}

const TYPES: Record<string, ValueType> = {
	number: {
		label: 'Number',
		accepts: (value) => typeof value === 'number' || value instanceof WrittenNumber,
		read: readJson,
		fix: 'Write it in digits, such as 12 or 12.5',
	},
	boolean: {
		label: 'Boolean',
		accepts: (value) => typeof value === 'boolean',
		read: (text) => ({ true: true, false: false })[text.toLowerCase()],
		fix: 'Use true or false',
	},
	array: {
		label: 'Array',
		accepts: Array.isArray,
		read: readJson,
		fix: 'Write it as a JSON list, such as ["a", "b"]',
	},
	object: {
		label: 'Object',
		accepts: (value) => isObject(value) && !(value instanceof WrittenNumber),
		read: readJson,
		fix: 'Write it as a JSON object, such as { "city": "Paris" }',
	},
};

/** The type of that name; undefined for text, which every value may stay in, and for what is no type. */
export function valueType(name: unknown): ValueType | undefined {
	return Object.hasOwn(TYPES, String(name)) ? TYPES[String(name)] : undefined;
}

function readJson(text: string, isWritten: boolean): unknown {
	try {
		return parseExactJson(text, isWritten);
	} catch {
		return undefined;
	}
}
