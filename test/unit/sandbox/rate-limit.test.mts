import { describe, expect, test } from 'vitest';
import { createLimiter, type Limiter } from '../../sandbox/rate-limit.mts';

/** Which of these times a request is accepted at. */
function acceptedAt(limiter: Limiter, times: number[]): number[] {
	return times.filter((time) => limiter.take(time) === 0);
}

describe('three ways to count three requests per second', () => {
	const settings = { requests: 3, windowMs: 1000 };

	test('a token bucket takes a burst, then one each third of a second', () => {
		const bucket = createLimiter({ ...settings, algorithm: 'tokenBucket' });
		const times = [0, 1, 2, 3, 340, 341, 680, 681];
		expect(acceptedAt(bucket, times)).toEqual([0, 1, 2, 340, 680]);
		expect(bucket.take(681)).toBeCloseTo(319, 0);
		const narrow = createLimiter({ ...settings, algorithm: 'tokenBucket', burst: 1 });
		expect(acceptedAt(narrow, times)).toEqual([0, 340, 680]);
	});

	test('fixed windows take twice as many around their border, and then none until the next', () => {
		const windows = createLimiter({ ...settings, algorithm: 'fixedWindow' });
		const times = [0, 900, 950, 990, 1000, 1010, 1020, 1030, 1900, 2000];
		expect(acceptedAt(windows, times)).toEqual([0, 900, 950, 1000, 1010, 1020, 2000]);
		expect(acceptedAt(windows, [2100, 2200])).toEqual([2100, 2200]);
		expect(windows.take(2300)).toBe(700);
	});

	test('a sliding window never has more than three in any second', () => {
		const window = createLimiter({ ...settings, algorithm: 'slidingWindow' });
		const times = [0, 900, 950, 990, 1000, 1010, 1899, 1900, 1950];
		expect(acceptedAt(window, times)).toEqual([0, 900, 950, 1000, 1900, 1950]);
		expect(window.take(1960)).toBe(40);
	});
});
