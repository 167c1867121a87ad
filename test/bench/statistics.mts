/** The middle of some numbers; the mean of the two middle ones where their count is even. NaN for none. */
export function median(numbers: readonly number[]): number {
	const sorted = numbers.toSorted((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	if (sorted.length % 2 === 1) return sorted[middle];
	return sorted.length === 0 ? NaN : (sorted[middle - 1] + sorted[middle]) / 2;
}
