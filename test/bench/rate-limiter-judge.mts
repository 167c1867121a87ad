import type { Limiter } from '../sandbox/rate-limit.mts';
import { play, type Outcome } from './client-play.mts';
import { limiters, type Cell } from './rate-limiter-cells.mts';
import { randomNumbers } from './statistics.mts';

/** Result of a benchmark case: the worst of three simulations, or the mean duration of nine simulations. */
export interface Verdict {
	cell: Cell;
	/**
	 * Reached rate as a share of the best rate that the limit and the number of parallel calls allow. After an outage,
	 * the share of full speed.
	 */
	reached: number;
	/** Share of all requests that the service throttled. */
	throttled: number;
	succeeded: boolean;
	longestMs: number;
	/** Whether the benchmark case meets its target. */
	passes: boolean;
}

/**
 * Duration in ms of a run at the allowed rate. It is long enough that learning the rate takes only a small part of it.
 */
const SECOND_LIMIT_MS = 120_000;
const MINUTE_LIMIT_MS = 600_000;
const UNLIMITED_MS = 60_000;
/** Maximum number of calls to a service without a rate limit. More calls would only slow down the simulation. */
const MAX_UNLIMITED_CALLS = 30_000;
const MIN_REACHED = 0.85;
const MIN_REACHED_UNLIMITED = 0.95;
const MIN_REACHED_RISING = 0.5;
/**
 * Minimum share of the possible rate if the service throttles at random. At this share, the run takes twice as long as
 * without throttling.
 */
const MIN_REACHED_BY_CHANCE = 0.5;
/** Shortest possible duration in ms of a run that the service throttles at random. */
const BY_CHANCE_MS = 100_000;
/** Number of calls in a run if the service always throttles one of them. */
const CALLS_WITH_ONE_THROTTLED = 300;
const MAX_THROTTLED = 0.2;
/** Number of calls in a run whose duration is judged. */
const TIMED_CALLS = 400;
/** After an outage, full speed must return within twice the outage's duration plus this time in ms. */
const BACK_IN_MS = 10_000;
const JUDGED_FOR_MS = 10_000;

/**
 * Simulates a benchmark case with three random seeds, or with nine if its duration is judged. More simulations are
 * needed for the duration, because one run can take twice as long as another.
 */
export async function judge(cell: Cell): Promise<Verdict> {
	const worst = { reached: Infinity, throttled: 0, succeeded: true, longestMs: 0 };
	const { requests, risesMs } = planOf(cell);
	const { programs = 1, throttledCall } = cell;
	const seeds = Array.from({ length: cell.maxMs === undefined ? 3 : 9 }, (_none, at) => at + 1);
	let timesMs = 0;
	for (const seed of seeds) {
		const random = randomNumbers(seed);
		const take = decisionOf(cell, random, risesMs);
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
			worst.throttled = Math.max(worst.throttled, outcome.throttled / outcome.sent);
			worst.succeeded &&= outcome.failed.every((call) => call === throttledCall);
			worst.longestMs = Math.max(worst.longestMs, outcome.longestMs);
		}
	}
	if (cell.maxMs !== undefined) worst.reached = planOf(cell).bestMs / (timesMs / seeds.length);
	const isFast = worst.succeeded && worst.reached >= minReached(cell);
	// Judge the share of throttled requests only in cases in which nothing but the rate limit causes throttling.
	const hasRate = [cell.outage, cell.chance, throttledCall, cell.maxMs].every(
		(one) => one === undefined,
	);
	const throttled = hasRate ? worst.throttled : 0;
	return { cell, ...worst, passes: isFast && throttled <= MAX_THROTTLED };
}

/**
 * Returns the reached share of the possible rate over the whole run. After an outage, returns the share in the ten
 * seconds after the time at which full speed must have returned.
 */
function reachedIn(cell: Cell, { succeededAtMs, throttledFromMs }: Outcome): number {
	const { requests, bestMs } = planOf(cell);
	const { outage, programs = 1 } = cell;
	if (outage === undefined) {
		const durationMs = Math.max(...succeededAtMs);
		return ((succeededAtMs.length / (requests / programs)) * bestMs) / durationMs;
	}
	const fastFromMs = throttledFromMs + 2 * outage.lastsMs + BACK_IN_MS;
	const fast = succeededAtMs.filter((ms) => ms > fastFromMs && ms <= fastFromMs + JUDGED_FOR_MS);
	return fast.length / ((cell.maxConcurrent / cell.latencyMs) * JUDGED_FOR_MS);
}

function retryAfterOf({ retryAfter }: Cell) {
	if (retryAfter === undefined) return undefined;
	if (typeof retryAfter === 'number') return () => retryAfter * 1_000;
	return (waitMs: number) =>
		retryAfter === '0' ? 0 : 1_000 * Math.max(1, Math.ceil(waitMs / 1_000));
}

function minReached(cell: Cell): number {
	const { limit, rises, chance, throttledCall, maxMs } = cell;
	if (maxMs !== undefined) return planOf(cell).bestMs / maxMs;
	if (chance !== undefined) return MIN_REACHED_BY_CHANCE;
	if (throttledCall !== undefined) return MIN_REACHED;
	if (limit === undefined) return MIN_REACHED_UNLIMITED;
	return rises === undefined ? MIN_REACHED : MIN_REACHED_RISING;
}

/**
 * Returns the number of calls of a run, its shortest possible duration, and the time at which the limit rises, in ms.
 */
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
	if (cell.throttledCall !== undefined) {
		const requests = CALLS_WITH_ONE_THROTTLED;
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
		// Requests must be sent at least this far apart. Otherwise a fast request could arrive too soon after a slow
		// one.
		const apartMs = Math.max(1 / possible, limit.windowMs / limit.requests + spread * latencyMs);
		return { requests, bestMs: requests * apartMs, risesMs: Infinity };
	}
	return { requests, bestMs: lastsMs, risesMs: lastsMs / 2 };
}

/**
 * Returns a function that decides whether the service accepts a request. The function returns 0 if the service accepts
 * the request, otherwise the time in ms until the service accepts requests.
 */
function decisionOf(cell: Cell, random: () => number, risesMs: number) {
	const { chance = 0, throttledCall } = cell;
	const limiter = withPenalty(cell, limiterOf(cell, random, risesMs));
	return (nowMs: number, call: number): number => {
		const isThrottled = call === throttledCall || (chance > 0 && random() < chance);
		return isThrottled ? 1_000 : (limiter?.take(nowMs) ?? 0);
	};
}

function limiterOf(
	{ algorithm, limit, rises, outage, isUsedUp }: Cell,
	random: () => number,
	risesMs: number,
): Limiter | undefined {
	if (outage !== undefined) return throttlingFor(outage);
	if (algorithm === undefined || limit === undefined) return undefined;
	const phaseMs = random() * limit.windowMs;
	const before = limiters[algorithm](limit, phaseMs);
	// Use up the limit at the beginning of the window, as if other clients had sent requests.
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

function throttlingFor({ fromRequest, lastsMs }: NonNullable<Cell['outage']>): Limiter {
	let taken = 0;
	let untilMs = Infinity;
	const take = (nowMs: number): number => {
		if (++taken === fromRequest) untilMs = nowMs + lastsMs;
		return taken < fromRequest ? 0 : Math.max(0, untilMs - nowMs);
	};
	return { take };
}
