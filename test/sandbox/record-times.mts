/** Dates of records before any change. They are computed on demand, so a million records need no memory for them. */

/** Number of consecutive records with the same time. Sorting by time alone is therefore ambiguous. */
const tieSize = 7;

const day = 86_400_000;
const createdFrom = Date.UTC(2023, 0, 1, 8);
const updatedFrom = Date.UTC(2025, 0, 1, 8);

/** Start of the sandbox's clock (ms since 1970). It is later than every date of an unchanged record. */
export const clockStart = Date.UTC(2025, 10, 1, 8);

function timeAt(from: number, spanDays: number, count: number): (slot: number) => number {
	const groups = Math.max(1, Math.ceil(count / tieSize));
	const step = Math.max(1, Math.floor((spanDays * day) / groups));
	return (slot) => from + Math.floor(slot / tieSize) * step;
}

/** Returns a function from index to created_at in ms since 1970. The time increases with the index. */
export function createdTimes(count: number): (index: number) => number {
	return timeAt(createdFrom, 700, count);
}

/** Returns a function from index to updated_at in ms since 1970. */
export function updatedTimes(count: number, seed: number): (index: number) => number {
	const timeOfSlot = timeAt(updatedFrom, 300, count);
	const slotOf = spread(count, seed);
	return (index) => timeOfSlot(slotOf(index));
}

/** Returns the indexes sorted by updated_at, then by id. */
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

/** Returns a permutation that puts neighbouring indexes far apart. */
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
