import { createHash } from 'crypto';

/** 66 bits of the SHA-256 of a text, in base64, so that thousands of them never meet by chance. */
export function digestOf(text: string): string {
	return createHash('sha256').update(text).digest('base64').slice(0, 11);
}

/** Digests as one text, which `unpack` takes apart again. */
export function pack(digests: Iterable<string>): string {
	return [...digests].join('');
}

export function unpack(packed: string): string[] {
	return packed.match(/.{11}/g) ?? [];
}

/** True for what `pack` gives. */
export function isPacked(value: unknown): value is string {
	return typeof value === 'string' && /^([A-Za-z0-9+/]{11})*$/.test(value);
}
