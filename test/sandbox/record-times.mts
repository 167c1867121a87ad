/** The dates of a table nobody has touched. They are computed: a million records cost no memory until they are read. */

/** Records in a row that share one time, so that ordering by the time alone is not enough. */
const tieSize = 7;

const day = 86_400_000;
const createdFrom = Date.UTC(2023, 0, 1, 8);
const updatedFrom = Date.UTC(2025, 0, 1, 8);

/** The sandbox's clock starts here, later than every time in an untouched table. */
export const clockStart = Date.UTC(2025, 10, 1, 8);

function timeAt(from: number, spanDays: number, count: number): (place: number) => number {
	const groups = Math.max(1, Math.ceil(count / tieSize));
	const step = Math.max(1, Math.floor((spanDays * day) / groups));
	return (place) => from + Math.floor(place / tieSize) * step;
}

/** created_at by index, in milliseconds since 1970: it goes up with the index. */
export function createdTimes(count: number): (index: number) => number {
	return timeAt(createdFrom, 700, count);
}

/** updated_at by index. */
export function updatedTimes(count: number, seed: number): (index: number) => number {
	const timeOfPlace = timeAt(updatedFrom, 300, count);
	const placeOf = spread(count, seed);
	return (index) => timeOfPlace(placeOf(index));
}

/** The indexes in the order of (updated_at, id). */
export function updatedOrder(count: number, seed: number): Uint32Array {
	const placeOf = spread(count, seed);
	const order = new Uint32Array(count);
	const filled = new Uint8Array(Math.ceil(count / tieSize));
	for (let index = 0; index < count; index++) {
		const group = Math.floor(placeOf(index) / tieSize);
		order[group * tieSize + (filled[group] as number)] = index;
		filled[group] = (filled[group] as number) + 1;
	}
	return order;
}

/** A place of its own for each index, far from those of its neighbours. */
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
