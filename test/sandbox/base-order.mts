/**
 * The order of a table nobody has touched, computed instead of stored: a million records cost no memory.
 * A position is a place in the order; an index is the record's number, and its id's.
 */
export interface BaseOrder {
	readonly count: number;
	indexAt(position: number): number;
	/** Milliseconds since 1970 of the ordering field at a position. */
	timeAt(position: number): number;
	/** Milliseconds since 1970 of the ordering field of a record. */
	timeOf(index: number): number;
}

/** Records in a row that share one time, so that ordering by the time alone is not enough. */
export const tieSize = 7;

const day = 86_400_000;
const createdFrom = Date.UTC(2023, 0, 1, 8);
const updatedFrom = Date.UTC(2025, 0, 1, 8);

/** The sandbox's clock starts here, later than every time in an untouched table. */
export const clockStart = Date.UTC(2025, 10, 1, 8);

function groupTime(from: number, spanDays: number, count: number): (group: number) => number {
	const groups = Math.max(1, Math.ceil(count / tieSize));
	const step = Math.max(1, Math.floor((spanDays * day) / groups));
	return (group) => from + group * step;
}

/** Order by (created_at, id): the order of the index. */
export function createdOrder(count: number): BaseOrder {
	const timeOfGroup = groupTime(createdFrom, 700, count);
	const timeAt = (position: number) => timeOfGroup(Math.floor(position / tieSize));
	return { count, indexAt: (position) => position, timeAt, timeOf: timeAt };
}

function greatestCommonDivisor(first: number, second: number): number {
	return second === 0 ? first : greatestCommonDivisor(second, first % second);
}

function coprimeNear(wanted: number, count: number): number {
	let candidate = Math.max(1, wanted % count);
	while (greatestCommonDivisor(candidate, count) !== 1) candidate++;
	return candidate;
}

function modularInverse(value: number, modulus: number): number {
	let [previous, current, previousFactor, factor] = [modulus, value, 0, 1];
	while (current > 0) {
		const quotient = Math.floor(previous / current);
		[previous, current] = [current, previous - quotient * current];
		[previousFactor, factor] = [factor, previousFactor - quotient * factor];
	}
	return ((previousFactor % modulus) + modulus) % modulus;
}

/**
 * Order by (updated_at, id): an affine permutation of the index spreads the records, and each group of equal
 * times is put in order of id.
 */
export function updatedOrder(count: number, seed: number): BaseOrder {
	const modulus = Math.max(1, count);
	const factor = coprimeNear(Math.floor(modulus * 0.618) + 2, modulus) % modulus || 1;
	const inverse = modulus === 1 ? 0 : modularInverse(factor, modulus);
	const offset = Math.abs(seed) % modulus;
	const timeOfGroup = groupTime(updatedFrom, 300, count);
	let cachedGroup = -1;
	let cachedIndexes: number[] = [];
	const indexesOf = (group: number) => {
		if (group === cachedGroup) return cachedIndexes;
		const indexes: number[] = [];
		const end = Math.min(count, (group + 1) * tieSize);
		for (let place = group * tieSize; place < end; place++) {
			indexes.push(((place + modulus - offset) * inverse) % modulus);
		}
		cachedGroup = group;
		cachedIndexes = indexes.sort((first, second) => first - second);
		return cachedIndexes;
	};
	return {
		count,
		indexAt: (position) => indexesOf(Math.floor(position / tieSize))[position % tieSize] as number,
		timeAt: (position) => timeOfGroup(Math.floor(position / tieSize)),
		timeOf: (index) => timeOfGroup(Math.floor(((index * factor + offset) % modulus) / tieSize)),
	};
}
