import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { MAX_RETRIES } from '../../../../nodes/shared/panel/request-options.ts';
import {
	answer,
	bench,
	ENRICH,
	failureOf,
	LIMITS,
	LIST,
	lost,
	throttled,
	START,
} from './request-bench.mts';

describe('a service that is down for a while', () => {
	const away = {
		'HTTP 502': answer(502),
		'no complete response': lost('connectionLost'),
		'no response in time': lost('timeout'),
		'a web page of a proxy': answer(200, '<html>'),
	};
	const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
	const limits = { ...LIMITS, maxRetries: MAX_RETRIES };

	it.each(Object.entries(away))(
		'retries a list request until the service is back after half a minute (until then: %s)',
		async (_what, failure) => {
			const survives = async (random: number) => {
				const service = (atMs: number) => (atMs < 30_000 ? failure : answer(200, { ok: 1 }));
				const { client } = bench(service, { random });
				expect((await client(LIST, limits)).body).toEqual({ ok: 1 });
			};
			await fc.assert(fc.asyncProperty(chance, survives), { numRuns: 50 });
		},
	);

	it.each([[{}], [{ 'retry-after': '9' }]])(
		'waits no longer than Retry For in total after HTTP 500 with the headers %j',
		async (headers) => {
			const { client, sent, tookMs } = bench(() => answer(500, {}, headers));
			const { facts } = await failureOf(client(LIST, { ...limits, maxWaitMs: 20_000 }));
			expect(facts).toMatchObject({ gaveUp: 'retriesUsed', attempts: sent.length });
			expect(sent.length, 'requests').toBeGreaterThan(2);
			expect(tookMs(), 'ms').toBeGreaterThan(10_000);
			expect(tookMs(), 'ms').toBeLessThanOrEqual(20_000);
		},
	);

	it('sends a list request at most seven times', async () => {
		const { client, sent } = bench(() => answer(500));
		await failureOf(client(LIST, limits));
		expect(sent).toHaveLength(7);
	});
});

describe('a service that throttles requests or cannot be reached', () => {
	const refusals = {
		'HTTP 429 without Retry-After': () => throttled(),
		'HTTP 429 with Retry-After: 0': () => throttled(0),
		'HTTP 429 with Retry-After': () => throttled(7),
		'HTTP 503 with Retry-After': () => answer(503, {}, { 'retry-after': '2' }),
	};

	it.each(Object.entries(refusals))(
		'waits as long as Retry For allows, and sends few requests in the meantime: %s',
		async (_name, refuse) => {
			const limits = { ...LIMITS, maxRetries: 0, maxWaitMs: 300_000 };
			for (const request of [LIST, ENRICH]) {
				const { client, sent, waits, tookMs } = bench(refuse);
				const { facts } = await failureOf(client(request, limits));
				expect(facts).toMatchObject({ gaveUp: 'waitUsed', attempts: sent.length });
				expect(tookMs(), 'ms').toBeGreaterThan(290_000);
				// Only waits count towards Retry For, not the time of requests.
				expect(tookMs(), 'ms').toBeLessThan(305_000);
				const notifiedMs = waits.reduce((sum, { afterMs }) => sum + afterMs, 0);
				expect(Math.abs(notifiedMs - tookMs()), 'ms without a notice').toBeLessThan(5_000);
				expect(sent.length, 'requests').toBeGreaterThan(5);
				expect(sent.length, 'requests').toBeLessThan(330);
			}
		},
	);

	it('makes the last attempt at the very end of Retry For', async () => {
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

	it('stops after three throttled attempts if maxUnprocessed is 3, and then sends other requests', async () => {
		const { client, sent } = bench([
			throttled(),
			throttled(0),
			throttled(),
			answer(200, { ok: 1 }),
		]);
		const { facts } = await failureOf(client(LIST, { ...LIMITS, maxUnprocessed: 3 }));
		expect(facts).toMatchObject({ statusCode: 429, gaveUp: 'retriesUsed', attempts: 3 });
		expect(sent).toHaveLength(3);
		expect((await client(LIST, LIMITS)).body).toEqual({ ok: 1 });
	});

	it.each([5, 600])(
		'does not delay the next request if only one request was throttled (Retry-After: %i s)',
		async (seconds) => {
			const { client, waits, tookMs } = bench([throttled(seconds), answer(200, { ok: 1 })]);
			await failureOf(client(LIST, { ...LIMITS, maxUnprocessed: 1 }));
			expect((await client(LIST, LIMITS)).body).toEqual({ ok: 1 });
			expect([tookMs(), waits]).toEqual([0, []]);
		},
	);

	it.each([
		['waitUsed', throttled(5)],
		['retriesUsed', answer(500, {}, { 'retry-after': '5' })],
	] as const)(
		'gives up before a wait if the attempt after the wait could end too late (reason: %s)',
		async (gaveUp, given) => {
			const endByMs = START + 5_051 + LIMITS.timeoutMs;
			const { client, tookMs } = bench([given, answer(200), given]);
			await client(LIST, { ...LIMITS, endByMs });
			const waitedMs = tookMs();
			// The wait of 5 s would end in time, but the attempt after the wait could end too late.
			const { facts } = await failureOf(client(LIST, { ...LIMITS, endByMs: endByMs + 4_998 }));
			expect(facts).toMatchObject({ gaveUp, attempts: 1 });
			expect([waitedMs, tookMs()]).toEqual([5_050, 5_050]);
		},
	);

	it.each([[[4]], [[2, 2]], [[0, 3, 0.9]]])(
		'waits up to Retry For (4 s) in total, not counting the duration of requests (Retry-After: %j)',
		async (asked) => {
			const { client } = bench([...asked.map(throttled), answer(200, { ok: 1 })], {
				latencyMs: () => 700,
				random: 0,
			});
			expect((await client(LIST, { ...LIMITS, maxWaitMs: 4_000 })).body).toEqual({ ok: 1 });
		},
	);

	it.each([
		[300_000, 0, 60_000],
		[5_000, 0, 5_000],
		[300_000, 150_000, 60_000],
	])(
		'gives up after at most a minute without a connection (Retry For: %i ms, throttled before: %i ms)',
		async (maxWaitMs, refusedMs, longestMs) => {
			let lostMs = Infinity;
			const { client, tookMs } = bench((atMs) => {
				if (atMs < refusedMs) return throttled(10);
				lostMs = Math.min(lostMs, atMs);
				return lost('notSent');
			});
			const { facts } = await failureOf(client(ENRICH, { ...LIMITS, maxWaitMs }));
			expect(facts).toMatchObject({ gaveUp: 'waitUsed', maxWaitMs });
			expect(tookMs() - lostMs, 'ms').toBeGreaterThanOrEqual(longestMs - 100);
			expect(tookMs() - lostMs, 'ms').toBeLessThan(longestMs + 2_000);
		},
	);
});

it('waits another minute for a connection if the service has responded in the meantime', async () => {
	let answeredMs: number | undefined;
	const { client, tookMs } = bench((atMs) => {
		if (answeredMs !== undefined || atMs < 40_000) return lost('notSent');
		answeredMs = atMs;
		return throttled();
	});
	await failureOf(client(LIST, LIMITS));
	expect(tookMs() - Number(answeredMs), 'ms').toBeGreaterThanOrEqual(60_000);
});

describe('Requests per Minute', () => {
	it('does not count waits for Requests per Minute towards Retry For', async () => {
		const { client, tookMs } = bench([
			throttled(1),
			throttled(1),
			throttled(1),
			answer(200, { ok: 1 }),
		]);
		const limits = { ...LIMITS, maxWaitMs: 30_000, maxPerMinute: 1 };
		expect((await client(LIST, limits)).body).toEqual({ ok: 1 });
		expect(tookMs(), 'ms').toBeGreaterThan(180_000);
	});

	it.each([undefined, 0, 1])(
		'counts throttled requests towards Requests per Minute (Retry-After: %j)',
		async (retryAfter) => {
			const refusals = Array.from({ length: 5 }, () => throttled(retryAfter));
			const { client, sent } = bench([...refusals, answer(200), answer(200)]);
			const limits = { ...LIMITS, maxPerMinute: 2 };
			await client(LIST, limits);
			await client(ENRICH, limits);
			expect(sent).toHaveLength(7);
			for (const [place, { atMs }] of sent.slice(2).entries())
				expect(atMs - sent[place].atMs, 'ms between two requests').toBeGreaterThanOrEqual(60_000);
		},
	);

	it('rejects a request at once only if Requests per Minute would delay the request for too long', async () => {
		const answers = [answer(200), answer(200), throttled(100), answer(200)];
		const { client, tookMs } = bench(answers);
		const limits = { ...LIMITS, maxPerMinute: 1 };
		await client(LIST, limits);
		const { kind } = await failureOf(client(LIST, { ...limits, endByMs: START + 61_099 }));
		expect([kind, tookMs()]).toEqual(['quotaExceeded', 0]);
		await client(LIST, { ...limits, endByMs: START + 61_101 });
		expect(tookMs()).toBe(60_100);
		await client(LIST, LIMITS);
		expect(tookMs(), 'ms').toBeGreaterThan(160_000);
	});
});

it('retries a request twice, not counting throttled attempts', async () => {
	// Together, the two waits of 200 s are longer than Retry For.
	const given = [answer(500), throttled(200), lost('timeout'), throttled(200), answer(500)];
	const { client, sent, waits } = bench(given);
	const { facts } = await failureOf(client(LIST, LIMITS));
	expect(facts).toMatchObject({ statusCode: 500, gaveUp: 'retriesUsed', attempts: 5 });
	expect([sent.length, waits.length]).toEqual([5, 4]);
});

it('measures the wait until a Retry-After date by the system time', async () => {
	const at = new Date(START + 600_000 + 20_000).toUTCString();
	const { client, sent } = bench([answer(503, {}, { 'retry-after': at }), answer(200)], {
		random: 0,
		timeOfDay: (nowMs) => nowMs + 600_000,
	});
	await client(LIST, LIMITS);
	expect(sent[1].atMs).toBe(20_000);
});

it('rethrows an error that is not a ServiceFailure, and does not retry the request', async () => {
	const other = new RangeError('other');
	const { client, sent } = bench([other]);
	await expect(client(LIST, LIMITS)).rejects.toBe(other);
	expect(sent).toHaveLength(1);
});
