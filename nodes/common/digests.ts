import { createHash } from 'crypto';

/** Characters of a digest: 66 bits, so that thousands of them never meet by chance. */
const DIGEST_LENGTH = 11;

const PACKED = new RegExp(`^(?:[A-Za-z0-9+/]{${DIGEST_LENGTH}})*$`);

/** The first `DIGEST_LENGTH` characters of the SHA-256 of a text, in base64. */
export function digestOf(text: string): string {
	return createHash('sha256').update(text).digest('base64').slice(0, DIGEST_LENGTH);
}

export function pack(digests: Iterable<string>): string {
	return [...digests].join('');
}

export function unpack(packed: string): string[] {
	const digests: string[] = [];
	for (let at = 0; at < packed.length; at += DIGEST_LENGTH) {
		digests.push(packed.slice(at, at + DIGEST_LENGTH));
	}
	return digests;
}

/** True for digests that were joined into one text. */
export function isPacked(value: unknown): boolean {
	return typeof value === 'string' && PACKED.test(value);
}
