import { createHash } from 'crypto';

import { parseJson } from './json';

/** Number of a JSON text that JavaScript would change. Keeps the number as it was written. */
export class WrittenNumber {
	readonly text: string;

	constructor(text: string) {
		this.text = text;
	}
}

/** Matches escapes, quotes and numbers. Quotes that are not escaped show which digits are inside strings. */
const ESCAPE_QUOTE_OR_NUMBER = /\\[^]|"|-?\d[\d.eE+-]*/g;

/**
 * Checks whether a value is a placeholder. Tiny numbers replace the numbers that JavaScript cannot hold. A real number
 * of that size gets a placeholder too.
 */
function isPlaceholder(value: unknown): value is number {
	return typeof value === 'number' && value !== 0 && Math.abs(value) < 2 ** 52 * Number.MIN_VALUE;
}

/**
 * Reads JSON without changing any number. A number that JavaScript cannot hold becomes a WrittenNumber. Returns
 * undefined if the text is not JSON.
 * @param isHandwritten false if a program may have made the text from JavaScript numbers: an integer above 2^53 may
 * have lost digits before, so it stays a number if JavaScript can hold it
 */
export function parseExactJson(text: string, isHandwritten: boolean): unknown {
	const parsed = parseJson(text);
	const replaced: Array<number | WrittenNumber> = [];
	let isInString = false;
	const placeholderFor = (token: string): string => {
		const number = keepsDigits(token, isHandwritten) ? Number(token) : new WrittenNumber(token);
		const isSafe = typeof number === 'number' && !isPlaceholder(number);
		return isSafe ? token : String(replaced.push(number) * Number.MIN_VALUE);
	};
	const withPlaceholders = text.replace(ESCAPE_QUOTE_OR_NUMBER, (token) => {
		if (token === '"') isInString = !isInString;
		return isInString || token === '"' ? token : placeholderFor(token);
	});
	if (parsed === undefined || replaced.length === 0) return parsed;
	return JSON.parse(withPlaceholders, (_key, value: unknown) =>
		isPlaceholder(value) ? replaced[value / Number.MIN_VALUE - 1] : value,
	);
}

/** Checks quickly whether numbers of a text may lose digits. Never false by mistake, but sometimes true by mistake. */
export function mayLoseDigits(text: string): boolean {
	return /[\d.]{16}|\d[eE][+-]?\d{3}/.test(text);
}

/** Returns the body of a response with all digits of its numbers, for comparisons only. Users get the body itself. */
export function bodyWithAllDigits({ body, text }: { body: unknown; text: string }): unknown {
	return mayLoseDigits(text) ? parseExactJson(text, false) : body;
}

function keepsDigits(token: string, isHandwritten: boolean): boolean {
	const number = Number(token);
	if (!Number.isFinite(number) || decimalOf(token) !== decimalOf(String(number))) return false;
	return !isHandwritten || !Number.isInteger(number) || Number.isSafeInteger(number);
}

/** Returns one form for all spellings of a number, for example "15e-1" for 1.5 and 1.50. */
function decimalOf(text: string): string {
	const [mantissa, exponent = '0'] = text.toLowerCase().split('e');
	const [, sign = '', whole = '', fraction = ''] = /^(-?)0*(\d*)\.?(\d*)/.exec(mantissa) ?? [];
	const digits = (whole + fraction).replace(/^0+/, '');
	let end = digits.length;
	while (digits[end - 1] === '0') end -= 1;
	const power = Number(exponent) + digits.length - end - fraction.length;
	return end === 0 ? '0' : `${sign}${digits.slice(0, end)}e${power}`;
}

/**
 * Returns the result of a value's `toJSON`, for example the text of a date, or null for an invalid date. Returns other
 * values unchanged.
 */
export function formInJson(value: unknown): unknown {
	const { toJSON } = Object(value) as { toJSON?: unknown };
	// n8n adds a toJSON to bigint that returns a text.
	const hasOwnForm = typeof toJSON === 'function' && typeof value !== 'bigint';
	return hasOwnForm ? toJSON.call(value) : value;
}

/**
 * Returns the value that JSON.stringify would write, as plain JSON. Leaves out the fields with the names of `omitted`,
 * at any depth. A bigint becomes a WrittenNumber, so it keeps all its digits.
 */
export function toPlainJson(value: unknown, omitted: readonly string[] = []): unknown {
	const plain = formInJson(value);
	if (typeof plain === 'bigint') return new WrittenNumber(String(plain));
	if (typeof plain === 'function' || typeof plain === 'symbol') return undefined;
	if (typeof plain !== 'object' || plain === null || plain instanceof WrittenNumber) return plain;
	if (Array.isArray(plain))
		return Array.from(plain, (entry) => toPlainJson(entry, omitted) ?? null);
	const members = Object.entries(plain).filter(([key]) => !omitted.includes(key));
	const entries = members.map(([key, entry]) => [key, toPlainJson(entry, omitted)] as const);
	// An assignment to a field named __proto__ would change the prototype.
	return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined));
}

/** Writes JSON as JSON.stringify does, but with all digits of every WrittenNumber and bigint. */
export function writeJson(value: unknown): string {
	return writePlainJson(toPlainJson(value), false);
}

/**
 * Writes JSON so that two values have the same text only if they are equal. The order of keys and the spelling of
 * numbers do not matter.
 */
export function canonicalJson(value: unknown): string {
	return writePlainJson(toPlainJson(value), true);
}

/** Returns 66 bits of the SHA-256 of a text, in base64. That is enough for thousands of digests without a collision. */
export function digestOf(text: string): string {
	return createHash('sha256').update(text).digest('base64').slice(0, 11);
}

/** Writes plain JSON as `writeJson` does, or as `canonicalJson` does. */
export function writePlainJson(value: unknown, isCanonical: boolean): string {
	if (value instanceof WrittenNumber || Number.isFinite(value)) {
		const text = value instanceof WrittenNumber ? value.text : String(value);
		return isCanonical ? decimalOf(text) : text;
	}
	if (Array.isArray(value))
		return `[${value.map((entry) => writePlainJson(entry, isCanonical)).join()}]`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
	const members = Object.entries(value);
	if (isCanonical) members.sort(([left], [right]) => (left < right ? -1 : 1));
	return `{${members.map(([key, entry]) => `${JSON.stringify(key)}:${writePlainJson(entry, isCanonical)}`).join()}}`;
}
