import { expect, it } from 'vitest';
import { promisesOf } from '../../bench/promises.mts';
import type { Contender, Results } from '../../bench/types.mts';

/** Which promises are kept about a list that is read in a tenth of the time that HTTP Request takes. */
function keptWith(failures: Partial<Record<Contender, string>>, accepts?: number): boolean[] {
	const seconds = { node: [1, 1], httpRequest: [10, 10, 10], fetchLoop: [1, 1, 1] };
	const wanted = { records: 20_000, pageSize: 'default', accepts, latencyMs: 50 };
	const results = { timings: [{ ...wanted, seconds, failures }], memory: [] };
	return promisesOf(results as unknown as Results).map(({ kept }) => kept);
}

it('keeps no promise by the rounds before a failure', () => {
	expect(keptWith({})).toEqual([true]);
	expect(keptWith({ node: 'broken off' })).toEqual([false]);
	expect(keptWith({ httpRequest: 'broken off' })).toEqual([false]);
	expect(keptWith({ fetchLoop: 'broken off' })).toEqual([true]);
});

it('promises more where the service accepts larger pages', () => {
	expect(keptWith({}, 5_000)).toEqual([false]);
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
