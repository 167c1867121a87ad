const HIDDEN = '[hidden]';
/** So many characters of a secret in a row are hidden: a service may cut it short. */
const PIECE = 9;
/** A shorter run of base64 could stand in any text by chance. */
const MIN_BASE64_LENGTH = 8;

/** None, and those of JSON, of addresses and of HTML. */
const ESCAPES = [
	/(?!)/g,
	/\\u(?<hex>[\da-f]{4})|\\(?<char>[^])/gi,
	/%(?<hex>[\da-f]{2})/gi,
	/&#x(?<hex>[\da-f]{1,6});|&#(?<decimal>\d{1,7});|&(?<name>amp|lt|gt|quot|apos);/gi,
];
const BY_NAME: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Texts that must not show, their lengths, and of how many secrets they were made. */
type Pieces = { texts: Set<string>; lengths: Set<number>; secrets: number };

/** By the array of secrets, which may grow: short pieces of them, and whole ones. */
const ofSecrets = {
	pieces: new WeakMap<readonly string[], Pieces>(),
	whole: new WeakMap<readonly string[], Pieces>(),
};

/**
 * Hides the secrets in a text, so that no nine of their characters in a row are left: as they are, in another case, in
 * base64, and escaped once as in JSON, addresses and HTML. Takes a time that grows with the text only.
 * @param secrets the same array at each call, so that each secret is prepared once; more may be added to it
 */
export function redact(text: string, secrets: readonly string[]): string {
	return hide(text, piecesOf(secrets, 'pieces'));
}

/**
 * The same for a sentence of ours, which keeps its words, whatever a key holds: nine characters in a row are hidden in what
 * others wrote, which stands in double quotes there or is a long number, and a whole secret wherever it is.
 */
export function redactQuoted(text: string, secrets: readonly string[]): string {
	const quoted = /"(?:[^"\\]|\\.)*"?|\d{9,}/gs;
	const clean = text.replace(quoted, (part) => redact(part, secrets));
	return hide(clean, piecesOf(secrets, 'whole'));
}

function hide(text: string, pieces: Pieces): string {
	const isHidden = new Uint8Array(text.length);
	for (const { read, offsets } of ESCAPES.map((escape) => withoutEscapes(text, escape))) {
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

/** What a text reads as, and where each of its characters begins. */
function withoutEscapes(text: string, escape: RegExp): { read: string; offsets: number[] } {
	const offsets: number[] = [];
	let read = '';
	let next = 0;
	const copyTo = (end: number): void => {
		read += text.slice(next, end);
		for (; next < end; next++) offsets.push(next);
	};
	for (const found of text.matchAll(escape)) {
		copyTo(found.index);
		read += characterOf(found);
		offsets.push(next);
		next += found[0].length;
	}
	copyTo(text.length);
	return { read, offsets };
}

function characterOf({ groups = {} }: RegExpExecArray): string {
	const { hex, decimal, name = '', char = BY_NAME[name.toLowerCase()] } = groups;
	if (char !== undefined) return char;
	return String.fromCharCode(hex === undefined ? Number(decimal) : parseInt(hex, 16));
}

function piecesOf(secrets: readonly string[], kind: keyof typeof ofSecrets): Pieces {
	const known = ofSecrets[kind];
	const pieces = known.get(secrets) ?? { texts: new Set(), lengths: new Set(), secrets: 0 };
	known.set(secrets, pieces);
	for (; pieces.secrets < secrets.length; pieces.secrets++) {
		const secret = secrets[pieces.secrets];
		const forms = secret === '' ? [] : [secret, ...base64FormsOf(secret)];
		for (const form of forms.map(fold)) {
			const length = kind === 'whole' ? form.length : Math.min(PIECE, form.length);
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
		.filter((encoded) => encoded.length >= MIN_BASE64_LENGTH);
}

/** Base64's + and / in addresses. */
const IN_ADDRESSES: Record<string, string> = { '-': '+', _: '/' };

function fold(text: string): string {
	return text.replace(/[A-Z_-]/g, (char) => IN_ADDRESSES[char] ?? char.toLowerCase());
}

/** One line of at most 400 characters, an ellipsis at its end included. */
export function shorten(text: string, maxLength = 400): string {
	const line = text.replace(/\s+/g, ' ').trim();
	if (line.length <= maxLength) return line;
	// Half of a character that takes two units would show as a broken one.
	const beginning = line.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '');
	return `${beginning.trimEnd()}…`;
}
