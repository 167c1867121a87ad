import { createHash } from 'crypto';

/** The beginning of the SHA-256 of a text, in base64: 66 bits, so that thousands of them never meet by chance. */
export function digestOf(text: string): string {
	return createHash('sha256').update(text).digest('base64').slice(0, 11);
}

/** Digests as one text. */
export function pack(digests: Iterable<string>): string {
	return [...digests].join('');
}

export function unpack(packed: string): string[] {
	return packed.match(/.{11}/g) ?? [];
}

/** True for digests that were joined into one text. */
export function isPacked(value: unknown): boolean {
	return typeof value === 'string' && /^([A-Za-z0-9+/]{11})*$/.test(value);
}
