import {
	fixedWindow,
	slidingWindow,
	tokenBucket,
	type Limit,
	type Limiter,
} from '../sandbox/rate-limit.mts';

/** Benchmark case (a cell of the result table): a service with its rate limit, and how the node calls the service. */
export interface Cell {
	/** Algorithm of the service's rate limit. Undefined for a service without a rate limit. */
	algorithm?: keyof typeof limiters;
	limit?: Limit;
	/** Factor by which the service raises its rate limit in the middle of the run. */
	rises?: number;
	/**
	 * Outage: beginning with request number `fromRequest`, the service throttles all requests for `lastsMs` ms. After
	 * the outage it throttles no request.
	 */
	outage?: { fromRequest: number; lastsMs: number };
	/** Whether other clients have used up the rate limit when the run begins. */
	isUsedUp?: boolean;
	/** Share of requests that the service throttles at random, however fast the node sends requests. */
	chance?: number;
	/** Time in ms that the service needs to process an accepted request. Throttled requests need no such time. */
	workMs?: number;
	/** Penalty after a throttled request: the time in ms during which the service throttles all requests. */
	penaltyMs?: number;
	/** Maximum mean duration of the run in ms. If set, the duration is judged instead of the rate. */
	maxMs?: number;
	/** Number of the call that the service always throttles. The first call is number 1. */
	throttledCall?: number;
	/** Number of programs that run at the same time and share the rate limit. */
	programs?: number;
	/**
	 * Retry-After header of a throttled request: the actual waiting time, "0", or a fixed number of seconds. Undefined
	 * for a service without the header.
	 */
	retryAfter?: 'Retry-After' | '0' | number;
	latencyMs: number;
	/**
	 * Largest relative deviation of the network time in each direction, such as 0.5 for ±50 %. Default: a small
	 * deviation.
	 */
	spread?: number;
	maxConcurrent: number;
}

/** Algorithms of rate limits, in simulated time. The first fixed window began `phaseMs` before the run. */
export const limiters = {
	/** Token bucket that holds the requests of 200 ms, and at least one request. */
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

/** Benchmark cases that combine every rate limit with every latency and every number of parallel calls. */
export const limited: Cell[] = algorithms.flatMap((algorithm) =>
	limits.flatMap((limit) =>
		(['Retry-After', undefined] as const).flatMap((retryAfter) =>
			calls.map((call) => ({ algorithm, limit, retryAfter, ...call })),
		),
	),
);
/** Benchmark cases without a rate limit. The rate limiter must not slow these runs down. */
export const unlimited: Cell[] = calls;
/** Benchmark cases in which the service raises its rate limit, so that the node must become faster. */
export const rising: Cell[] = algorithms.flatMap((algorithm) =>
	[5, 50].map((requests) => ({
		algorithm,
		limit: { requests, windowMs: 1_000 },
		rises: 4,
		retryAfter: 'Retry-After',
		latencyMs: 100,
		maxConcurrent: 100,
	})),
);

/**
 * Benchmark cases in which the service throttles all requests for a while, and no request afterwards. Such an outage
 * contains no information about a rate limit.
 */
export const outages: Cell[] = [200, 2_000, 30_000].flatMap((lastsMs) =>
	[1, 4, 31, 200].flatMap((fromRequest) =>
		(['Retry-After', undefined, '0'] as const).flatMap((retryAfter) =>
			[
				...[1, 5, 20].map((maxConcurrent) => ({ latencyMs: 100, maxConcurrent })),
				{ latencyMs: 500, maxConcurrent: 100 },
			].map((call) => ({ outage: { fromRequest, lastsMs }, retryAfter, ...call })),
		),
	),
);

/** Benchmark cases with fixed or sliding windows, in which other clients have used up the limit when the run begins. */
export const usedUp: Cell[] = limited
	.filter(({ algorithm, latencyMs }) => algorithm !== 'token bucket' && latencyMs === 100)
	.map((cell) => ({ ...cell, isUsedUp: true }));

/**
 * Benchmark cases with a token bucket that holds one request, and with latency that varies by ±50 %. Requests that are
 * sent evenly arrive unevenly, so some of them are throttled.
 */
export const uneven: Cell[] = limited
	.filter(({ algorithm }) => algorithm === 'token bucket')
	.map((cell) => ({ ...cell, algorithm: 'bucket without burst', spread: 0.5 }));

/**
 * Benchmark cases in which the service throttles at random, however fast the node sends requests. From 10 % on, the
 * service often throttles two requests in a row.
 */
export const byChance: Cell[] = [0.02, 0.05, 0.1, 0.2].flatMap((chance) =>
	([undefined, 1] as const).flatMap((retryAfter) =>
		[
			{ latencyMs: 500, maxConcurrent: 5 },
			{ latencyMs: 100, maxConcurrent: 1 },
			{ latencyMs: 100, maxConcurrent: 20 },
		].map((call) => ({ chance, retryAfter, ...call })),
	),
);
/** Benchmark cases in which the service always throttles one call. Only the other calls are judged. */
export const oneThrottled: Cell[] = ([undefined, 2, 900] as const).flatMap((retryAfter) =>
	[1, 5, 20].map((maxConcurrent) => ({
		throttledCall: 7,
		retryAfter,
		latencyMs: 500,
		maxConcurrent,
	})),
);
/**
 * Benchmark cases in which the service throttles a tenth of the requests at random. Throttled requests get their
 * response at once, and accepted requests after two seconds.
 */
export const slowWork: Cell[] = (
	[
		[undefined, 212_000],
		[1, 187_000],
	] as const
).map(([retryAfter, maxMs]) => ({
	chance: 0.1,
	workMs: 2_000,
	retryAfter,
	latencyMs: 20,
	maxConcurrent: 20,
	maxMs,
}));
/**
 * Benchmark cases with a rate limit of 5 per second. After each throttled request, the service throttles all requests
 * for 30 seconds, as Airtable does.
 */
export const penalties: Cell[] = (
	[
		[undefined, 150, 5, 606_000],
		[undefined, 500, 20, 573_000],
		['Retry-After', 150, 5, 530_000],
		['Retry-After', 500, 20, 522_000],
	] as const
).map(([retryAfter, latencyMs, maxConcurrent, maxMs]) => ({
	algorithm: 'fixed window',
	limit: { requests: 5, windowMs: 1_000 },
	penaltyMs: 30_000,
	retryAfter,
	latencyMs,
	maxConcurrent,
	maxMs,
}));
/** Benchmark cases with two programs that share a rate limit. The slower program must reach its half of the limit. */
export const shared: Cell[] = limited
	.filter(
		({ latencyMs, maxConcurrent, limit }) =>
			latencyMs === 100 && maxConcurrent === 20 && limit?.windowMs === 1_000,
	)
	.map((cell) => ({ ...cell, programs: 2 }));

/** Checks whether a case has enough parallel calls to reach the rate limit. */
export function canReach({ limit, latencyMs, maxConcurrent }: Cell): boolean {
	return limit !== undefined && maxConcurrent / latencyMs >= limit.requests / limit.windowMs;
}
