import { createHash } from 'crypto';

import { parseJson } from './json';

/** A number of JSON text that would be another one as a JavaScript number: kept as it was written. */
export class WrittenNumber {
	readonly text: string;

	constructor(text: string) {
		this.text = text;
	}
}

/** A quote that is not escaped begins or ends a string; digits inside strings are no numbers. */
const ESCAPE_QUOTE_OR_NUMBER = /\\[^]|"|-?\d[\d.eE+-]*/g;

/** Tiny numbers serve as placeholders for numbers that JavaScript cannot hold; real ones of that size get one too. */
function isMark(value: unknown): value is number {
	return typeof value === 'number' && value !== 0 && Math.abs(value) < 2 ** 52 * Number.MIN_VALUE;
}

/**
 * Reads JSON without changing any number: one that JavaScript cannot hold becomes a WrittenNumber. Undefined for no JSON.
 * @param isWritten false for text that a program may have made of JavaScript numbers: there, an integer beyond 2^53
 * that can be one of them may have lost digits before, and stays a number
 */
export function parseExactJson(text: string, isWritten: boolean): unknown {
	const parsed = parseJson(text);
	const replaced: Array<number | WrittenNumber> = [];
	let isInString = false;
	const markFor = (token: string): string => {
		const number = isKept(token, isWritten) ? Number(token) : new WrittenNumber(token);
		const isSafe = typeof number === 'number' && !isMark(number);
		return isSafe ? token : String(replaced.push(number) * Number.MIN_VALUE);
	};
	const marked = text.replace(ESCAPE_QUOTE_OR_NUMBER, (token) => {
		if (token === '"') isInString = !isInString;
		return isInString || token === '"' ? token : markFor(token);
	});
	if (parsed === undefined || replaced.length === 0) return parsed;
	return JSON.parse(marked, (_key, value: unknown) =>
		isMark(value) ? replaced[value / Number.MIN_VALUE - 1] : value,
	);
}

/** False for a text without a number that loses digits; true for others, and for some of those. */
export function mayLoseDigits(text: string): boolean {
	return /[\d.]{16}|\d[eE][+-]?\d{3}/.test(text);
}

/** The body of an answer with all digits of its numbers, to distinguish values; what users get is the body itself. */
export function bodyWithAllDigits({ body, text }: { body: unknown; text: string }): unknown {
	return mayLoseDigits(text) ? parseExactJson(text, false) : body;
}

function isKept(token: string, isWritten: boolean): boolean {
	const number = Number(token);
	if (!Number.isFinite(number) || decimalOf(token) !== decimalOf(String(number))) return false;
	return !isWritten || !Number.isInteger(number) || Number.isSafeInteger(number);
}

/** One form for all ways in which JSON and JavaScript write a number, for example 15e-1 for 1.5 and 1.50. */
function decimalOf(text: string): string {
	const [mantissa, exponent = '0'] = text.toLowerCase().split('e');
	const [, sign = '', whole = '', fraction = ''] = /^(-?)0*(\d*)\.?(\d*)/.exec(mantissa) ?? [];
	const digits = (whole + fraction).replace(/^0+/, '');
	let end = digits.length;
	while (digits[end - 1] === '0') end -= 1;
	const power = Number(exponent) + digits.length - end - fraction.length;
	return end === 0 ? '0' : `${sign}${digits.slice(0, end)}e${power}`;
}

/** A value, or what stands for it in JSON by its own word: a date's text, null for a date that could not be read. */
export function formInJson(value: unknown): unknown {
	const { toJSON } = Object(value) as { toJSON?: unknown };
	// Not of a bigint: n8n gives it one that makes a text of it.
	const hasOwnForm = typeof toJSON === 'function' && typeof value !== 'bigint';
	return hasOwnForm ? toJSON.call(value) : value;
}

/** What JSON.stringify would write of a value, as plain JSON, without the fields of these names. A `bigint` keeps all its digits. */
export function toPlainJson(value: unknown, leftOut: readonly string[] = []): unknown {
	const plain = formInJson(value);
	if (typeof plain === 'bigint') return new WrittenNumber(String(plain));
	if (typeof plain === 'function' || typeof plain === 'symbol') return undefined;
	if (typeof plain !== 'object' || plain === null || plain instanceof WrittenNumber) return plain;
	if (Array.isArray(plain)) return Array.from(plain, (one) => toPlainJson(one, leftOut) ?? null);
	const kept = Object.entries(plain).filter(([key]) => !leftOut.includes(key));
	const entries = kept.map(([key, entry]) => [key, toPlainJson(entry, leftOut)] as const);
	// From entries, since assigning would take a field named __proto__ for something else.
	return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined));
}

/** What JSON.stringify writes, with every WrittenNumber and bigint to its last digit. */
export function writeJson(value: unknown): string {
	return writePlainJson(toPlainJson(value), false);
}

/** The same text for values that differ in the order of keys or the way a number is written, and for no others. */
export function canonicalJson(value: unknown): string {
	return writePlainJson(toPlainJson(value), true);
}

/** 66 bits of the SHA-256 of a text, in base64, so that thousands of them never meet by chance. */
export function digestOf(text: string): string {
	return createHash('sha256').update(text).digest('base64').slice(0, 11);
}

/** What `writeJson`, or `canonicalJson`, gives for what is plain JSON already. */
export function writePlainJson(value: unknown, isCanonical: boolean): string {
	if (value instanceof WrittenNumber || Number.isFinite(value)) {
		const text = value instanceof WrittenNumber ? value.text : String(value);
		return isCanonical ? decimalOf(text) : text;
	}
	if (Array.isArray(value))
		return `[${value.map((entry) => writePlainJson(entry, isCanonical)).join()}]`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
	const members = Object.entries(value);
	if (isCanonical) members.sort(([one], [other]) => (one < other ? -1 : 1));
	return `{${members.map(([key, entry]) => `${JSON.stringify(key)}:${writePlainJson(entry, isCanonical)}`).join()}}`;
}
