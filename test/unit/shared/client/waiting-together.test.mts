import { describe, expect, it } from 'vitest';

import type { ApiRequest } from '../../../../nodes/shared/client/api.ts';
import type { ServiceFailure } from '../../../../nodes/shared/client/failures.ts';
import { RateLimiter } from '../../../../nodes/shared/client/rate-limiter.ts';
import { VirtualClock } from '../../../bench/virtual-clock.mts';
import { runPool } from '../../../../nodes/WorkspaceData/pool.ts';
import {
	answer,
	bench,
	clientOf,
	ENRICH,
	failureOf,
	LIMITS,
	LIST,
	throttled,
} from './request-bench.mts';

/** Returns a client in virtual time that can send many requests at once. */
function manyAtOnce(
	service: (atMs: number, request: ApiRequest) => ReturnType<typeof answer>,
	{ rateLimiter = new RateLimiter(5), latencyMs = 0 } = {},
) {
	const clock = new VirtualClock();
	let sent = 0;
	let atOnce = 0;
	const underWay: number[] = [];
	const client = clientOf({
		transport: async (request) => {
			sent++;
			underWay.push(++atOnce);
			const answered = service(clock.nowMs, request);
			if (latencyMs > 0) await clock.sleep(latencyMs);
			atOnce--;
			return answered;
		},
		rateLimiter,
		sleep: clock.sleep,
		now: clock.now,
	});
	const run = async <T,>(work: Promise<T>): Promise<T> => await clock.run(work);
	return { client, run, sent: () => sent, nowMs: () => clock.nowMs, underWay };
}

describe('a service that accepts twelve requests a minute after the first sixty', () => {
	async function runOf160(maxWaitMs: number) {
		let [tokens, filledMs, answered] = [60, 0, 0];
		const rateLimiter = new RateLimiter(100);
		const { client, run, nowMs } = manyAtOnce(
			(atMs) => {
				tokens = Math.min(60, tokens + (atMs - filledMs) / 5_000);
				filledMs = atMs;
				if (tokens < 1) return throttled();
				tokens -= 1;
				return answer(200);
			},
			// A latency of 700 ms finds the most bugs. In a trial with bugs added on purpose, it found every bug that
			// any of eight latencies from 300 to 800 ms found.
			{ rateLimiter, latencyMs: 700 },
		);
		const call = async (): Promise<void> => {
			const end = await client(ENRICH, { ...LIMITS, maxWaitMs }).catch(() => undefined);
			if (end !== undefined) answered += 1;
		};
		await run(runPool(160, [rateLimiter], call));
		return { answered, tookMs: nowMs() };
	}

	it('completes all 160 calls at a low rate limit, although the run takes longer than Retry For', async () => {
		const { answered, tookMs } = await runOf160(300_000);
		expect(answered).toBe(160);
		expect(tookMs).toBeGreaterThan(300_000);
	});

	it('fails only calls that have waited as long as Retry For allows', async () => {
		expect((await runOf160(20_000)).answered).toBeGreaterThanOrEqual(156);
	});
});

describe('a run whose wait is too long', () => {
	const limits = { ...LIMITS, maxWaitMs: 10_000 };

	it.each([
		['the service asked for a longer wait', throttled(86_400), 'waitTooLong'],
		['no time was left', throttled(3), 'waitUsed'],
	] as const)(
		'sends no more requests in a run after ten different requests in a row failed because %s',
		async (_name, refuse, gaveUp) => {
			const { client, sent, tookMs } = bench(() => refuse);
			const first = await failureOf(client(LIST, limits));
			expect(first.facts).toMatchObject({ gaveUp, statusCode: 429 });
			expect(tookMs(), 'ms').toBeLessThanOrEqual(10_000);
			const [length, before] = [sent.length, tookMs()];
			let last = first;
			for (let others = 0; others < 9; others++) last = await failureOf(client(LIST, limits));
			for (const request of [LIST, ENRICH]) {
				const { facts } = await failureOf(client(request, limits));
				expect(facts).toEqual({ ...last.facts, attempts: 0 });
			}
			expect([sent.length, tookMs()]).toEqual([length + 9, before]);
		},
	);

	it('completes each request in flight with its own response, even after another request has failed', async () => {
		let answers = 0;
		const { client, run } = manyAtOnce(
			() => [throttled(86_400), answer(200, { ok: 1 }), answer(400)][answers++],
		);
		const [first, second, third] = await run(
			Promise.allSettled([client(LIST, limits), client(LIST, limits), client(LIST, limits)]),
		);
		expect(first).toMatchObject({ reason: { facts: { gaveUp: 'waitTooLong' } } });
		expect(second).toMatchObject({ value: { body: { ok: 1 } } });
		expect(third).toMatchObject({ reason: { facts: { statusCode: 400 } } });
	});

	it('sends a request once even if all requests pause for longer than the Retry For of this request', async () => {
		const { client, run, sent } = manyAtOnce(() => throttled(8));
		const later = async () => {
			// Wait until both other requests were throttled.
			while (sent() < 2) await Promise.resolve();
			for (let turn = 0; turn < 9; turn++) await Promise.resolve();
			expect(sent()).toBe(2);
			return await failureOf(client(LIST, { ...LIMITS, maxWaitMs: 5_000 }));
		};
		const ends = await run(
			Promise.all([failureOf(client(LIST, limits)), failureOf(client(LIST, limits)), later()]),
		);
		expect(ends[2].facts).toMatchObject({ gaveUp: 'waitTooLong', maxWaitMs: 5_000, attempts: 1 });
		expect(ends[0].facts).toMatchObject({ maxWaitMs: limits.maxWaitMs, attempts: 2 });
	});
});

describe('calls that are always throttled', () => {
	/**
	 * Sends 80 calls of 100 ms each. The calls with the indexes `throttledCalls` are always throttled. Returns the
	 * times at which the other calls succeeded, the last failure, and the maximum number of requests at once.
	 */
	async function eightyCalls(
		response: ReturnType<typeof throttled>,
		atOnce: number,
		throttledCalls = [7],
	) {
		const rateLimiter = new RateLimiter(atOnce);
		const { client, run, nowMs, underWay } = manyAtOnce(
			(_atMs, { body }) => (throttledCalls.includes(Number(body?.call)) ? response : answer(200)),
			{ rateLimiter, latencyMs: 100 },
		);
		const answeredMs: number[] = [];
		let failure: ServiceFailure | undefined;
		const call = async (index: number): Promise<void> => {
			const one = client({ ...ENRICH, body: { call: index } }, LIMITS);
			if (throttledCalls.includes(index)) failure = await failureOf(one);
			else await one.then(() => answeredMs.push(nowMs()));
		};
		await run(runPool(80, [rateLimiter], call));
		return { answeredMs, failure, maxAtOnce: Math.max(...underWay) };
	}

	it.each([
		['without Retry-After', throttled(), 'waitUsed'],
		['with Retry-After: 2', throttled(2), 'waitUsed'],
		['with Retry-After: 900', throttled(900), 'waitTooLong'],
	])(
		'completes the other 79 of 80 calls without delay if one call is always throttled %s',
		async (_name, refused, gaveUp) => {
			const { answeredMs, failure, maxAtOnce } = await eightyCalls(refused, 5);
			expect(answeredMs).toHaveLength(79);
			expect(Math.max(...answeredMs), 'ms').toBeLessThan(3_500);
			expect(failure?.facts.gaveUp).toBe(gaveUp);
			expect(maxAtOnce).toBe(5);
		},
	);

	it.each([undefined, 0, 2])(
		'completes all other calls if the first five parallel calls are all throttled every time (Retry-After: %j)',
		async (retryAfter) => {
			const { answeredMs } = await eightyCalls(throttled(retryAfter), 5, [0, 1, 2, 3, 4]);
			expect(answeredMs).toHaveLength(75);
		},
	);

	it.each([
		['two calls in a row, Retry-After: 3600', throttled(3_600), [7, 8], 10_000],
		['two calls in a row, Retry-After: 60', throttled(60), [7, 8], 10_000],
		['five calls in a row, no Retry-After', throttled(), [7, 8, 9, 10, 11], 120_000],
		[
			'the first five calls, all that run at once, Retry-After: 60',
			throttled(60),
			[0, 1, 2, 3, 4],
			120_000,
		],
	])(
		'completes all other calls if several calls are always throttled: %s',
		async (_name, refused, throttledCalls, maxMs) => {
			const { answeredMs } = await eightyCalls(refused, 5, throttledCalls);
			expect(answeredMs).toHaveLength(80 - throttledCalls.length);
			expect(Math.max(...answeredMs), 'ms').toBeLessThan(maxMs);
		},
	);

	it('completes all other calls, one at a time, if one call is always throttled', async () => {
		const { answeredMs } = await eightyCalls(throttled(900), 1);
		expect(answeredMs).toHaveLength(79);
		expect(Math.max(...answeredMs), 'ms').toBeLessThan(10_000);
	});

	it('reads other lists even if all requests for one list are always throttled', async () => {
		const { client } = bench((_atMs, { path }) =>
			path === '/refused' ? throttled(900) : answer(200),
		);
		for (let list = 0; list < 3; list++) {
			const { facts } = await failureOf(client({ ...LIST, path: '/refused' }, LIMITS));
			expect(facts).toMatchObject({ gaveUp: 'waitTooLong', attempts: 1 });
			for (let page = 0; page < 3; page++) await client(LIST, LIMITS);
		}
	});

	it('makes all requests wait for Retry-After once two different requests in a row were throttled', async () => {
		const sentAtMs: number[] = [];
		const { client, run } = manyAtOnce(
			(atMs) => {
				sentAtMs.push(atMs);
				return atMs < 7_000 ? throttled(7) : answer(200);
			},
			{ latencyMs: 100 },
		);
		const all = { ...LIMITS, maxWaitMs: 7_000 };
		await run(Promise.all([1, 2, 3, 4].map(async () => await client(LIST, all))));
		expect(sentAtMs.filter((ms) => ms > 200 && ms < 7_000)).toEqual([]);
	});
});
