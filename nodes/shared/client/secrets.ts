const HIDDEN = '[hidden]';
/** Minimum number of consecutive characters of a secret that are hidden. The service may repeat a secret only in part. */
const PIECE_LENGTH = 9;
/** Minimum length of a piece of base64. Shorter pieces occur in other texts by chance. */
const MIN_BASE64_LENGTH = 8;

/** Escapes of the four readings of a text: no escapes, JSON, web addresses, and HTML. */
const ESCAPES = [
	/(?!)/g,
	/\\u(?<hex>[\da-f]{4})|\\(?<char>[^])/gi,
	/%(?<hex>[\da-f]{2})/gi,
	/&#x(?<hex>[\da-f]{1,6});|&#(?<decimal>\d{1,7});|&(?<name>amp|lt|gt|quot|apos);/gi,
];
const HTML_ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Texts to hide, their lengths, and the number of secrets that they were made of. */
type Pieces = { texts: Set<string>; lengths: Set<number>; secrets: number };

/** Prepared pieces for each array of secrets, which may grow: parts of secrets, and whole secrets. */
const piecesBySecrets = {
	pieces: new WeakMap<readonly string[], Pieces>(),
	whole: new WeakMap<readonly string[], Pieces>(),
};

/**
 * Hides secrets in a text, so that no nine consecutive characters of a secret remain. Finds secrets in any letter case,
 * in base64, and escaped once as in JSON, web addresses and HTML. The time grows with the length of the text only.
 * @param secrets the same array in each call, so that each secret is prepared once; the array may grow
 */
export function redact(text: string, secrets: readonly string[]): string {
	return hide(text, piecesOf(secrets, 'pieces'));
}

/**
 * Hides secrets in a sentence of this package without hiding its own words, even if a key contains such a word. Parts
 * of secrets are hidden only in text from elsewhere: in double quotes, or in long numbers. Whole secrets are hidden
 * everywhere.
 */
export function redactQuoted(text: string, secrets: readonly string[]): string {
	const quoted = /"(?:[^"\\]|\\.)*"?|\d{9,}/gs;
	const clean = text.replace(quoted, (part) => redact(part, secrets));
	return hide(clean, piecesOf(secrets, 'whole'));
}

function hide(text: string, pieces: Pieces): string {
	const isHidden = new Uint8Array(text.length);
	for (const { unescaped, offsets } of ESCAPES.map((escape) => withoutEscapes(text, escape))) {
		const folded = fold(unescaped);
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

/** Returns the text with its escapes resolved, and the offset of each character in the original text. */
function withoutEscapes(text: string, escape: RegExp): { unescaped: string; offsets: number[] } {
	const offsets: number[] = [];
	let unescaped = '';
	let next = 0;
	const copyTo = (end: number): void => {
		unescaped += text.slice(next, end);
		for (; next < end; next++) offsets.push(next);
	};
	for (const match of text.matchAll(escape)) {
		copyTo(match.index);
		unescaped += characterOf(match);
		offsets.push(next);
		next += match[0].length;
	}
	copyTo(text.length);
	return { unescaped, offsets };
}

function characterOf({ groups = {} }: RegExpExecArray): string {
	const { hex, decimal, name = '', char = HTML_ENTITIES[name.toLowerCase()] } = groups;
	if (char !== undefined) return char;
	return String.fromCharCode(hex === undefined ? Number(decimal) : parseInt(hex, 16));
}

function piecesOf(secrets: readonly string[], kind: keyof typeof piecesBySecrets): Pieces {
	const known = piecesBySecrets[kind];
	const pieces = known.get(secrets) ?? { texts: new Set(), lengths: new Set(), secrets: 0 };
	known.set(secrets, pieces);
	for (; pieces.secrets < secrets.length; pieces.secrets++) {
		const secret = secrets[pieces.secrets];
		const forms = secret === '' ? [] : [secret, ...base64FormsOf(secret)];
		for (const form of forms.map(fold)) {
			const length = kind === 'whole' ? form.length : Math.min(PIECE_LENGTH, form.length);
			pieces.lengths.add(length);
			for (let at = 0; at + length <= form.length; at++)
				pieces.texts.add(form.slice(at, at + length));
		}
	}
	return pieces;
}

/**
 * Returns the base64 forms of a secret. They differ by the number of bytes before the secret. Characters that mix bits
 * of the secret with other bits are left out.
 */
function base64FormsOf(secret: string): string[] {
	return [0, 1, 2]
		.map((before) => {
			const bytes = Buffer.from(' '.repeat(before) + secret);
			const end = Math.floor((bytes.length * 8) / 6);
			return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), end);
		})
		.filter((encoded) => encoded.length >= MIN_BASE64_LENGTH);
}

/** Characters that replace + and / of base64 in web addresses. */
const FROM_URL_BASE64: Record<string, string> = { '-': '+', _: '/' };

function fold(text: string): string {
	return text.replace(/[A-Z_-]/g, (char) => FROM_URL_BASE64[char] ?? char.toLowerCase());
}

/** Returns a text on one line, shortened to the maximum length, ellipsis included. */
export function shorten(text: string, maxLength = 400): string {
	const line = text.replace(/\s+/g, ' ').trim();
	if (line.length <= maxLength) return line;
	// A cut between the two units of one character would leave a broken character.
	const beginning = line.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '');
	return `${beginning.trimEnd()}…`;
}
