const HIDDEN = '[hidden]';
/** A shorter run of base64 could stand in any text by chance. */
const SHORTEST_BASE64 = 8;

/** Making a pattern takes a ms, and thousands of items may fail with the same secrets at hand. */
const patterns = new WeakMap<readonly string[], RegExp>();

/**
 * Hides every secret in a text, in each form in which a service may repeat it: as it is or in another case, with
 * characters escaped as in an address or in JSON, and inside base64 (as in `Bearer …` encoded whole).
 *
 * @param secrets the same array at each call, so that its pattern is made once
 */
export function redact(text: string, secrets: readonly string[]): string {
	const known = secrets.filter((secret) => secret !== '');
	if (known.length === 0) return text;
	let pattern = patterns.get(secrets);
	if (pattern === undefined) {
		pattern = anyFormOf(known);
		patterns.set(secrets, pattern);
	}
	return text.replace(pattern, HIDDEN);
}

function anyFormOf(secrets: string[]): RegExp {
	// The longest first, since one may hold another.
	const forms = secrets
		.sort((a, b) => b.length - a.length)
		.flatMap((secret) => [patternOf(secret, escapesOf), ...base64PatternsOf(secret)]);
	return new RegExp(forms.join('|'), 'gi');
}

function patternOf(text: string, charPattern: (char: string) => string): string {
	return text.split('').map(charPattern).join('');
}

/** Matches one character: as it is, `\/`, `\u002f`, `%2F`, and the same escaped once more. */
function escapesOf(char: string): string {
	const hex = char.charCodeAt(0).toString(16);
	const forms = [`\\\\{1,2}u${hex.padStart(4, '0')}`];
	if (char < '\x80') forms.push(`%(?:25)?${hex.padStart(2, '0')}`);
	// The shortest form last, so that nothing of a longer one is left over.
	forms.push(`\\\\{0,3}${char.replace(/[^a-z0-9]/gi, '\\$&')}`);
	return `(?:${forms.join('|')})`;
}

/** Base64 of a secret depends on how many bytes stand before it; what both sides share a character with is left out. */
function base64PatternsOf(secret: string): string[] {
	return [0, 1, 2]
		.map((before) => {
			const bytes = Buffer.from(' '.repeat(before) + secret);
			const end = Math.floor((bytes.length * 8) / 6);
			return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), end);
		})
		.filter((encoded) => encoded.length >= SHORTEST_BASE64)
		.map((encoded) => patternOf(encoded, base64CharOf));
}

/** In addresses base64 has - and _ in place of + and /. */
function base64CharOf(char: string): string {
	if (char === '+') return `(?:${escapesOf(char)}|-)`;
	return char === '/' ? `(?:${escapesOf(char)}|_)` : char;
}
