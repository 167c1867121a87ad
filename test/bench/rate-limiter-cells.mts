import {
	fixedWindow,
	slidingWindow,
	tokenBucket,
	type Limit,
	type Limiter,
} from '../sandbox/rate-limit.mts';
import { play, type Outcome } from './client-play.mts';
import { randomNumbers } from './statistics.mts';

/** One cell of the table: a service, and how it is called. */
export interface Cell {
	/** Undefined for a service without a limit. */
	algorithm?: keyof typeof limiters;
	limit?: Limit;
	/** After half of the time the service allows so many times as much. */
	rises?: number;
	/** From this request on the service refuses everything for so long, and never again. */
	outage?: { fromRequest: number; lastsMs: number };
	/** Others have used up the limit when the run begins. */
	isUsedUp?: boolean;
	/** Of all requests, so many are refused at random, whatever the pace. */
	chance?: number;
	/** Additional time of a request that the service accepts, in ms: it throttles at once. */
	workMs?: number;
	/** Time after each throttled request in which the service throttles everything, in ms. */
	penaltyMs?: number;
	/** Longest time of a run on average, in ms. Set if the time is judged, and not the rate. */
	maxMs?: number;
	/** This call is always refused. */
	refusedCall?: number;
	/** So many runs of the same kind share the limit. */
	programs?: number;
	/** How a refusal says when to come back, if at all; "0" is a Retry-After that says at once, a number one of so many seconds. */
	tells?: 'Retry-After' | '0' | number;
	latencyMs: number;
	/** By which part either way takes more or less than usual; not set: a little. */
	spread?: number;
	maxConcurrent: number;
}

/** How a rate limiter did in a cell: the worst of three seeds, or, if the time is judged, the mean of nine. */
export interface Verdict {
	cell: Cell;
	/** Part of the rate that the limit and the calls at once allow; after an outage, part of full speed. */
	reached: number;
	/** Part of the requests that the service refused. */
	refused: number;
	succeeded: boolean;
	longestMs: number;
	/** Meets the target. */
	passes: boolean;
}

/** How long a run would take at the allowed rate: long enough that learning the rate is a small part. */
const SECOND_LIMIT_MS = 120_000;
const MINUTE_LIMIT_MS = 600_000;
const UNLIMITED_MS = 60_000;
/** Enough for a service without a limit, where more would only take longer to simulate. */
const MAX_UNLIMITED_CALLS = 30_000;
const LEAST_REACHED = 0.85;
const LEAST_REACHED_UNLIMITED = 0.95;
const LEAST_REACHED_RISING = 0.5;
/** Refusals that have nothing to do with pace may at most double the time. */
const LEAST_REACHED_BY_CHANCE = 0.5;
/** How long a run takes that is refused so, and how many calls one has of which one is always refused. */
const BY_CHANCE_MS = 100_000;
const CALLS_WITH_ONE_REFUSED = 300;
const MAX_REFUSED = 0.2;
/** Number of calls of a run whose time is judged. */
const TIMED_CALLS = 400;
/** A service that has refused for a while gets all requests that can be under way within that while and so long. */
const BACK_IN_MS = 10_000;
const JUDGED_FOR_MS = 10_000;

/** The ways to limit requests, in simulated time; the first fixed window has begun `phaseMs` before the run. */
export const limiters = {
	/** Holds a fifth of a second's requests, at least one. */
	'token bucket': (limit: Limit) =>
		tokenBucket(limit, Math.max(1, Math.ceil(limit.requests / (limit.windowMs / 200)))),
	'fixed window': (limit: Limit, phaseMs: number) => fixedWindow(limit, -phaseMs),
	'sliding window': (limit: Limit) => slidingWindow(limit),
	'bucket without burst': (limit: Limit) => tokenBucket(limit, 1),
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

/** Refused for a while and never again: that says nothing of how fast requests may come. */
export const outages: Cell[] = [200, 2_000, 30_000].flatMap((lastsMs) =>
	[1, 4, 31, 200].flatMap((fromRequest) =>
		(['Retry-After', undefined, '0'] as const).flatMap((tells) =>
			[
				...[1, 5, 20].map((maxConcurrent) => ({ latencyMs: 100, maxConcurrent })),
				{ latencyMs: 500, maxConcurrent: 100 },
			].map((call) => ({ outage: { fromRequest, lastsMs }, tells, ...call })),
		),
	),
);

/** The limits that count in windows, where nothing is left when the run begins. */
export const usedUp: Cell[] = limited
	.filter(({ algorithm, latencyMs }) => algorithm !== 'token bucket' && latencyMs === 100)
	.map((cell) => ({ ...cell, isUsedUp: true }));

/** A bucket that holds one request, and answers whose time varies by half: evenly sent requests arrive unevenly. */
export const uneven: Cell[] = limited
	.filter(({ algorithm }) => algorithm === 'token bucket')
	.map((cell) => ({ ...cell, algorithm: 'bucket without burst', spread: 0.5 }));

/** Refused at random, whatever the pace: from 10 % on, two in a row are no rarity. */
export const byChance: Cell[] = [0.02, 0.05, 0.1, 0.2].flatMap((chance) =>
	([undefined, 1] as const).flatMap((tells) =>
		[
			{ latencyMs: 500, maxConcurrent: 5 },
			{ latencyMs: 100, maxConcurrent: 1 },
			{ latencyMs: 100, maxConcurrent: 20 },
		].map((call) => ({ chance, tells, ...call })),
	),
);
/** One call is always refused; the others are judged. */
export const oneRefused: Cell[] = ([undefined, 2, 900] as const).flatMap((tells) =>
	[1, 5, 20].map((maxConcurrent) => ({ refusedCall: 7, tells, latencyMs: 500, maxConcurrent })),
);
/** Throttles a tenth at random and at once, while accepted requests take two seconds. */
export const slowWork: Cell[] = (
	[
		[undefined, 212_000],
		[1, 187_000],
	] as const
).map(([tells, maxMs]) => ({
	chance: 0.1,
	workMs: 2_000,
	tells,
	latencyMs: 20,
	maxConcurrent: 20,
	maxMs,
}));
/** A limit of 5 per second, with a penalty of 30 seconds after each throttled request, as Airtable has. */
export const penalties: Cell[] = (
	[
		[undefined, 150, 5, 606_000],
		[undefined, 500, 20, 573_000],
		['Retry-After', 150, 5, 530_000],
		['Retry-After', 500, 20, 522_000],
	] as const
).map(([tells, latencyMs, maxConcurrent, maxMs]) => ({
	algorithm: 'fixed window',
	limit: { requests: 5, windowMs: 1_000 },
	penaltyMs: 30_000,
	tells,
	latencyMs,
	maxConcurrent,
	maxMs,
}));
/** Two programs that share a limit; the slower one is judged by half of it. */
export const shared: Cell[] = limited
	.filter(
		({ latencyMs, maxConcurrent, limit }) =>
			latencyMs === 100 && maxConcurrent === 20 && limit?.windowMs === 1_000,
	)
	.map((cell) => ({ ...cell, programs: 2 }));

/** Whether so many calls at once could reach the limit. */
export function canReach({ limit, latencyMs, maxConcurrent }: Cell): boolean {
	return limit !== undefined && maxConcurrent / latencyMs >= limit.requests / limit.windowMs;
}

/** Plays a cell. One run whose time is judged may take twice as long as another, so it is played more often. */
export async function judge(cell: Cell): Promise<Verdict> {
	const worst = { reached: Infinity, refused: 0, succeeded: true, longestMs: 0 };
	const { requests, risesMs } = planOf(cell);
	const { programs = 1, refusedCall } = cell;
	const seeds = Array.from({ length: cell.maxMs === undefined ? 3 : 9 }, (_none, at) => at + 1);
	let timesMs = 0;
	for (const seed of seeds) {
		const random = randomNumbers(seed);
		const take = takeOf(cell, random, risesMs);
		const runs = Array.from({ length: programs }, () => ({
			maxConcurrent: cell.maxConcurrent,
			take,
			retryAfterMs: retryAfterOf(cell),
			latencyMs: cell.latencyMs,
			spread: cell.spread,
			workMs: cell.workMs,
			calls: requests / programs,
			random,
		}));
		for (const outcome of await play(...runs)) {
			worst.reached = Math.min(worst.reached, reachedIn(cell, outcome));
			timesMs += Math.max(...outcome.succeededAtMs);
			worst.refused = Math.max(worst.refused, outcome.refused / outcome.sent);
			worst.succeeded &&= outcome.failed.every((call) => call === refusedCall);
			worst.longestMs = Math.max(worst.longestMs, outcome.longestMs);
		}
	}
	if (cell.maxMs !== undefined) worst.reached = planOf(cell).bestMs / (timesMs / seeds.length);
	const isFast = worst.succeeded && worst.reached >= leastReached(cell);
	// There is no rate to keep to where a refusal has another cause.
	const hasRate = [cell.outage, cell.chance, refusedCall, cell.maxMs].every(
		(one) => one === undefined,
	);
	const refused = hasRate ? worst.refused : 0;
	return { cell, ...worst, passes: isFast && refused <= MAX_REFUSED };
}

/** The part of what was possible: in all, or for a while after the time in which speed must be back. */
function reachedIn(cell: Cell, { succeededAtMs, refusedFromMs }: Outcome): number {
	const { requests, bestMs } = planOf(cell);
	const { outage, programs = 1 } = cell;
	if (outage === undefined) {
		const durationMs = Math.max(...succeededAtMs);
		return ((succeededAtMs.length / (requests / programs)) * bestMs) / durationMs;
	}
	const fastFromMs = refusedFromMs + 2 * outage.lastsMs + BACK_IN_MS;
	const fast = succeededAtMs.filter((ms) => ms > fastFromMs && ms <= fastFromMs + JUDGED_FOR_MS);
	return fast.length / ((cell.maxConcurrent / cell.latencyMs) * JUDGED_FOR_MS);
}

function retryAfterOf({ tells }: Cell) {
	if (tells === undefined) return undefined;
	if (typeof tells === 'number') return () => tells * 1_000;
	return (waitMs: number) => (tells === '0' ? 0 : 1_000 * Math.max(1, Math.ceil(waitMs / 1_000)));
}

function leastReached(cell: Cell): number {
	const { limit, rises, chance, refusedCall, maxMs } = cell;
	if (maxMs !== undefined) return planOf(cell).bestMs / maxMs;
	if (chance !== undefined) return LEAST_REACHED_BY_CHANCE;
	if (refusedCall !== undefined) return LEAST_REACHED;
	if (limit === undefined) return LEAST_REACHED_UNLIMITED;
	return rises === undefined ? LEAST_REACHED : LEAST_REACHED_RISING;
}

/** How many calls a run makes, the shortest time for them, and when the limit rises. */
function planOf(cell: Cell): { requests: number; bestMs: number; risesMs: number } {
	const { algorithm, limit, outage, rises = 1, latencyMs, maxConcurrent, spread = 0 } = cell;
	const possible = maxConcurrent / latencyMs;
	if (outage !== undefined) {
		const lastsMs = outage.lastsMs + BACK_IN_MS + 2 * JUDGED_FOR_MS;
		return {
			requests: outage.fromRequest + Math.round(possible * lastsMs),
			bestMs: lastsMs,
			risesMs: Infinity,
		};
	}
	if (cell.maxMs !== undefined) {
		const { requests = Infinity, windowMs = 1 } = limit ?? {};
		const { workMs = 0 } = cell;
		const rate = Math.min(maxConcurrent / (latencyMs + workMs), requests / windowMs);
		return { requests: TIMED_CALLS, bestMs: TIMED_CALLS / rate, risesMs: Infinity };
	}
	if (cell.chance !== undefined)
		return { requests: BY_CHANCE_MS * possible, bestMs: BY_CHANCE_MS, risesMs: Infinity };
	if (cell.refusedCall !== undefined) {
		const requests = CALLS_WITH_ONE_REFUSED;
		return { requests, bestMs: requests / possible, risesMs: Infinity };
	}
	if (limit === undefined) {
		const requests = Math.min(MAX_UNLIMITED_CALLS, Math.round(possible * UNLIMITED_MS));
		return { requests, bestMs: requests / possible, risesMs: Infinity };
	}
	const lastsMs = limit.windowMs > 1_000 ? MINUTE_LIMIT_MS : SECOND_LIMIT_MS;
	const rate = Math.min(possible, limit.requests / limit.windowMs);
	const risenRate = Math.min(possible, (rises * limit.requests) / limit.windowMs);
	const requests = Math.round(((rate + risenRate) / 2) * lastsMs);
	if (algorithm === 'bucket without burst') {
		// Sent closer to each other, a slow request and a quick one behind it can arrive too close.
		const apartMs = Math.max(1 / possible, limit.windowMs / limit.requests + spread * latencyMs);
		return { requests, bestMs: requests * apartMs, risesMs: Infinity };
	}
	return { requests, bestMs: lastsMs, risesMs: lastsMs / 2 };
}

/** What the service does with a request, and with which call of a run. */
function takeOf(cell: Cell, random: () => number, risesMs: number) {
	const { chance = 0, refusedCall } = cell;
	const limiter = withPenalty(cell, limiterOf(cell, random, risesMs));
	return (nowMs: number, call: number): number => {
		const isRefused = call === refusedCall || (chance > 0 && random() < chance);
		return isRefused ? 1_000 : (limiter?.take(nowMs) ?? 0);
	};
}

function limiterOf(
	{ algorithm, limit, rises, outage, isUsedUp }: Cell,
	random: () => number,
	risesMs: number,
): Limiter | undefined {
	if (outage !== undefined) return refusingFor(outage);
	if (algorithm === undefined || limit === undefined) return undefined;
	const phaseMs = random() * limit.windowMs;
	const before = limiters[algorithm](limit, phaseMs);
	// Others took all of it when the window began.
	if (isUsedUp) for (let taken = 0; taken < limit.requests; taken++) before.take(-phaseMs);
	if (rises === undefined) return before;
	const risen = { ...limit, requests: rises * limit.requests };
	const after = limiters[algorithm](risen, phaseMs);
	return { take: (nowMs) => (nowMs < risesMs ? before : after).take(nowMs) };
}

function withPenalty({ penaltyMs = 0 }: Cell, limiter?: Limiter): Limiter | undefined {
	if (penaltyMs === 0 || limiter === undefined) return limiter;
	let untilMs = 0;
	const take = (nowMs: number): number => {
		if (nowMs < untilMs) return untilMs - nowMs;
		if (limiter.take(nowMs) === 0) return 0;
		untilMs = nowMs + penaltyMs;
		return penaltyMs;
	};
	return { take };
}

function refusingFor({ fromRequest, lastsMs }: NonNullable<Cell['outage']>): Limiter {
	let taken = 0;
	let untilMs = Infinity;
	const take = (nowMs: number): number => {
		if (++taken === fromRequest) untilMs = nowMs + lastsMs;
		return taken < fromRequest ? 0 : Math.max(0, untilMs - nowMs);
	};
	return { take };
}
