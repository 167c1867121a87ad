/** A number of JSON text that would be another one as a JavaScript number: kept as it was written. */
export class WrittenNumber {
	readonly text: string;

	constructor(text: string) {
		this.text = text;
	}
}

/** Strings are matched too, so that digits inside them are no numbers. */
const STRING_OR_NUMBER = /"(?:[^"\\]+|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Reads JSON without changing any number: one that JavaScript cannot hold becomes a WrittenNumber. Throws SyntaxError.
 *
 * @param isWritten false for text that a program may have made of JavaScript numbers: there, an integer beyond 2^53
 * that can be one of them may have lost digits before, and stays a number
 */
export function parseExactJson(text: string, isWritten: boolean): unknown {
	const parsed = JSON.parse(text) as unknown;
	const written = JSON.stringify(parsed);
	// JSON writes these characters as they are, so they cannot hide in escapes.
	let mark = '#';
	while (written.includes(mark)) mark += '#';
	const marked = text.replace(STRING_OR_NUMBER, (token) =>
		token.startsWith('"') || isKept(token, isWritten) ? token : `"${mark}${token}"`,
	);
	if (marked === text) return parsed;
	return JSON.parse(marked, (_key, value: unknown) =>
		typeof value === 'string' && value.startsWith(mark)
			? new WrittenNumber(value.slice(mark.length))
			: value,
	);
}

/** A text without such a run of digits, or such an exponent, holds no number that loses digits. Others may or may not. */
const MAY_LOSE_DIGITS = /[\d.]{16}|\d[eE][+-]?\d{3}/;

/** The body of an answer with all digits of its numbers, for telling values apart; what users get is the body itself. */
export function bodyWithAllDigits({ body, text }: { body: unknown; text: string }): unknown {
	if (!MAY_LOSE_DIGITS.test(text)) return body;
	try {
		return parseExactJson(text, false);
	} catch {
		// The text was read before: what fails is the search in a single text of many megabytes.
		return body;
	}
}

/** Whether a number of JSON text may become a JavaScript number. */
function isKept(token: string, isWritten: boolean): boolean {
	const number = Number(token);
	if (!Number.isFinite(number) || decimalOf(token) !== decimalOf(String(number))) return false;
	return !isWritten || !Number.isInteger(number) || Number.isSafeInteger(number);
}

/** One form for all ways in which JSON and JavaScript write a number, for example 15e-1 for 1.5 and 1.50. */
function decimalOf(text: string): string {
	const [mantissa, exponent = '0'] = text.toLowerCase().split('e');
	const [whole, fraction = ''] = mantissa.replace('-', '').split('.');
	const digits = (whole + fraction).replace(/^0+/, '');
	const significant = digits.replace(/0+$/, '');
	if (significant === '') return '0';
	const power = BigInt(exponent) + BigInt(digits.length - significant.length - fraction.length);
	return `${mantissa.startsWith('-') ? '-' : ''}${significant}e${power}`;
}

/**
 * What JSON.stringify would write of a value, as plain objects, lists and scalars: without undefined, functions and
 * symbols, dates as text. Big integers (`bigint`), which JSON.stringify refuses, keep all their digits.
 */
export function toPlainJson(value: unknown): unknown {
	const { toJSON } = Object(value) as { toJSON?: unknown };
	// Not of a bigint: n8n gives it one that makes a text of it.
	const hasOwnForm = typeof toJSON === 'function' && typeof value !== 'bigint';
	const plain: unknown = hasOwnForm ? toJSON.call(value) : value;
	if (typeof plain === 'bigint') return new WrittenNumber(String(plain));
	if (typeof plain === 'function' || typeof plain === 'symbol') return undefined;
	if (typeof plain !== 'object' || plain === null || plain instanceof WrittenNumber) return plain;
	if (Array.isArray(plain)) return Array.from(plain, (entry) => toPlainJson(entry) ?? null);
	const entries = Object.entries(plain).map(([key, entry]) => [key, toPlainJson(entry)] as const);
	// From entries, since assigning would take a field named __proto__ for something else.
	return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined));
}

/** A value as JSON text: what JSON.stringify writes, with every WrittenNumber and bigint to its last digit. */
export function writeJson(value: unknown): string {
	return write(toPlainJson(value), false);
}

/**
 * One JSON text for each JSON value, and for no other: the order of the keys and the way a number is written make no
 * difference, everything else does. Values that JSON has no form for are what JSON.stringify makes of them.
 */
export function canonicalJson(value: unknown): string {
	return write(toPlainJson(value), true);
}

function write(value: unknown, isCanonical: boolean): string {
	if (value instanceof WrittenNumber || Number.isFinite(value)) {
		const text = value instanceof WrittenNumber ? value.text : String(value);
		return isCanonical ? decimalOf(text) : text;
	}
	if (Array.isArray(value)) return `[${value.map((entry) => write(entry, isCanonical)).join()}]`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
	const members = Object.entries(value);
	if (isCanonical) members.sort(([one], [other]) => (one < other ? -1 : 1));
	return `{${members.map(([key, entry]) => `${JSON.stringify(key)}:${write(entry, isCanonical)}`).join()}}`;
}
