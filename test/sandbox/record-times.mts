/** Computes the dates of unchanged records on demand, so that the dates of a million records need no memory. */

/** Number of consecutive records with the same date. Sorting by date alone is therefore ambiguous. */
const tieSize = 7;

const day = 86_400_000;
const createdFrom = Date.UTC(2023, 0, 1, 8);
const updatedFrom = Date.UTC(2025, 0, 1, 8);

/** Time at which the sandbox's own clock starts, in ms since 1970. It is later than all dates of unchanged records. */
export const clockStart = Date.UTC(2025, 10, 1, 8);

function timeAt(from: number, spanDays: number, count: number): (slot: number) => number {
	const groups = Math.max(1, Math.ceil(count / tieSize));
	const step = Math.max(1, Math.floor((spanDays * day) / groups));
	return (slot) => from + Math.floor(slot / tieSize) * step;
}

/**
 * Returns a function that computes created_at (ms since 1970) from the index of a record. A later index never has an
 * earlier date.
 */
export function createdTimes(count: number): (index: number) => number {
	return timeAt(createdFrom, 700, count);
}

/** Returns a function that computes updated_at (ms since 1970) from the index of a record. */
export function updatedTimes(count: number, seed: number): (index: number) => number {
	const timeOfSlot = timeAt(updatedFrom, 300, count);
	const slotOf = spread(count, seed);
	return (index) => timeOfSlot(slotOf(index));
}

/** Returns the indexes of all unchanged records, sorted by updated_at and then by id. */
export function updatedOrder(count: number, seed: number): Uint32Array {
	const slotOf = spread(count, seed);
	const order = new Uint32Array(count);
	const filled = new Uint8Array(Math.ceil(count / tieSize));
	for (let index = 0; index < count; index++) {
		const group = Math.floor(slotOf(index) / tieSize);
		order[group * tieSize + (filled[group] as number)] = index;
		filled[group] = (filled[group] as number) + 1;
	}
	return order;
}

/**
 * Returns a permutation of the indexes that puts neighbours far apart, so that updated_at does not follow the order of
 * ids.
 */
function spread(count: number, seed: number): (index: number) => number {
	const modulus = Math.max(1, count);
	const factor = coprimeNear(Math.floor(modulus * 0.618) + 2, modulus) % modulus || 1;
	const offset = Math.abs(seed) % modulus;
	return (index) => (index * factor + offset) % modulus;
}

function coprimeNear(wanted: number, count: number): number {
	let candidate = Math.max(1, wanted % count);
	while (greatestCommonDivisor(candidate, count) !== 1) candidate++;
	return candidate;
}

function greatestCommonDivisor(first: number, second: number): number {
	return second === 0 ? first : greatestCommonDivisor(second, first % second);
}
