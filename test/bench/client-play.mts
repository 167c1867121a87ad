import { createClient } from '../../nodes/shared/client/client.ts';
import { RateLimiter } from '../../nodes/shared/client/rate-limiter.ts';
import { MinuteQuota } from '../../nodes/shared/client/minute-quota.ts';
import { runPool } from '../../nodes/WorkspaceData/pool.ts';
import { VirtualClock } from './virtual-clock.mts';

/** The node's own, but that nothing is repeated which was not refused. */
const LIMITS = { maxRetries: 0, maxWaitMs: 300_000, timeoutMs: 300_000 };

/** A run of calls against a service. */
export interface Run {
	maxConcurrent: number;
	calls: number;
	/** 0 where the service accepts a request at a time, otherwise the ms until it may; nothing for one that refuses nothing. */
	take?: (nowMs: number, call: number) => number;
	/** What a refusal says about when to come back, by how long it has to wait; nothing where it is undefined. */
	retryAfterMs?: (waitMs: number) => number;
	/** From sending to the answer, on average, and by which part either way may take more or less. */
	latencyMs: number;
	spread?: number;
	/** Additional time that the service works on a request that it accepts, in ms. It throttles at once. */
	workMs?: number;
	/** Uniform in [0, 1). */
	random: () => number;
}

export type Outcome = Awaited<ReturnType<typeof begin>>;

/** Plays runs beside each other with the node's own client and pool, in virtual time. */
export async function play(...runs: Run[]): Promise<Outcome[]> {
	const clock = new VirtualClock();
	return await clock.run(Promise.all(runs.map(async (run) => await begin(run, clock))));
}

async function begin(run: Run, clock: VirtualClock) {
	const { maxConcurrent, calls, take, retryAfterMs, latencyMs, spread, random, workMs = 0 } = run;
	const outcome = {
		/** When each of the calls succeeded. */
		succeededAtMs: [] as number[],
		sent: 0,
		refused: 0,
		/** The calls that failed, from 1. */
		failed: [] as number[],
		/** When the first request was refused. */
		refusedFromMs: Infinity,
		/** Longest time of one call, until its answer. */
		longestMs: 0,
	};
	const rateLimiter = new RateLimiter(maxConcurrent);
	const onTheWay = async (usual: number) =>
		await clock.sleep((latencyMs / 2) * (1 + (spread ?? usual) * (2 * random() - 1)));
	const client = createClient({
		transport: async ({ query }) => {
			outcome.sent += 1;
			await onTheWay(4 / latencyMs);
			const refusedForMs = take?.(clock.nowMs, Number(query?.call)) ?? 0;
			if (refusedForMs === 0 && workMs > 0) await clock.sleep(workMs);
			await onTheWay(0.2);
			if (refusedForMs === 0) return { statusCode: 200, headers: {}, text: '{}' };
			outcome.refused += 1;
			outcome.refusedFromMs = Math.min(outcome.refusedFromMs, clock.nowMs);
			const askedMs = retryAfterMs?.(refusedForMs);
			const headers = askedMs === undefined ? {} : { 'retry-after': String(askedMs / 1_000) };
			return { statusCode: 429, headers, text: '{}' };
		},
		rateLimiter,
		minuteQuota: new MinuteQuota(),
		quotaKey: '',
		// Timers are late under load.
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
