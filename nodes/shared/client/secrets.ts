const HIDDEN = '[hidden]';
/** Parts of a secret with at least this many characters are hidden, because an error may quote only part of a key. */
const PIECE_LENGTH = 9;
/** Minimum length of base64 forms of a secret to hide, because shorter text can occur by chance. */
const MIN_BASE64_LENGTH = 8;

/** Escapes of JSON, URLs and HTML to resolve. The first matches nothing, so that unchanged text is searched too. */
const ESCAPES = [
	/(?!)/g,
	/\\u(?<hex>[\da-f]{4})|\\(?<char>[^])/gi,
	/%(?<hex>[\da-f]{2})/gi,
	/&#x(?<hex>[\da-f]{1,6});|&#(?<decimal>\d{1,7});|&(?<name>amp|lt|gt|quot|apos);/gi,
];
const HTML_ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Texts to hide (in lower case), their lengths, and the number of secrets from which the texts were made. */
type Pieces = { texts: Set<string>; lengths: Set<number>; secrets: number };

/** Cached texts to hide for each array of secrets. `pieces` holds parts of secrets, and `whole` holds whole secrets. */
const piecesBySecrets = {
	pieces: new WeakMap<readonly string[], Pieces>(),
	whole: new WeakMap<readonly string[], Pieces>(),
};

/**
 * Hides secrets in a text, so that no nine consecutive characters of a secret remain. Finds secrets in any letter case,
 * in base64, and with the escapes of JSON, web addresses or HTML.
 * @param secrets pass the same array each time, because it is the key of a cache. Secrets can be added to it
 */
export function redact(text: string, secrets: readonly string[]): string {
	return hide(text, piecesOf(secrets, 'pieces'));
}

/**
 * Hides secrets in an error text of this package. Hides parts of secrets only in double quotes and long numbers, which
 * hold text from users and services. Elsewhere, hides only whole secrets, as a key may contain ordinary words.
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

/** Returns the text with its escapes resolved, and for each character its offset in the original text. */
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

/** Returns the three forms of a secret inside base64, without end characters that depend on neighbouring bytes. */
function base64FormsOf(secret: string): string[] {
	return [0, 1, 2]
		.map((before) => {
			const bytes = Buffer.from(' '.repeat(before) + secret);
			const end = Math.floor((bytes.length * 8) / 6);
			return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), end);
		})
		.filter((encoded) => encoded.length >= MIN_BASE64_LENGTH);
}

/** Characters of URL-safe base64, with the standard base64 characters that they replace. */
const FROM_URL_BASE64: Record<string, string> = { '-': '+', _: '/' };

/** Converts a text to lower case, and URL-safe base64 to standard base64, so that texts can be compared. */
function fold(text: string): string {
	return text.replace(/[A-Z_-]/g, (char) => FROM_URL_BASE64[char] ?? char.toLowerCase());
}

/** Returns a text on one line of at most `maxLength` characters, including the ellipsis of a cut text. */
export function shorten(text: string, maxLength = 400): string {
	const line = text.replace(/\s+/g, ' ').trim();
	if (line.length <= maxLength) return line;
	// Remove half of a surrogate pair at the cut, because it would be shown as a broken character.
	const beginning = line.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '');
	return `${beginning.trimEnd()}…`;
}
