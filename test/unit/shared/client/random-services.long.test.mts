import { expect, test } from 'vitest';
import { play } from '../../../bench/client-play.mts';
import { limiters } from '../../../bench/rate-limiter-cells.mts';
import { randomNumbers } from '../../../bench/statistics.mts';

const CALLS = 300;

test('completes all other calls if up to eight of 300 calls are always throttled, with any Retry-After', async () => {
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

test('completes all other calls at any rate limit, even if one call is always throttled', async () => {
	for (let seed = 1; seed <= 100; seed++) {
		const random = randomNumbers(seed);
		const oneOf = <T,>(given: readonly T[]): T => given[Math.floor(given.length * random())];
		const algorithm = oneOf(['token bucket', 'fixed window', 'sliding window'] as const);
		const limit = oneOf([
			{ requests: 5, windowMs: 1_000 },
			{ requests: 50, windowMs: 1_000 },
			{ requests: 60, windowMs: 60_000 },
		]);
		const limiter = limiters[algorithm](limit, random() * limit.windowMs);
		const refused = random() < 0.5 ? 1 + Math.floor(200 * random()) : 0;
		const tells = random() < 0.5;
		const run = {
			maxConcurrent: oneOf([1, 5, 20, 100]),
			latencyMs: oneOf([20, 100, 500]),
			calls: 200,
			take: (nowMs: number, call: number) => (call === refused ? 2_000 : limiter.take(nowMs)),
			retryAfterMs: tells ? (ms: number) => 1_000 * Math.ceil(ms / 1_000) : undefined,
			random,
		};
		const [{ failed }] = await play(run);
		expect(
			failed.filter((call) => call !== refused),
			`seed ${seed}`,
		).toEqual([]);
	}
});
