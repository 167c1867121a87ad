import { createClient } from '../../nodes/shared/client/client.ts';
import { RateLimiter } from '../../nodes/shared/client/rate-limiter.ts';
import { MinuteQuota } from '../../nodes/shared/client/minute-quota.ts';
import { runPool } from '../../nodes/WorkspaceData/pool.ts';
import { VirtualClock } from './virtual-clock.mts';

/** The node's own limits, but only throttled requests are retried. */
const LIMITS = { maxRetries: 0, maxWaitMs: 300_000, timeoutMs: 300_000 };

/** Run of calls against a service. */
export interface Run {
	maxConcurrent: number;
	calls: number;
	/**
	 * Returns 0 if the service accepts a request at this time, otherwise the time in ms until it accepts a request.
	 * Undefined for a service that never throttles.
	 */
	take?: (nowMs: number, call: number) => number;
	/**
	 * Returns the value of the Retry-After header in ms, if the request has to wait for `waitMs`. Undefined for a
	 * service without the header.
	 */
	retryAfterMs?: (waitMs: number) => number;
	/**
	 * Average time from sending a request to its response, in ms. `spread` is the share by which the way to the service
	 * and the way back may take more or less time.
	 */
	latencyMs: number;
	spread?: number;
	/**
	 * Additional time that the service works on a request that it accepts, in ms. Throttled requests get their response
	 * at once.
	 */
	workMs?: number;
	/** Returns evenly distributed numbers in [0, 1). */
	random: () => number;
}

export type Outcome = Awaited<ReturnType<typeof begin>>;

/** Simulates parallel runs with the node's own client and pool, in virtual time. */
export async function play(...runs: Run[]): Promise<Outcome[]> {
	const clock = new VirtualClock();
	return await clock.run(Promise.all(runs.map(async (run) => await begin(run, clock))));
}

async function begin(run: Run, clock: VirtualClock) {
	const { maxConcurrent, calls, take, retryAfterMs, latencyMs, spread, random, workMs = 0 } = run;
	const outcome = {
		/** Times at which calls succeeded, in ms. */
		succeededAtMs: [] as number[],
		sent: 0,
		throttled: 0,
		/** Numbers of the calls that failed, from 1. */
		failed: [] as number[],
		/** Time of the first throttled request, in ms. */
		throttledFromMs: Infinity,
		/** Longest time of a call until its response, in ms. */
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
		// Sleep a little longer than requested, because timers are late under load.
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
