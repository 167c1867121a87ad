import { WrittenNumber } from '../client/exact-json';
import { InputProblem } from './errors';
import { shown } from './parameters';

/**
 * Throws InputProblem for numbers that cannot be sent as they were meant, naming where they are. JavaScript holds integers
 * up to 2^53 only: a larger one may have been another number, and so another record.
 *
 * @param value plain JSON values; a WrittenNumber has all its digits
 * @param otherwise what else the user can do, in words that follow "Make it text …"
 */
export function refuseLostDigits(
	value: unknown,
	{ what, name }: { what: string; name: string },
	otherwise = '',
): void {
	if (typeof value === 'number' && !Number.isFinite(value)) {
		throw new InputProblem(
			`The ${what} ${shown(name)} is not a number that can be sent`,
			`It is ${value}. Check the expression or the node that it comes from.`,
		);
	}
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		throw new InputProblem(
			`The number in the ${what} ${shown(name)} is too large to be sent exactly`,
			`It arrived as ${String(value)}, but n8n keeps whole numbers exactly only up to ${Number.MAX_SAFE_INTEGER}, so its last digits may be wrong and mean another record. Make it text where it comes from, before n8n reads it as a number${otherwise}.`,
		);
	}
	if (typeof value !== 'object' || value === null || value instanceof WrittenNumber) return;
	for (const [key, entry] of Object.entries(value)) {
		const inside = Array.isArray(value) ? `${name}[${key}]` : [name, key].filter(Boolean).join('.');
		refuseLostDigits(entry, { what, name: inside }, otherwise);
	}
}
