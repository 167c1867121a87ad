/** The middle of some numbers; the mean of the two middle ones where their count is even. NaN for none. */
export function median(numbers: readonly number[]): number {
	const sorted = numbers.toSorted((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	if (sorted.length % 2 === 1) return sorted[middle];
	return sorted.length === 0 ? NaN : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** NaN for none. */
export function mean(numbers: readonly number[]): number {
	return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

/**
 * How many times as much the first is as the second: the median of both compared round by round. What a machine can do
 * changes from minute to minute, and the contenders of one round are measured within seconds of each other; medians of
 * all rounds would compare a slow minute of one with a quick minute of the other. NaN where no round has both.
 *
 * @param ones of each round, in their order
 * @param others of the same rounds
 */
export function medianRatio(ones: readonly number[], others: readonly number[]): number {
	const rounds = Math.min(ones.length, others.length);
	return median(ones.slice(0, rounds).map((one, round) => one / others[round]));
}

/** Numbers in [0, 1) from a seed (mulberry32), so that a run can be repeated. */
export function randomNumbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
