import { createHash } from 'crypto';

import { parseJson } from './json';

/** Number from a JSON text. It is stored as text, because a JavaScript number would lose digits or change its value. */
export class WrittenNumber {
	readonly text: string;

	constructor(text: string) {
		this.text = text;
	}
}

/** Matches escapes, quotation marks and numbers in JSON text. Quotation marks show which digits are in a string. */
const ESCAPE_QUOTE_OR_NUMBER = /\\[^]|"|-?\d[\d.eE+-]*/g;

/** Checks whether a value is one of the tiny numbers that `parseExactJson` uses as placeholders for other numbers. */
function isPlaceholder(value: unknown): value is number {
	return typeof value === 'number' && value !== 0 && Math.abs(value) < 2 ** 52 * Number.MIN_VALUE;
}

/**
 * Parses JSON without changing any number. A number that JavaScript cannot hold exactly becomes a WrittenNumber.
 * Returns undefined if the text is not JSON.
 * @param isHandwritten true if the user typed the text. Every integer above 2^53 then becomes a WrittenNumber, even if
 * JavaScript would keep its digits
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

/** Checks quickly whether JSON.parse may change a number in the text. False means that no number changes. */
export function mayLoseDigits(text: string): boolean {
	return /[\d.]{16}|\d[eE][+-]?\d{3}/.test(text);
}

/** Returns the body of a response with all digits. It may contain WrittenNumber objects, so it is not plain JSON. */
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

/** Returns what a value's `toJSON` method returns, for example the text of a date. Other values stay unchanged. */
export function formInJson(value: unknown): unknown {
	const { toJSON } = Object(value) as { toJSON?: unknown };
	// Ignore the toJSON method that n8n adds to bigint, because it returns a string.
	const hasOwnForm = typeof toJSON === 'function' && typeof value !== 'bigint';
	return hasOwnForm ? toJSON.call(value) : value;
}

/**
 * Returns a value as plain JSON, as JSON.stringify converts it. A bigint becomes a WrittenNumber with all its digits.
 * @param omitted names of fields to leave out, at any depth
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
	// Use fromEntries, because an assignment to a field named __proto__ would change the prototype.
	return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined));
}

/** Writes a value as JSON, as JSON.stringify does, but with all digits of every WrittenNumber and bigint. */
export function writeJson(value: unknown): string {
	return writePlainJson(toPlainJson(value), false);
}

/** Writes JSON in a canonical form: equal values have the same text, whatever their key order or number spelling. */
export function canonicalJson(value: unknown): string {
	return writePlainJson(toPlainJson(value), true);
}

/** Returns 66 bits of a text's SHA-256 hash as 11 base64 characters, enough to tell thousands of texts apart. */
export function digestOf(text: string): string {
	return createHash('sha256').update(text).digest('base64').slice(0, 11);
}

/** Writes a result of `toPlainJson` as JSON text, in the form of `canonicalJson` if `isCanonical` is true. */
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
