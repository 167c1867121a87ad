import { expect, it } from 'vitest';
import { promisesOf } from '../../bench/promises.mts';
import type { Contender, Results } from '../../bench/types.mts';

function keptWith(failures: Partial<Record<Contender, string>>): boolean[] {
	const seconds = { node: [1, 1], httpRequest: [10, 10, 10], fetchLoop: [1, 1, 1] };
	const timing = { records: 100_000, pageSize: 100, latencyMs: 0, seconds, failures };
	const results = { timings: [timing], memory: [] } as unknown as Results;
	return promisesOf(results).map(({ kept }) => kept);
}

it('keeps no promise by the rounds before a failure', () => {
	expect(keptWith({})).toEqual([true, true]);
	expect(keptWith({ node: 'broken off' })).toEqual([false, false]);
	expect(keptWith({ fetchLoop: 'broken off' })).toEqual([true, false]);
});

it.each([
	['tooManyRequests', 10_000, true],
	['brokenConnection', 9_900, false],
	['lostAnswers', 1, true],
	['lostAnswers', 2, false],
] as const)('%s: %i is kept: %s', (name, node, kept) => {
	const faults = [{ name, records: 10_000, counts: { node, httpRequest: 0 } }];
	const results = { timings: [], memory: [], faults } as unknown as Results;
	expect(promisesOf(results).map((promise) => promise.kept)).toEqual([kept]);
});
