/** Returns a well-distributed unsigned 32-bit hash of two integers. */
export function hashOf(first: number, second: number): number {
	let hash =
		Math.imul(first ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul((second + 0x7f4a7c15) | 0, 0xc2b2ae35);
	hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
	hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97);
	return (hash ^ (hash >>> 15)) >>> 0;
}

/** Returns an unsigned 32-bit hash of a string. */
export function hashOfText(text: string, seed: number): number {
	let hash = seed | 0;
	for (let position = 0; position < text.length; position++) {
		hash = Math.imul(hash ^ text.charCodeAt(position), 0x01000193);
	}
	return hashOf(hash, text.length);
}

/** Selects a value from a list by a hash. Equal hashes select equal values. */
export function chooseFrom<Value>(values: readonly Value[], hash: number): Value {
	return values[hash % values.length] as Value;
}
