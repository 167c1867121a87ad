import { chooseFrom, hashOf } from './hashing.mts';
import { objectTypes, type FieldTools, type ObjectType } from './object-types.mts';
import type { Pools } from './pools.mts';

/** Current values of one record, from which its JSON text is made. Times are in ms since 1970. */
export interface RecordState {
	index: number;
	createdAt: number;
	updatedAt: number;
	/** Number of versions of the record: 1 for a new record, plus 1 for each change. */
	revision: number;
}

/** Returns the JSON text of a record. */
export type ComposeRecord = (state: RecordState) => string;

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const notesSalt = 11;

/**
 * Returns the id of the record with this number, counted from 0. All ids have the same length, so sorting ids as text
 * sorts records by number.
 */
export function idOf(objectType: ObjectType, number: number): string {
	return objectTypes[objectType].idPrefix + String(number + 1).padStart(9, '0');
}

/**
 * Returns the number (from 0) of the record with this id. Returns undefined if the text is not an id of this object
 * type.
 */
export function numberOf(objectType: ObjectType, id: string): number | undefined {
	const digits = id.startsWith(objectTypes[objectType].idPrefix)
		? id.slice(objectTypes[objectType].idPrefix.length)
		: '';
	return /^\d{9}$/.test(digits) && digits !== '000000000' ? Number(digits) - 1 : undefined;
}

const dayStarts = new Map<number, string>();

/**
 * Formats ms since 1970 like toISOString. Caches the text of each day, because toISOString took a fifth of the time
 * that a page needed.
 */
function dateText(time: number): string {
	const day = Math.floor(time / 86_400_000);
	let dayText = dayStarts.get(day);
	if (dayText === undefined) {
		dayText = new Date(time).toISOString().slice(0, 11);
		dayStarts.set(day, dayText);
	}
	const ms = time - day * 86_400_000;
	const seconds = Math.floor(ms / 1000);
	const minutes = Math.floor(seconds / 60);
	const clock = `${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}`;
	return `${dayText}${clock}.${String(ms % 1000).padStart(3, '0')}Z`;
}

/**
 * Returns the JSON field `external_number` for one record in 20, and an empty string for the others. The integer is
 * above 2^53, so a client that parses it as a JavaScript number loses digits.
 */
function externalNumber(index: number): string {
	return index % 20 === 3
		? `,"external_number":${9_007_199_254_740_993n + BigInt(index) * 2n}`
		: '';
}

/**
 * Returns a function that takes an object type and returns a function that composes its records as JSON text. The
 * record at index 0 gets the id that `idOf` returns for `firstNumber`.
 */
export function recordComposers(
	pools: Pools,
	seed: number,
	counts: Record<ObjectType, number>,
	firstNumber: number,
): (objectType: ObjectType) => ComposeRecord {
	const hash = (index: number, salt: number) => hashOf(index, seed * 64 + salt);
	const pick = (values: readonly string[], index: number, salt: number) =>
		chooseFrom(values, hash(index, salt));
	const reference = (name: string, chosen: number) => {
		const objectType = name as ObjectType;
		const count = counts[objectType];
		return count === 0 ? 'null' : `"${idOf(objectType, firstNumber + (chosen % count))}"`;
	};
	const tools: FieldTools = { pools, hash, pick, reference };
	// In every 40 records, give six of the first twelve a text that is hard to export (quotes, line breaks). So even
	// small tables contain all these texts.
	const notes = (index: number) =>
		index % 40 < 12 && index % 2 === 0
			? pools.notes[(index % 40) / 2]
			: pick(pools.notes, index, notesSalt);
	return (objectType) =>
		({ index, createdAt, updatedAt, revision }) =>
			`{"id":"${idOf(objectType, firstNumber + index)}"` +
			`,${objectTypes[objectType].fields(index, tools, createdAt)}` +
			`,"notes":${notes(index)},"revision":${revision}${externalNumber(index)}` +
			`,"created_at":"${dateText(createdAt)}","updated_at":"${dateText(updatedAt)}"}`;
}
