import { expect, test } from 'vitest';

import { costsOf, measuredAgainstPlan, secondsOf } from '../../bench/plan.mts';
import { promisesOf } from '../../bench/promises.mts';
import type { MemoryResult, Results, TimingResult } from '../../bench/types.mts';

/** A machine that needs 2 ms for a request and 20 µs for a record. */
const seconds = (records: number, pageSize: number): number =>
	(records / pageSize) * 0.002 + records * 0.000_02;

const timing = (pageSize: number): TimingResult => ({
	records: 100_000,
	pageSize,
	latencyMs: 0,
	seconds: { node: [seconds(100_000, pageSize)], httpRequest: [100], fetchLoop: [1] },
	failures: {},
});
const exported = (records: number): MemoryResult => ({
	output: 'ndjson',
	records,
	pageSize: null,
	baseMb: 400,
	peakMb: 600,
	seconds: seconds(records, 1_000),
});
const results = {
	timings: [timing(100), timing(1_000)],
	memory: [exported(100_000), exported(1_000_000), exported(10_000_000)],
} as unknown as Results;

test('the costs are found again in the times they make', () => {
	const { perRequest, perRecord } = costsOf(results) ?? { perRequest: NaN, perRecord: NaN };
	expect(perRequest).toBeCloseTo(0.002, 6);
	expect(perRecord).toBeCloseTo(0.000_02, 9);
	expect(measuredAgainstPlan(results)).toBeCloseTo(1, 3);
});

test('a plan counts latency for every request, and shares the work out among readers', () => {
	const costs = { perRequest: 0.002, perRecord: 0.000_02 };
	const plan = { records: 1_000_000, pageSize: 1_000, latencySeconds: 0.1 };
	expect(secondsOf(costs, plan)).toBeCloseTo(1_000 * 0.102 + 20, 6);
	expect(secondsOf(costs, { ...plan, readers: 4 })).toBeCloseTo((1_000 * 0.102 + 20) / 4, 6);
});

test('without the measurements it needs there is no plan', () => {
	expect(costsOf({ ...results, timings: [timing(100)] })).toBeUndefined();
	expect(measuredAgainstPlan({ ...results, memory: [] })).toBeUndefined();
});

test('a broken promise is told from one that is kept', () => {
	const slow = { ...exported(10_000_000), seconds: 1_000, peakMb: 700 };
	const broken = { ...results, memory: [exported(100_000), exported(1_000_000), slow] };
	const kept = (one: Results): boolean[] => promisesOf(one).map((promise) => promise.kept);
	expect(kept(results).slice(-3)).toEqual([true, true, true]);
	expect(kept(broken).slice(-3)).toEqual([true, false, false]);
});
