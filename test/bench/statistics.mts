/**
 * Returns the median of numbers. For an even count, this is the mean of the two middle numbers. NaN for an empty list.
 */
export function median(numbers: readonly number[]): number {
	const sorted = numbers.toSorted((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	if (sorted.length % 2 === 1) return sorted[middle];
	return sorted.length === 0 ? NaN : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Returns the mean of numbers. NaN for an empty list. */
export function mean(numbers: readonly number[]): number {
	return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

/**
 * Returns the median of the ratios of two series, computed round by round. A machine's speed changes from minute to
 * minute, so only measurements of the same round, which are seconds apart, can be compared. NaN if there is no round.
 * @param numerators one number per round
 * @param denominators one number per round
 */
export function medianOfRatios(
	numerators: readonly number[],
	denominators: readonly number[],
): number {
	const rounds = Math.min(numerators.length, denominators.length);
	return median(numerators.slice(0, rounds).map((one, round) => one / denominators[round]));
}

/** Returns a pseudo-random number generator for [0, 1) (mulberry32). The same seed gives the same numbers. */
export function randomNumbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
