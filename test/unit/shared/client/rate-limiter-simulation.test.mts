import { describe, expect, test } from 'vitest';
import {
	limited,
	outages,
	rising,
	uneven,
	unlimited,
	usedUp,
	type Cell,
} from '../../../bench/rate-limiter-cells.mts';
import { judge } from '../../../bench/rate-limiter-judge.mts';
import { play } from '../../../bench/client-play.mts';
import { randomNumbers } from '../../../bench/statistics.mts';

const nameOf = ({ algorithm, limit, outage, latencyMs, maxConcurrent, ...cell }: Cell): string => {
	const limits = limit && `${limit.requests} per ${limit.windowMs} ms`;
	const refused = outage && `throttled for ${outage.lastsMs} ms from call ${outage.fromRequest} on`;
	const service = [algorithm, limits, refused].filter(Boolean).join(', ') || 'no limit';
	return `${service}, latency ${latencyMs} ms, ${maxConcurrent} at once, ${cell.retryAfter ?? 'no Retry-After'}`;
};
const named = (what: string, cells: readonly Cell[]): Array<[string, Cell]> =>
	cells.map((cell) => [`${nameOf(cell)}${what}`, cell]);

/** Some cases of `npm run bench:pace`. A case is a simulated service, and how the node calls it. */
const perSecond = limited.filter(
	({ limit, latencyMs, maxConcurrent }) =>
		limit?.windowMs === 1_000 &&
		limit.requests === 50 &&
		latencyMs === 100 &&
		[5, 20].includes(maxConcurrent),
);
const perMinute = limited.filter(
	({ limit, latencyMs, maxConcurrent }) =>
		limit?.windowMs === 60_000 && latencyMs === 20 && maxConcurrent === 5,
);
const isSmall = ({ latencyMs, maxConcurrent }: Cell) => latencyMs === 100 && maxConcurrent === 5;
const isAFew = ({ latencyMs, maxConcurrent }: Cell) => latencyMs === 100 && maxConcurrent <= 5;
const isOf20 = ({ limit }: Cell) => limit?.requests === 20;

describe('the rate limiter against a service with an unknown limit, in virtual time', () => {
	test.each([
		...named(': 85 % of the rate, at most 20 % throttled', [...perSecond, ...perMinute]),
		...named(': 95 % of full speed', unlimited.filter(isSmall)),
		...named(
			', then four times the limit: 50 % of the rate',
			rising.filter(({ limit }) => limit?.requests === 5),
		),
		...named(
			': full speed after twice the time of the outage plus ten seconds',
			outages.filter(isAFew),
		),
		...named(
			', limit used up at the start or no burst: 85 % of the rate',
			[...usedUp, ...uneven].filter((cell) => isSmall(cell) && isOf20(cell)),
		),
	])('meets the target of the benchmark: %s', async (_name, cell) => {
		expect(await judge(cell)).toMatchObject({ passes: true });
	});
});

describe('a service that throttles one request and accepts all later ones', () => {
	const once = { from: 1, refused: 1 };
	/**
	 * Pairs of a latency in ms and a random seed. Several seeds are needed, because the result depends on the order in
	 * which requests arrive.
	 */
	const played = [20, 50, 100].flatMap((ms) => [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => [ms, seed]));
	test.each([
		['the first of 16 pages for 6 s', 16, 1, once, 6, 8],
		['the first of 16 pages for 12 s', 16, 1, once, 12, 14],
		['the first of 120 calls for 8 s, 20 at once', 120, 20, once, 8, 10],
		['request 4 of 300 for 5 s, 10 at once', 300, 10, { from: 4, refused: 1 }, 5, 9],
	] as const)(
		'takes little longer than Retry-After if the service throttles %s',
		async (_name, calls, atOnce, { from, refused }, seconds, maxSeconds) => {
			for (const [latencyMs, seed] of played) {
				let taken = 0;
				const take = (): number => {
					taken += 1;
					return taken >= from && taken < from + refused ? seconds * 1_000 : 0;
				};
				const [{ succeededAtMs }] = await play({
					maxConcurrent: atOnce,
					take,
					retryAfterMs: () => seconds * 1_000,
					latencyMs,
					calls,
					random: randomNumbers(seed),
				});
				expect(succeededAtMs).toHaveLength(calls);
				const durationMs = Math.max(...succeededAtMs);
				expect(durationMs / 1_000, 'seconds').toBeLessThan(maxSeconds);
				expect(durationMs / 1_000, 'seconds').toBeGreaterThan(seconds);
			}
		},
	);
});
