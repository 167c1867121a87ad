const HIDDEN = '[hidden]';
/** So many characters of a secret in a row are hidden: a service may cut it short. */
const PIECE = 9;
/** A shorter run of base64 could stand in any text by chance. */
const SHORTEST_BASE64 = 8;
/** What is escaped may stand within what is escaped again. */
const MOST_ESCAPES = 4;

/** Escapes of JSON and of addresses, HTML's by number and by name; a backslash may stand before any other character. */
const ESCAPE =
	/(?:[\\%]u00|\\x|%)([\da-f]{2})|&#(x[\da-f]{1,20}|\d{1,20});?|&([a-z]{2,8});|\\(.)/gis;
const NAMED = Object.fromEntries(
	'amp& lt< gt> quot" apos\' excl! num# dollar$ percnt% lpar( rpar) ast* plus+ comma, dash- hyphen- period. sol/ colon: semi; equals= quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] hat^ lowbar_ underbar_ grave` lcub{ lbrace{ verbar| vert| rcub} rbrace} tilde~'
		.split(' ')
		.map((entry) => [entry.slice(0, -1), entry.slice(-1)]),
);

/** Texts that must not show, their lengths, and how many secrets they were made of. */
type Pieces = { texts: Set<string>; lengths: Set<number>; secrets: number };

/** By the array of secrets, so that each is prepared once. The array may grow. */
const known = new WeakMap<readonly string[], Pieces>();

/**
 * Hides the secrets in a text, so that no nine of their characters in a row are left: as they are, in another case, in
 * base64, and escaped as in JSON, addresses and HTML, once or several times. Takes a time that grows with the text only.
 * @param secrets the same array at each call, so that each secret is prepared once; more may be added to it
 */
export function redact(text: string, secrets: readonly string[]): string {
	const pieces = piecesOf(secrets);
	const isHidden = new Uint8Array(text.length);
	for (const { text: read, offsets } of readingsOf(text)) {
		const folded = fold(read);
		for (const length of pieces.lengths) {
			for (let at = 0; at + length <= folded.length; at++) {
				if (!pieces.texts.has(folded.slice(at, at + length))) continue;
				isHidden.fill(1, offsets[at], offsets[at + length]);
			}
		}
	}
	let clean = '';
	for (let at = 0; at < text.length; at++) {
		if (isHidden[at] === 0) clean += text[at];
		else if (isHidden[at - 1] !== 1) clean += HIDDEN;
	}
	return clean;
}

function piecesOf(secrets: readonly string[]): Pieces {
	const pieces = known.get(secrets) ?? { texts: new Set(), lengths: new Set(), secrets: 0 };
	known.set(secrets, pieces);
	for (; pieces.secrets < secrets.length; pieces.secrets++) {
		const secret = secrets[pieces.secrets];
		// What looks like an escape in the secret itself is read as one where others are.
		const long = readingsOf(secret).flatMap(({ text }) => (text.length < PIECE ? [] : text));
		for (const form of [secret, ...long, ...base64FormsOf(secret)].map(fold)) {
			const length = Math.min(PIECE, form.length);
			pieces.lengths.add(length);
			for (let at = 0; at + length <= form.length; at++)
				pieces.texts.add(form.slice(at, at + length));
		}
	}
	return pieces;
}

/** Base64 of a secret depends on how many bytes stand before it. A character that holds other bits too is left out. */
function base64FormsOf(secret: string): string[] {
	return [0, 1, 2]
		.map((before) => {
			const bytes = Buffer.from(' '.repeat(before) + secret);
			const end = Math.floor((bytes.length * 8) / 6);
			return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), end);
		})
		.filter((encoded) => encoded.length >= SHORTEST_BASE64);
}

/** Base64's + and / in addresses. */
const IN_ADDRESSES: Record<string, string> = { '-': '+', _: '/' };

function fold(text: string): string {
	return text.replace(/[A-Z_-]/g, (char) => IN_ADDRESSES[char] ?? char.toLowerCase());
}

/** A text, and where in the source each of its characters begins; one offset more is the end. */
type Reading = { text: string; offsets: number[] };

/** A text as it is, with its escapes read once, twice and so on. */
function readingsOf(text: string): Reading[] {
	const readings = [{ text, offsets: Array.from({ length: text.length + 1 }, (_none, at) => at) }];
	// The loop goes on over what it adds.
	for (const last of readings) {
		const next = withoutEscapes(last);
		if (readings.length <= MOST_ESCAPES && next.text !== last.text) readings.push(next);
	}
	return readings;
}

function withoutEscapes({ text, offsets }: Reading): Reading {
	const read: string[] = [];
	const kept: number[][] = [];
	let next = 0;
	for (const escape of text.matchAll(ESCAPE)) {
		const char = charOf(escape);
		// A word after an & that is no entity stays as it is.
		if (char === undefined) continue;
		read.push(text.slice(next, escape.index), char);
		kept.push(offsets.slice(next, escape.index + 1));
		next = escape.index + escape[0].length;
	}
	return { text: read.join('') + text.slice(next), offsets: [...kept, offsets.slice(next)].flat() };
}

function charOf([, hex, number, name = '', other]: Array<string | undefined>): string | undefined {
	// Decimal, or hexadecimal after an x, as in HTML.
	const code = hex === undefined ? number : `x${hex}`;
	if (code !== undefined) return String.fromCharCode(Number(`0${code}`));
	return other ?? NAMED[name.toLowerCase()];
}

/** One line of at most 400 characters, an ellipsis at its end included. */
export function shorten(text: string, longest = 400): string {
	const line = text.replace(/\s+/g, ' ').trim();
	if (line.length <= longest) return line;
	// Half of a character that takes two units would show as a broken one.
	const beginning = line.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '');
	return `${beginning.trimEnd()}…`;
}
