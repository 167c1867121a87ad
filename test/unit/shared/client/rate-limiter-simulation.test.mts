import { describe, expect, test } from 'vitest';
import {
	judge,
	limited,
	outages,
	rising,
	uneven,
	unlimited,
	usedUp,
	type Cell,
} from '../../../bench/rate-limiter-cells.mts';
import { play } from '../../../bench/client-play.mts';
import { randomNumbers } from '../../../bench/statistics.mts';

const nameOf = ({ algorithm, limit, outage, latencyMs, maxConcurrent, ...cell }: Cell): string => {
	const limits = limit && `${limit.requests} per ${limit.windowMs} ms`;
	const refused = outage && `refused for ${outage.lastsMs} ms from ${outage.fromRequest} on`;
	const service = [algorithm, limits, refused].filter(Boolean).join(', ') || 'no limit';
	return `${service}, ${latencyMs} ms, ${maxConcurrent} at once, ${cell.retryAfter ?? 'not told when'}`;
};
const named = (what: string, cells: readonly Cell[]): Array<[string, Cell]> =>
	cells.map((cell) => [`${nameOf(cell)}${what}`, cell]);

/** Some of the cells of `npm run bench:pace`. */
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
		...named(': 85 % of the rate, 10 % refused, every call succeeds', [...perSecond, ...perMinute]),
		...named(': hardly any time is lost', unlimited.filter(isSmall)),
		...named(
			', then four times as much: found again',
			rising.filter(({ limit }) => limit?.requests === 5),
		),
		...named(
			' and never again: at full speed within that while and ten seconds',
			outages.filter(isAFew),
		),
		...named(
			', used up or without a burst: still found',
			[...usedUp, ...uneven].filter((cell) => isSmall(cell) && isOf20(cell)),
		),
	])('%s', async (_name, cell) => {
		expect(await judge(cell)).toMatchObject({ passes: true });
	});
});

describe('a service that throttles one request and accepts all later ones', () => {
	const once = { from: 1, refused: 1 };
	/** Several seeds, because the order of arrival matters if only some of the requests sent together are throttled. */
	const played = [20, 50, 100].flatMap((ms) => [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => [ms, seed]));
	test.each([
		['the first of 16 pages, Retry-After 6', 16, 1, once, 6, 8],
		['the first of 16 pages, Retry-After 12', 16, 1, once, 12, 14],
		['the first of 120 calls, 20 at once, Retry-After 8', 120, 20, once, 8, 10],
		['request 4 of 300, 10 at once, Retry-After 5', 300, 10, { from: 4, refused: 1 }, 5, 9],
	] as const)('%s', async (_name, calls, atOnce, { from, refused }, seconds, maxSeconds) => {
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
	});
});
