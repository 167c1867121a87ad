import { createLimiter, type Algorithm, type Limit, type Limiter } from './pace-limiters.mts';
import { randomNumbers, simulate, type JudgedPace } from './pace-simulation.mts';

/** One cell of the table: a service, and how it is called. */
export interface Cell {
	/** Undefined for a service without a limit. */
	algorithm?: Algorithm;
	limit?: Limit;
	/** After half of the time the service allows so many times as much. */
	rises?: number;
	retryAfter: boolean;
	latencyMs: number;
	maxConcurrent: number;
}

/** How a pace did in a cell: the worst of all seeds. */
export interface Verdict {
	cell: Cell;
	/** Part of the rate that the limit and the calls at once allow. */
	reached: number;
	/** Part of the requests that the service refused. */
	refused: number;
	succeeded: boolean;
	longestMs: number;
	passes: boolean;
}

const SEEDS = [1, 2, 3];
/** How long a run would take at the allowed rate: long enough that learning the rate is a small part. */
const SECOND_LIMIT_MS = 120_000;
const MINUTE_LIMIT_MS = 600_000;
const UNLIMITED_MS = 60_000;
/** Enough for a service without a limit, where more would only take longer to simulate. */
const MOST_UNLIMITED_CALLS = 30_000;
const LEAST_REACHED = 0.85;
const LEAST_REACHED_UNLIMITED = 0.95;
const LEAST_REACHED_RISING = 0.5;
const MOST_REFUSED = 0.05;

const latencies = [20, 100, 500];
const concurrencies = [1, 5, 20, 100];
const algorithms: Algorithm[] = ['token bucket', 'fixed window', 'sliding window'];
const limits: Limit[] = [
	...[5, 20, 50, 200].map((requests) => ({ requests, windowMs: 1_000 })),
	{ requests: 60, windowMs: 60_000 },
];
const calls = latencies.flatMap((latencyMs) =>
	concurrencies.map((maxConcurrent) => ({ latencyMs, maxConcurrent })),
);

/** Every limit with every way of calling it. */
export const limited: Cell[] = algorithms.flatMap((algorithm) =>
	limits.flatMap((limit) =>
		[true, false].flatMap((retryAfter) =>
			calls.map((call) => ({ algorithm, limit, retryAfter, ...call })),
		),
	),
);
/** Nothing to be found: a pace must not be in the way. */
export const unlimited: Cell[] = calls.map((call) => ({ retryAfter: false, ...call }));
/** A limit that rises: a pace must not stay at what it has found once. */
export const rising: Cell[] = algorithms.flatMap((algorithm) =>
	[5, 50].map((requests) => ({
		algorithm,
		limit: { requests, windowMs: 1_000 },
		rises: 4,
		retryAfter: true,
		latencyMs: 100,
		maxConcurrent: 100,
	})),
);

/** Whether so many calls at once could reach the limit. */
export function canReach({ limit, latencyMs, maxConcurrent }: Cell): boolean {
	return limit !== undefined && maxConcurrent / latencyMs >= limit.requests / limit.windowMs;
}

/** Plays a cell with every seed and gives the worst. */
export function judge(cell: Cell, createPace: (maxConcurrent: number) => JudgedPace): Verdict {
	const verdict: Verdict = {
		cell,
		reached: Infinity,
		refused: 0,
		succeeded: true,
		longestMs: 0,
		passes: true,
	};
	const { requests, bestMs, risesMs } = planOf(cell);
	for (const seed of SEEDS) {
		const random = randomNumbers(seed);
		const outcome = simulate({
			pace: createPace(cell.maxConcurrent),
			limiter: limiterOf(cell, random, risesMs),
			retryAfter: cell.retryAfter,
			latencyMs: cell.latencyMs,
			calls: requests,
			random,
		});
		const reached = ((outcome.succeeded / requests) * bestMs) / outcome.durationMs;
		verdict.reached = Math.min(verdict.reached, reached);
		verdict.refused = Math.max(verdict.refused, outcome.refused / outcome.sent);
		verdict.succeeded &&= outcome.succeeded === requests;
		verdict.longestMs = Math.max(verdict.longestMs, outcome.longestMs);
	}
	verdict.passes =
		verdict.succeeded && verdict.refused <= MOST_REFUSED && verdict.reached >= leastReached(cell);
	return verdict;
}

function leastReached({ limit, rises }: Cell): number {
	if (limit === undefined) return LEAST_REACHED_UNLIMITED;
	return rises === undefined ? LEAST_REACHED : LEAST_REACHED_RISING;
}

/** How many calls a run makes, the shortest time for them, and when the limit rises. */
function planOf(cell: Cell): { requests: number; bestMs: number; risesMs: number } {
	const { limit, rises = 1, latencyMs, maxConcurrent } = cell;
	const possible = maxConcurrent / latencyMs;
	if (limit === undefined) {
		const requests = Math.min(MOST_UNLIMITED_CALLS, Math.round(possible * UNLIMITED_MS));
		return { requests, bestMs: requests / possible, risesMs: Infinity };
	}
	const lastsMs = limit.windowMs > 1_000 ? MINUTE_LIMIT_MS : SECOND_LIMIT_MS;
	const rate = Math.min(possible, limit.requests / limit.windowMs);
	const risenRate = Math.min(possible, (rises * limit.requests) / limit.windowMs);
	const requests = Math.round(((rate + risenRate) / 2) * lastsMs);
	return { requests, bestMs: lastsMs, risesMs: lastsMs / 2 };
}

function limiterOf(
	{ algorithm, limit, rises }: Cell,
	random: () => number,
	risesMs: number,
): Limiter | undefined {
	if (algorithm === undefined || limit === undefined) return undefined;
	const phaseMs = random() * limit.windowMs;
	const before = createLimiter(algorithm, limit, phaseMs);
	if (rises === undefined) return before;
	const risen = { ...limit, requests: rises * limit.requests };
	const after = createLimiter(algorithm, risen, phaseMs);
	return { take: (nowMs) => (nowMs < risesMs ? before : after).take(nowMs) };
}
