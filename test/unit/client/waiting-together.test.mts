import { describe, expect, it } from 'vitest';

import { RateLimiter } from '../../../nodes/client/rate-limiter.ts';
import { runPool } from '../../../nodes/WorkspaceData/call/run.ts';
import {
	answer,
	bench,
	clientOf,
	ENRICH,
	failureOf,
	LIMITS,
	LIST,
	refusal,
} from './request-bench.mts';

/** A client whose clock moves only when everything waits, so that many requests can be under way. */
function manyAtOnce(
	service: (atMs: number) => ReturnType<typeof answer>,
	{ rateLimiter = new RateLimiter(5), latencyMs = 0 } = {},
) {
	let nowMs = 0;
	let sent = 0;
	const waiting: Array<{ atMs: number; go: () => void }> = [];
	const sleep = async (ms: number) =>
		await new Promise<void>((go) => waiting.push({ atMs: nowMs + ms, go }));
	const client = clientOf({
		transport: async () => {
			sent++;
			const answered = service(nowMs);
			if (latencyMs > 0) await sleep(latencyMs);
			return answered;
		},
		rateLimiter,
		sleep,
		now: () => nowMs,
	});
	const run = async <T,>(work: Promise<T>): Promise<T> => {
		let isDone = false;
		void work.finally(() => (isDone = true)).catch(() => undefined);
		for (;;) {
			for (let turn = 0; turn < 50; turn++) await Promise.resolve();
			if (isDone) return await work;
			waiting.sort((a, b) => a.atMs - b.atMs);
			const next = waiting.shift();
			if (next === undefined) throw new RangeError('nothing waits, and nothing ends');
			nowMs = next.atMs;
			next.go();
		}
	};
	return { client, run, sent: () => sent, nowMs: () => nowMs };
}

it('a service that accepts requests slowly but steadily gets them all, however much longer than Max Wait that takes', async () => {
	const perMs = 12 / 60_000;
	const burst = 60;
	let [tokens, filledMs, succeeded] = [burst, 0, 0];
	const rateLimiter = new RateLimiter(100);
	const { client, run, nowMs } = manyAtOnce(
		(atMs) => {
			tokens = Math.min(burst, tokens + (atMs - filledMs) * perMs);
			filledMs = atMs;
			if (tokens < 1) return refusal();
			tokens -= 1;
			return answer(200);
		},
		{ rateLimiter, latencyMs: 500 },
	);
	const call = async (): Promise<void> => {
		await client(ENRICH, { ...LIMITS, maxWaitMs: 20_000 });
		succeeded += 1;
	};
	await run(runPool(160, () => rateLimiter.concurrency, call));
	expect(succeeded).toBe(160);
	expect(nowMs(), 'ms').toBeGreaterThan(300_000);
});

describe('once a wait is too long', () => {
	const limits = { ...LIMITS, maxWaitMs: 10_000 };

	it.each([
		['the service says so', refusal(86_400), 'waitTooLong', 0],
		['no time is left', refusal(3), 'waitUsed', 10_000],
	] as const)('since %s, nothing more is sent in this run', async (_name, refuse, gaveUp, ms) => {
		const { client, sent, tookMs } = bench(() => refuse);
		const first = await failureOf(client(LIST, limits));
		expect(first.facts).toMatchObject({ gaveUp, statusCode: 429 });
		const { length } = sent;
		expect(tookMs(), 'ms').toBeLessThanOrEqual(ms);
		const before = tookMs();
		for (const request of [LIST, ENRICH]) {
			const { facts } = await failureOf(client(request, limits));
			expect(facts).toEqual({ ...first.facts, attempts: 0 });
		}
		expect(sent).toHaveLength(length);
		expect(tookMs()).toBe(before);
	});

	it('what was sent before still ends as the service says', async () => {
		let answers = 0;
		const { client, run } = manyAtOnce(
			() => [refusal(86_400), answer(200, { ok: 1 }), answer(400)][answers++],
		);
		const [first, second, third] = await run(
			Promise.allSettled([client(LIST, limits), client(LIST, limits), client(LIST, limits)]),
		);
		expect(first).toMatchObject({ reason: { facts: { gaveUp: 'waitTooLong' } } });
		expect(second).toMatchObject({ value: { body: { ok: 1 } } });
		expect(third).toMatchObject({ reason: { facts: { statusCode: 400 } } });
	});

	it('a pause that others were told of is not waited for longer than Max Wait either, and theirs stays', async () => {
		const { client, run, sent, nowMs } = manyAtOnce(() => refusal(8));
		const ends = await run(
			Promise.all([
				failureOf(client(LIST, limits)),
				// Sent for after the other one was refused.
				(async () => {
					for (let turn = 0; turn < 40; turn++) await Promise.resolve();
					return await failureOf(client(LIST, { ...LIMITS, maxWaitMs: 5_000 }));
				})(),
			]),
		);
		expect(ends[1].facts).toMatchObject({ gaveUp: 'waitUsed', maxWaitMs: 5_000, attempts: 0 });
		expect(ends[0].facts).toMatchObject({ maxWaitMs: limits.maxWaitMs, attempts: 2 });
		expect(sent()).toBe(2);
		expect(nowMs(), 'ms').toBeLessThan(9_000);
	});
});
