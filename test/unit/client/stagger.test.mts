import { describe, expect, test } from 'vitest';
import { Stagger } from '../../../nodes/client/client.ts';

const staggerAfter = (...tookMs: number[]): Stagger => {
	const stagger = new Stagger();
	for (const ms of tookMs) stagger.took(ms);
	return stagger;
};
const waits = (stagger: Stagger, count: number, concurrency: number, nowMs = 1_000): number[] =>
	Array.from({ length: count }, () => stagger.waitMs(nowMs, concurrency));

describe('requests that come together', () => {
	test.each([
		['apart by four fifths of their average distance', [100], 20, [0, 4, 8, 12, 16]],
		['by no more than 5 ms, however long requests take', [60_000], 5, [0, 5, 10]],
		['in pairs, where the distance is less than a timer can wait', [20], 20, [0, 0, 1, 2, 3, 3]],
		['at once before the first answer', [], 20, [0, 0, 0]],
		['at once where one is under way at a time', [100], 1, [0, 0, 0]],
		['at once where answers come at once', [1], 20, [0, 0, 0]],
		['soon by a service that becomes faster', [1_000, ...Array(30).fill(20)], 20, [0, 2, 4]],
		['sooner still', [1_000, ...Array(90).fill(20)], 20, [0, 0, 1]],
	])('start %s', (_name, tookMs, concurrency, expected) => {
		expect(waits(staggerAfter(...tookMs), expected.length, concurrency)).toEqual(expected);
	});

	test('start at once where they come apart, and no credit is kept for it', () => {
		const stagger = staggerAfter(100);
		expect([1_000, 1_010, 1_100].map((nowMs) => stagger.waitMs(nowMs, 20))).toEqual([0, 0, 0]);
		expect(waits(stagger, 2, 20, 1_100)).toEqual([4, 8]);
	});
});
