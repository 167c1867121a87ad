import { describe, expect, test } from 'vitest';
import { RateLimiter } from '../../../nodes/client/rate-limiter.ts';
import { judge, limited, rising, unlimited, type Cell } from '../../bench/rate-limiter-cells.mts';

const createRateLimiter = (maxConcurrent: number): RateLimiter => new RateLimiter(maxConcurrent);

const nameOf = ({ algorithm, limit, latencyMs, maxConcurrent, ...cell }: Cell): string =>
	`${algorithm ?? 'no limit'}, ${limit?.requests} per ${limit?.windowMs} ms, ${latencyMs} ms, ${maxConcurrent} at once, ${cell.tells ?? 'not told when'}`;
const named = (cells: readonly Cell[]): Array<[string, Cell]> =>
	cells.map((cell) => [nameOf(cell), cell]);

/** A few of the cells of `npm run bench:pace`, which takes them all. */
const perSecond = limited.filter(
	({ limit, latencyMs, maxConcurrent }) =>
		limit?.windowMs === 1_000 &&
		limit.requests <= 50 &&
		[20, 100].includes(latencyMs) &&
		[5, 20].includes(maxConcurrent),
);
const perMinute = limited.filter(
	({ limit, latencyMs }) => limit?.windowMs === 60_000 && latencyMs === 20,
);

describe('the rate limiter against a service with an unknown limit, in simulated time', () => {
	test.each(named(perSecond))(
		'%s: 85 % of the rate, 5 % refused, every call succeeds',
		(_name, cell) => {
			expect(judge(cell, createRateLimiter)).toMatchObject({ passes: true });
		},
	);

	test.each(named(perMinute))('%s: every call succeeds', (_name, cell) => {
		const { succeeded, reached, refused } = judge(cell, createRateLimiter);
		expect(succeeded).toBe(true);
		expect(reached).toBeGreaterThan(0.85);
		expect(refused).toBeLessThan(0.1);
	});

	test.each(named(unlimited.filter(({ latencyMs }) => latencyMs === 100)))(
		'%s: hardly any time is lost',
		(_name, cell) => {
			expect(judge(cell, createRateLimiter)).toMatchObject({ passes: true, refused: 0 });
		},
	);

	test.each(named(rising.filter(({ limit }) => limit?.requests === 5)))(
		'%s, then four times as much: found again',
		(_name, cell) => {
			expect(judge(cell, createRateLimiter)).toMatchObject({ passes: true });
		},
	);
});
