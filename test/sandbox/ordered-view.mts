import type { BaseOrder } from './base-order.mts';

/** A place in an order: the time of the ordering field (milliseconds since 1970) and the record's index. */
export interface Position {
	time: number;
	index: number;
}

/** What has happened to a table, as one order sees it. */
export interface Changes {
	/** Positions of the base order whose record is no longer there, ascending. */
	gone: number[];
	/** Records that come after the whole base order, in order. */
	tail: Position[];
}

/** How many of the first `count` numbers satisfy a condition that is true up to a point and false after it. */
function countWhile(count: number, isBefore: (place: number) => boolean): number {
	let [low, high] = [0, count];
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		if (isBefore(middle)) low = middle + 1;
		else high = middle;
	}
	return low;
}

function isUpTo(place: Position, limit: Position): boolean {
	return place.time < limit.time || (place.time === limit.time && place.index <= limit.index);
}

/** How many records come at or before a position, which need not be a record's any more. */
export function rankAfter(order: BaseOrder, changes: Changes, limit: Position): number {
	const basePositions = countWhile(order.count, (position) =>
		isUpTo({ time: order.timeAt(position), index: order.indexAt(position) }, limit),
	);
	const gone = countWhile(
		changes.gone.length,
		(place) => (changes.gone[place] as number) < basePositions,
	);
	const tail = countWhile(changes.tail.length, (place) =>
		isUpTo(changes.tail[place] as Position, limit),
	);
	return basePositions - gone + tail;
}

/** The indexes of up to `howMany` records, starting at a rank (from 0). */
export function sliceOf(
	order: BaseOrder,
	changes: Changes,
	rank: number,
	howMany: number,
): number[] {
	const { gone, tail } = changes;
	const indexes: number[] = [];
	const baseCount = order.count - gone.length;
	if (rank < baseCount) {
		// gone[n] - n is the number of records still there before the n-th gone one.
		let nextGone = countWhile(gone.length, (place) => (gone[place] as number) - place <= rank);
		for (let position = rank + nextGone; position < order.count; position++) {
			if (indexes.length === howMany) return indexes;
			if (gone[nextGone] === position) nextGone++;
			else indexes.push(order.indexAt(position));
		}
	}
	const tailFrom = Math.max(0, rank - baseCount);
	for (let place = tailFrom; place < tail.length && indexes.length < howMany; place++) {
		indexes.push((tail[place] as Position).index);
	}
	return indexes;
}

/** The positions of the base order that hold these records, ascending. */
export function basePositionsOf(order: BaseOrder, indexes: Iterable<number>): number[] {
	const positions: number[] = [];
	for (const index of indexes) {
		if (index >= order.count) continue;
		const limit = { time: order.timeOf(index), index };
		const upTo = countWhile(order.count, (position) =>
			isUpTo({ time: order.timeAt(position), index: order.indexAt(position) }, limit),
		);
		positions.push(upTo - 1);
	}
	return positions.sort((first, second) => first - second);
}

/** Sorts positions, in place. */
export function inOrder(positions: Position[]): Position[] {
	return positions.sort((first, second) => first.time - second.time || first.index - second.index);
}
