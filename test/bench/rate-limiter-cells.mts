import {
	announcing,
	fixedWindow,
	slidingWindow,
	tokenBucket,
	type Limit,
	type Limiter,
} from '../sandbox/rate-limit.mts';
import {
	EPOCH_MS,
	randomNumbers,
	simulate,
	type JudgedRateLimiter,
} from './rate-limiter-simulation.mts';

/** One cell of the table: a service, and how it is called. */
export interface Cell {
	/** Undefined for a service without a limit. */
	algorithm?: keyof typeof limiters;
	limit?: Limit;
	/** After half of the time the service allows so many times as much. */
	rises?: number;
	/** How a refusal says when to come back, if at all. */
	tells?: 'Retry-After' | keyof typeof announcing;
	latencyMs: number;
	maxConcurrent: number;
}

/** How a rate limiter did in a cell: the worst of all seeds. */
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

/** The ways to limit requests, in simulated time; the first fixed window has begun `phaseMs` before the run. */
export const limiters = {
	/** Holds a fifth of a second's requests, at least one. */
	'token bucket': (limit: Limit) =>
		tokenBucket(limit, Math.max(1, Math.ceil(limit.requests / (limit.windowMs / 200)))),
	'fixed window': (limit: Limit, phaseMs: number) => fixedWindow(limit, -phaseMs),
	'sliding window': (limit: Limit) => slidingWindow(limit),
} satisfies Record<string, (limit: Limit, phaseMs: number) => Limiter>;

const latencies = [20, 100, 500];
const concurrencies = [1, 5, 20, 100];
const algorithms = ['token bucket', 'fixed window', 'sliding window'] as const;
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
		(['Retry-After', undefined] as const).flatMap((tells) =>
			calls.map((call) => ({ algorithm, limit, tells, ...call })),
		),
	),
);
/** Nothing to be found: a rate limiter must not be in the way. */
export const unlimited: Cell[] = calls;
/** A limit that rises: a rate limiter must not stay at what it has found once. */
export const rising: Cell[] = algorithms.flatMap((algorithm) =>
	[5, 50].map((requests) => ({
		algorithm,
		limit: { requests, windowMs: 1_000 },
		rises: 4,
		tells: 'Retry-After',
		latencyMs: 100,
		maxConcurrent: 100,
	})),
);

/** The limits with Retry-After, where refusals tell by a header of another kind when the limit begins anew. */
export const resetting: Cell[] = (
	Object.keys(announcing) as Array<keyof typeof announcing>
).flatMap((tells) =>
	limited.filter((cell) => cell.tells !== undefined).map((cell) => ({ ...cell, tells })),
);

/** Whether so many calls at once could reach the limit. */
export function canReach({ limit, latencyMs, maxConcurrent }: Cell): boolean {
	return limit !== undefined && maxConcurrent / latencyMs >= limit.requests / limit.windowMs;
}

/** Plays a cell with every seed and gives the worst. */
export function judge(
	cell: Cell,
	createRateLimiter: (maxConcurrent: number) => JudgedRateLimiter,
): Verdict {
	const verdict = { cell, reached: Infinity, refused: 0, succeeded: true, longestMs: 0 };
	const { requests, bestMs, risesMs } = planOf(cell);
	for (const seed of SEEDS) {
		const random = randomNumbers(seed);
		const limiter = limiterOf(cell, random, risesMs);
		const outcome = simulate({
			rateLimiter: createRateLimiter(cell.maxConcurrent),
			limiter,
			refusal: refusalsOf(cell, limiter),
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
	const { succeeded, refused, reached } = verdict;
	const passes = succeeded && refused <= MOST_REFUSED && reached >= leastReached(cell);
	return { ...verdict, passes };
}

function refusalsOf({ limit, tells }: Cell, limiter?: Limiter) {
	if (tells === undefined || limit === undefined || limiter === undefined) return undefined;
	return (waitMs: number, nowMs: number): Record<string, string> =>
		tells === 'Retry-After'
			? { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1_000))) }
			: announcing[tells](limit, limiter.left(nowMs), EPOCH_MS + nowMs);
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
	const before = limiters[algorithm](limit, phaseMs);
	if (rises === undefined) return before;
	const risen = { ...limit, requests: rises * limit.requests };
	const after = limiters[algorithm](risen, phaseMs);
	const at = (nowMs: number): Limiter => (nowMs < risesMs ? before : after);
	return { take: (nowMs) => at(nowMs).take(nowMs), left: (nowMs) => at(nowMs).left(nowMs) };
}
