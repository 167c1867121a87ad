import { describe, expect, it } from 'vitest';
import { median, medianRatio } from '../../bench/statistics.mts';

describe('median', () => {
	it('is the middle one, or the mean of the two in the middle', () => {
		expect(median([9, 1, 4])).toBe(4);
		expect(median([9, 1, 4, 6])).toBe(5);
		expect(median([])).toBeNaN();
	});
});

describe('medianRatio', () => {
	it('compares within each round, so that a slow minute of the machine slows both', () => {
		// The machine is half as fast from the third round on; one is 3 times as quick in each.
		const ones = [1, 1, 2, 2];
		const others = [3, 3, 6, 6];
		expect(medianRatio(ones, others)).toBeCloseTo(1 / 3);
	});

	it('differs from the medians of all rounds where those are of different minutes', () => {
		const ones = [1, 2, 2];
		const others = [4, 4, 10];
		expect(medianRatio(ones, others)).toBe(0.25);
		expect(median(ones) / median(others)).toBe(0.5);
	});

	it('leaves out rounds that only one of them has, since the other has failed', () => {
		expect(medianRatio([1, 1, 1], [2])).toBe(0.5);
		expect(medianRatio([], [1])).toBeNaN();
	});
});
