import { decimalOf, writeJson } from '../client/exact-json';

/**
 * One JSON text for each JSON value, and for no other: the order of the keys and the way a number is written make no
 * difference, everything else does. Values that JSON has no form for are what JSON.stringify makes of them.
 */
export function canonicalJson(value: unknown): string {
	return writeJson(value, { number: decimalOf, keys: (keys) => keys.sort() });
}
