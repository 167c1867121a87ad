import { createClient } from '../../nodes/shared/client/client.ts';
import { RateLimiter } from '../../nodes/shared/client/rate-limiter.ts';
import { MinuteQuota } from '../../nodes/shared/client/minute-quota.ts';
import { runPool } from '../../nodes/WorkspaceData/pool.ts';
import { VirtualClock } from './virtual-clock.mts';

/** Limits of the node's client. No request is retried, unless it was throttled. */
const LIMITS = { maxRetries: 0, maxWaitMs: 300_000, timeoutMs: 300_000 };

/** Run of the node to simulate: the calls that it sends, and how the service responds. */
export interface Run {
	maxConcurrent: number;
	calls: number;
	/**
	 * Returns 0 if the service accepts a request at this time. Otherwise returns the time in ms until the service
	 * accepts requests. Leave out `take` for a service that never throttles.
	 */
	take?: (nowMs: number, call: number) => number;
	/**
	 * Returns the Retry-After header of a throttled request in ms. `waitMs` is the actual time until the service
	 * accepts requests. Leave out this function for a service without the header.
	 */
	retryAfterMs?: (waitMs: number) => number;
	/**
	 * Mean network time of a request and its response together, in ms. `spread` is the largest relative deviation of
	 * each direction, such as 0.2 for ±20 %.
	 */
	latencyMs: number;
	spread?: number;
	/** Time in ms that the service needs to process an accepted request. Throttled requests need no such time. */
	workMs?: number;
	/** Returns uniformly distributed random numbers in [0, 1). */
	random: () => number;
}

export type Outcome = Awaited<ReturnType<typeof begin>>;

/**
 * Simulates one or more runs of the node at the same time, with the node's own client and rate limiter, in virtual
 * time.
 */
export async function play(...runs: Run[]): Promise<Outcome[]> {
	const clock = new VirtualClock();
	return await clock.run(Promise.all(runs.map(async (run) => await begin(run, clock))));
}

async function begin(run: Run, clock: VirtualClock) {
	const { maxConcurrent, calls, take, retryAfterMs, latencyMs, spread, random, workMs = 0 } = run;
	const outcome = {
		/** Times in ms at which calls succeeded. */
		succeededAtMs: [] as number[],
		sent: 0,
		throttled: 0,
		/** Numbers of the failed calls. The first call is number 1. */
		failed: [] as number[],
		/** Time in ms of the first response with HTTP 429. */
		throttledFromMs: Infinity,
		/** Longest duration of a call from its start to its result, in ms. */
		longestMs: 0,
	};
	const rateLimiter = new RateLimiter(maxConcurrent);
	const onTheWay = async (usual: number) =>
		await clock.sleep((latencyMs / 2) * (1 + (spread ?? usual) * (2 * random() - 1)));
	const client = createClient({
		transport: async ({ query }) => {
			outcome.sent += 1;
			await onTheWay(4 / latencyMs);
			const throttledForMs = take?.(clock.nowMs, Number(query?.call)) ?? 0;
			if (throttledForMs === 0 && workMs > 0) await clock.sleep(workMs);
			await onTheWay(0.2);
			if (throttledForMs === 0) return { statusCode: 200, headers: {}, text: '{}' };
			outcome.throttled += 1;
			outcome.throttledFromMs = Math.min(outcome.throttledFromMs, clock.nowMs);
			const askedMs = retryAfterMs?.(throttledForMs);
			const headers = askedMs === undefined ? {} : { 'retry-after': String(askedMs / 1_000) };
			return { statusCode: 429, headers, text: '{}' };
		},
		rateLimiter,
		minuteQuota: new MinuteQuota(),
		quotaKey: '',
		// Sleep up to 3 ms longer than requested, because real timers are late on a busy machine.
		sleep: async (ms) => await clock.sleep(ms + 1 + 2 * random()),
		now: clock.now,
		timeOfDay: clock.now,
		random,
		secrets: [],
		onWait: () => {},
	});
	await runPool(calls, [rateLimiter], async (index) => {
		const call = index + 1;
		const beganMs = clock.nowMs;
		try {
			await client({ method: 'POST', path: '/', query: { call }, repeat: 'billed' }, LIMITS);
			outcome.succeededAtMs.push(clock.nowMs);
		} catch {
			outcome.failed.push(call);
		}
		outcome.longestMs = Math.max(outcome.longestMs, clock.nowMs - beganMs);
	});
	return outcome;
}
