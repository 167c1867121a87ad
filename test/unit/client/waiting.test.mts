import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { Pace } from '../../../nodes/client/pace.ts';
import { runPool } from '../../../nodes/WorkspaceData/call/run-calls.ts';
import {
	answer,
	bench,
	clientOf,
	ENRICH,
	failureOf,
	LIMITS,
	LIST,
	lost,
	START,
} from './request-bench.mts';

const refusal = (retryAfter?: number) =>
	answer(429, {}, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });

describe('a service that takes no requests', () => {
	const refusals = {
		'429 without Retry-After': () => refusal(),
		'429 with Retry-After: 0': () => refusal(0),
		'429 with Retry-After': () => refusal(7),
		'503 with Retry-After': () => answer(503, {}, { 'retry-after': '2' }),
	};

	it.each(Object.entries(refusals))(
		'is waited for as long as Max Wait says, without hammering it: %s',
		async (_name, refuse) => {
			const limits = { ...LIMITS, maxRetries: 0, maxWaitMs: 300_000 };
			for (const request of [LIST, ENRICH]) {
				const { client, sent, tookMs } = bench(refuse);
				const { facts } = await failureOf(client(request, limits));
				expect(facts).toMatchObject({ gaveUp: 'waitUsed', attempts: sent.length });
				expect(tookMs()).toBeGreaterThan(290_000);
				expect(tookMs()).toBeLessThan(301_000);
				expect(sent.length).toBeGreaterThan(5);
				expect(sent.length).toBeLessThan(330);
			}
		},
	);

	it('gets its last attempt at the very end, so that nothing of the time is lost', async () => {
		const takesFrom = fc.nat(60_000);
		const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
		await fc.assert(
			fc.asyncProperty(takesFrom, chance, async (fromMs, random) => {
				const { client } = bench(
					(atMs) => (atMs < fromMs ? lost('notSent') : answer(200, { ok: 1 })),
					{ random },
				);
				expect((await client(ENRICH, { ...LIMITS, maxWaitMs: 60_000 })).body).toEqual({ ok: 1 });
			}),
			{ numRuns: 300 },
		);
	});

	it('is waited for only so often where the request says so, and others are sent after it', async () => {
		const { client, sent } = bench([refusal(), refusal(0), refusal(), answer(200, { ok: 1 })]);
		const { facts } = await failureOf(client(LIST, { ...LIMITS, maxUnprocessed: 3 }));
		expect(facts).toMatchObject({ statusCode: 429, gaveUp: 'retriesUsed', attempts: 3 });
		expect(sent).toHaveLength(3);
		expect((await client(LIST, LIMITS)).body).toEqual({ ok: 1 });
	});

	it('is told from one that fails: only the former is bounded by time', async () => {
		const refused = Array.from({ length: 5 }, () => refusal());
		const { client, sent } = bench([...refused, answer(500), refusal(), answer(500), answer(500)]);
		const { facts } = await failureOf(client(LIST, LIMITS));
		expect(facts).toMatchObject({ statusCode: 500, gaveUp: 'retriesUsed', attempts: 9 });
		expect(sent).toHaveLength(9);
	});

	it('counts what the refused attempts themselves take', async () => {
		const { client, tookMs } = bench(() => lost('notSent'), { latencyMs: 20_000 });
		await failureOf(client(LIST, { ...LIMITS, maxWaitMs: 60_000 }));
		expect(tookMs()).toBeLessThanOrEqual(80_000);
	});

	it.each([
		[300_000, 0, 60_000],
		[5_000, 0, 5_000],
		[300_000, 150_000, 60_000],
	])(
		'is given up after a minute without a connection: Max Wait %i, refused for %i before',
		async (maxWaitMs, refusedMs, longestMs) => {
			let lostMs = Infinity;
			const { client, tookMs } = bench((atMs) => {
				if (atMs < refusedMs) return refusal(10);
				lostMs = Math.min(lostMs, atMs);
				return lost('notSent');
			});
			const { facts } = await failureOf(client(ENRICH, { ...LIMITS, maxWaitMs }));
			expect(facts).toMatchObject({ gaveUp: 'waitUsed', maxWaitMs });
			expect(tookMs() - lostMs).toBeGreaterThanOrEqual(longestMs - 100);
			expect(tookMs() - lostMs).toBeLessThan(longestMs + 2_000);
		},
	);
});

/** A client whose clock moves only when everything waits, so that many requests can be under way. */
function manyAtOnce(
	service: (atMs: number) => ReturnType<typeof answer>,
	{ pace = new Pace(5), latencyMs = 0 } = {},
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
		pace,
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

it('a service that accepts requests slowly but steadily gets them all, however long the last one waits', async () => {
	const perMs = 12 / 60_000;
	const burst = 60;
	let [tokens, filledMs, succeeded] = [burst, 0, 0];
	const pace = new Pace(100);
	const { client, run, nowMs } = manyAtOnce(
		(atMs) => {
			tokens = Math.min(burst, tokens + (atMs - filledMs) * perMs);
			filledMs = atMs;
			if (tokens < 1) return refusal();
			tokens -= 1;
			return answer(200);
		},
		{ pace, latencyMs: 500 },
	);
	const call = async (): Promise<void> => {
		await client(ENRICH, { ...LIMITS, maxWaitMs: 300_000 });
		succeeded += 1;
	};
	await run(runPool(160, () => pace.concurrency, call));
	expect(succeeded).toBe(160);
	expect(nowMs()).toBeGreaterThan(300_000);
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
		expect(tookMs()).toBeLessThanOrEqual(ms);
		const before = tookMs();
		for (const request of [LIST, ENRICH]) {
			const { facts } = await failureOf(client(request, limits));
			expect(facts).toEqual({ ...first.facts, attempts: 0 });
		}
		expect(sent).toHaveLength(length);
		expect(tookMs()).toBe(before);
		const other = bench([answer(200)]);
		await other.client(LIST, limits);
		expect(other.sent).toHaveLength(1);
	});

	it('those that wait in the queue end at once', async () => {
		let answers = 0;
		const { client, run, sent, nowMs } = manyAtOnce(() =>
			answers++ < 4 ? refusal(8) : refusal(86_400),
		);
		const failures = await run(
			Promise.all(Array.from({ length: 5 }, async () => await failureOf(client(ENRICH, limits)))),
		);
		// All are refused, wait for 8 s, and the first to come back hears of the day.
		expect(failures.every(({ facts }) => facts.gaveUp === 'waitTooLong')).toBe(true);
		expect(nowMs()).toBeLessThan(9_000);
		expect(sent()).toBeLessThanOrEqual(10);
		expect(failures.every(({ facts }) => facts.attempts === 1 || facts.attempts === 2)).toBe(true);
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

	it('a pause that others were told of is not waited for longer than Max Wait either', async () => {
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
		expect(ends[0].facts.attempts).toBe(1);
		expect(sent()).toBe(1);
		expect(nowMs()).toBeLessThan(1_000);
	});

	it.each([
		['400', answer(400)],
		['401', answer(401)],
		['a fault that may have been processed', lost('timeout')],
		['502 with a long Retry-After', answer(502, {}, { 'retry-after': '86400' })],
	])('is not what %s of one request means for the others', async (_name, given) => {
		let answers = 0;
		const { client, sent } = bench(() => (answers++ === 0 ? given : answer(200, { ok: 1 })));
		await failureOf(client(ENRICH, limits));
		expect((await client(ENRICH, limits)).body).toEqual({ ok: 1 });
		expect(sent).toHaveLength(2);
	});
});

describe('a wait', () => {
	it.each([
		['set back by ten minutes', -600_000],
		['set forward by an hour', 3_600_000],
	])('is as long as it should be when the clock is %s meanwhile', async (_name, byMs) => {
		const { client, sent } = bench([refusal(2), answer(500), answer(200)], {
			random: 0,
			timeOfDay: (nowMs) => nowMs + (nowMs > START ? byMs : 0),
		});
		await client(LIST, LIMITS);
		expect(sent[1].atMs).toBeGreaterThanOrEqual(2_000);
		expect(sent[2].atMs).toBeLessThan(4_000);
	});

	it('for a date is measured by the clock', async () => {
		const at = new Date(START + 600_000 + 20_000).toUTCString();
		const { client, sent } = bench([answer(503, {}, { 'retry-after': at }), answer(200)], {
			random: 0,
			timeOfDay: (nowMs) => nowMs + 600_000,
		});
		await client(LIST, LIMITS);
		expect(sent[1].atMs).toBe(20_000);
	});

	it('ends with what cancels it, also in the queue', async () => {
		let sleeps = 0;
		const cancelled = new ServiceFailure('cancelled');
		const client = clientOf({
			transport: async () => await Promise.resolve(refusal(60)),
			sleep: async () => {
				if (++sleeps > 3) throw cancelled;
			},
		});
		await expect(client(LIST, LIMITS)).rejects.toBe(cancelled);
	});
});
