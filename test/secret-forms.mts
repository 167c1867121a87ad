/**
 * Forms in which a service may repeat a secret, and ways in which a reader could decode them. This file does not use
 * the code under test.
 */

const codes = (text: string, write: (code: number, char: string) => string): string =>
	[...text].map((char) => write(char.charCodeAt(0), char)).join('');
const hex = (code: number, digits = 2): string => code.toString(16).padStart(digits, '0');

const NAMES: Record<string, string> = {
	'&': 'amp',
	'<': 'lt',
	'>': 'gt',
	'"': 'quot',
	"'": 'apos',
};

/** Functions that escape text. */
export const ESCAPES: Record<string, (text: string) => string> = {
	'as it is': (text) => text,
	'for an address': (text) => encodeURIComponent(text),
	'for an address, every character': (text) => codes(text, (code) => `%${hex(code)}`),
	'in JSON': (text) => JSON.stringify(text).slice(1, -1),
	'in JSON with escaped slashes': (text) =>
		JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
	'in JSON, every character': (text) => codes(text, (code) => `\\u${hex(code, 4)}`),
	'in HTML': (text) => codes(text, (_code, char) => (char in NAMES ? `&${NAMES[char]};` : char)),
	'in HTML by numbers': (text) => codes(text, (code) => `&#${code};`),
	'in HTML by hexadecimal numbers': (text) => codes(text, (code) => `&#x${hex(code)};`),
};

/** Functions that encode a secret before it is escaped. */
export const ENCODINGS: Record<string, (text: string) => string> = {
	plain: (text) => text,
	'in capitals': (text) => text.toUpperCase(),
	base64: (text) => Buffer.from(text).toString('base64'),
	base64url: (text) => Buffer.from(text).toString('base64url'),
	'base64 of more': (text) => Buffer.from(`a:${text}:b`).toString('base64'),
};

const READERS: Array<(text: string) => string> = [
	(text) => text.replace(/%([\da-f]{2})/gi, (_all, digits: string) => fromHex(digits)),
	(text) =>
		text
			.replace(/\\u([\da-f]{4})/gi, (_all, digits: string) => fromHex(digits))
			.replace(/\\(["\\/])/g, '$1'),
	(text) =>
		text
			.replace(/&#x([\da-f]+);/gi, (_all, digits: string) => fromHex(digits))
			.replace(/&#(\d+);/g, (_all, digits: string) => String.fromCharCode(Number(digits)))
			.replace(/&([a-z]+);/g, (all, name: string) => {
				const [char] = Object.entries(NAMES).find(([, known]) => known === name) ?? [all];
				return char;
			}),
];
const fromHex = (digits: string): string => String.fromCharCode(parseInt(digits, 16));

/** Yields every text that a reader could decode from the given text. */
function* readingsOf(text: string): Generator<string> {
	for (const known of [text, ...READERS.map((read) => read(text))]) {
		yield known;
		for (const [run] of known.matchAll(/[\w+/-]{8,}/g)) {
			for (const from of [0, 1, 2, 3])
				yield Buffer.from(run.slice(from), 'base64').toString('latin1');
		}
	}
}

/**
 * Returns nine consecutive characters of a secret that a reader could decode from a text. Undefined if there are none.
 */
export function leakOf(text: string, secret: string): string | undefined {
	const pieces = Array.from({ length: Math.max(1, secret.length - 8) }, (_none, from) =>
		secret.slice(from, from + 9).toLowerCase(),
	);
	for (const reading of readingsOf(text)) {
		const folded = reading.toLowerCase();
		const piece = pieces.find((one) => folded.includes(one));
		if (piece !== undefined) return piece;
	}
	return undefined;
}
