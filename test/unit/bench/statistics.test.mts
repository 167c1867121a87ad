import { expect, it } from 'vitest';
import { median, medianRatio } from '../../bench/statistics.mts';

it('the median is the middle one, or the mean of the two in the middle', () => {
	expect([median([9, 1, 4]), median([9, 1, 4, 6]), median([])]).toEqual([4, 5, NaN]);
	expect(medianRatio([], [1])).toBeNaN();
});

it.each([
	// The machine is half as fast from the third round on; one is 3 times as quick in each.
	[[1, 1, 2, 2], [3, 3, 6, 6], 1 / 3],
	// The medians of all rounds would be of different minutes, and twice that.
	[[1, 2, 2], [4, 4, 10], 0.25],
	// Rounds that only one of them has, since the other has failed, do not count.
	[[1, 1, 1], [2], 0.5],
])('%j to %j, compared within each round, is %d', (ones, others, ratio) => {
	expect(medianRatio(ones, others)).toBeCloseTo(ratio);
});
