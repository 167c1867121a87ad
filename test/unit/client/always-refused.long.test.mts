import { expect, test } from 'vitest';
import { play } from '../../bench/client-play.mts';
import { randomNumbers } from '../../bench/statistics.mts';

const CALLS = 300;

test('up to eight of 300 calls that are always refused fail no other, whatever the service says', async () => {
	for (let seed = 1; seed <= 300; seed++) {
		const random = randomNumbers(seed);
		const below = (most: number): number => Math.floor(most * random());
		const oneOf = <T,>(given: readonly T[]): T => given[below(given.length)];
		const howMany = 1 + below(8);
		const first = 1 + below(CALLS - 8);
		const areNeighbours = random() < 0.5;
		const refused = new Set(
			Array.from({ length: howMany }, (_none, at) =>
				areNeighbours ? first + at : 1 + below(CALLS),
			),
		);
		const seconds = oneOf([undefined, 0, 2, 60, 900, 3_600]);
		const run = {
			maxConcurrent: oneOf([1, 2, 5, 20]),
			latencyMs: oneOf([20, 100, 500]),
			calls: CALLS,
			take: (_nowMs: number, call: number) => (refused.has(call) ? 1 : 0),
			retryAfterMs: seconds === undefined ? undefined : () => 1_000 * seconds,
			random,
		};
		const [{ succeededAtMs, failed }] = await play(run);
		const what = `seed ${seed}, Retry-After ${seconds}, ${run.maxConcurrent} at once`;
		expect(new Set(failed), what).toEqual(refused);
		expect(succeededAtMs, what).toHaveLength(CALLS - refused.size);
	}
});
