import { isObject } from '../client/envelope';
import { parseExactJson, WrittenNumber } from '../client/exact-json';
import { InputProblem } from './errors';
import { shown } from './parameters';

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

/**
 * Refuses numbers that cannot be sent as they were meant. JavaScript holds integers up to 2^53 only: a larger one may
 * have been another number, and so another record.
 *
 * @param value plain JSON values; a WrittenNumber has all its digits
 * @param place where it is, for the user: what it is, and its name
 * @param otherwise what else the user can do, in words that follow "Make it text …"
 * @throws InputProblem naming the place
 */
export function refuseLostDigits(
	value: unknown,
	place: { what: string; name: string },
	otherwise = '',
): void {
	const { what, name } = place;
	if (typeof value === 'number' && !Number.isFinite(value)) {
		throw new InputProblem(
			`The ${what} ${shown(name)} is not a number that can be sent`,
			`It is ${value}. Check the expression or the node that it comes from.`,
		);
	}
	if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
		throw new InputProblem(
			`The number in the ${what} ${shown(name)} is too large to be sent without a mistake`,
			`It arrived as ${value}, but n8n keeps whole numbers exactly only up to ${Number.MAX_SAFE_INTEGER}, so its last digits may be wrong and mean another record. Make it text where it comes from, before n8n reads it as a number${otherwise}.`,
		);
	}
	if (typeof value !== 'object' || value === null || value instanceof WrittenNumber) return;
	for (const [key, entry] of Object.entries(value)) {
		const inside = Array.isArray(value) ? `${name}[${key}]` : [name, key].filter(Boolean).join('.');
		refuseLostDigits(entry, { what, name: inside }, otherwise);
	}
}
