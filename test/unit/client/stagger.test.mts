import { describe, expect, test } from 'vitest';
import { Stagger } from '../../../nodes/client/client.ts';

function staggerWithMean(ms: number): Stagger {
	const stagger = new Stagger();
	stagger.took(ms);
	return stagger;
}

const waits = (stagger: Stagger, count: number, concurrency: number, nowMs = 1_000): number[] =>
	Array.from({ length: count }, () => stagger.waitMs(nowMs, concurrency));

describe('spreading the starts of requests', () => {
	test('those that come together start apart by four fifths of their average distance', () => {
		expect(waits(staggerWithMean(100), 5, 20)).toEqual([0, 4, 8, 12, 16]);
	});

	test('by no more than 5 ms, however long requests take', () => {
		expect(waits(staggerWithMean(60_000), 3, 5)).toEqual([0, 5, 10]);
	});

	test('of 20 ms too, where the distance is less than a timer can wait', () => {
		expect(waits(staggerWithMean(20), 6, 20)).toEqual([0, 0, 1, 2, 3, 3]);
	});

	test.each([
		['before the first answer', new Stagger(), 20],
		['where one is under way at a time', staggerWithMean(100), 1],
		['where answers come at once', staggerWithMean(1), 20],
	])('nothing waits %s', (_name, stagger, concurrency) => {
		expect(waits(stagger, 3, concurrency)).toEqual([0, 0, 0]);
	});

	test('nothing waits that comes apart, and no credit is kept for it', () => {
		const stagger = staggerWithMean(100);
		expect([1_000, 1_010, 1_100].map((nowMs) => stagger.waitMs(nowMs, 20))).toEqual([0, 0, 0]);
		expect(waits(stagger, 2, 20, 1_100)).toEqual([4, 8]);
	});

	test('follows a service that becomes faster', () => {
		const stagger = staggerWithMean(1_000);
		for (let index = 0; index < 30; index++) stagger.took(20);
		expect(waits(stagger, 3, 20)).toEqual([0, 2, 4]);
		for (let index = 0; index < 60; index++) stagger.took(20);
		expect(waits(stagger, 3, 20, 2_000)).toEqual([0, 0, 1]);
	});
});
