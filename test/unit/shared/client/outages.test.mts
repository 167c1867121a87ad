/**
 * Simulates many requests in virtual time while the service is down for a while, stays down, or rejects the API key.
 */
import { describe, expect, it } from 'vitest';

import type { ApiRequest, RawResponse } from '../../../../nodes/shared/client/api.ts';
import { asServiceFailure, type ServiceFailure } from '../../../../nodes/shared/client/failures.ts';
import { RateLimiter } from '../../../../nodes/shared/client/rate-limiter.ts';
import { MAX_RETRIES } from '../../../../nodes/shared/panel/request-options.ts';
import { runPool } from '../../../../nodes/WorkspaceData/pool.ts';
import { VirtualClock } from '../../../bench/virtual-clock.mts';
import { answer, clientOf, ENRICH, LIMITS, LIST, lost } from './request-bench.mts';

const ALL = { ...LIMITS, maxRetries: MAX_RETRIES };

interface Service {
	/** Returns the response to the request for this item, sent `atMs` ms after the start. */
	respond: (atMs: number, item: number) => RawResponse | ServiceFailure;
	latencyMs?: number;
	/** Latency of failures, in ms. Default: the latency of successes. */
	failureMs?: number;
}

/**
 * Sends one request per item. Returns the number of attempts and the failure of each item, the failures of requests
 * that were never sent (`unsent`), and the duration of the run in ms.
 */
async function runOf(
	count: number,
	{ respond, latencyMs = 100, failureMs = latencyMs }: Service,
	{ request = ENRICH, atOnce = 5, limits = ALL as typeof ALL & { maxPerMinute?: number } } = {},
) {
	const clock = new VirtualClock();
	const rateLimiter = new RateLimiter(atOnce);
	const sent = new Map<number, number>();
	const client = clientOf({
		transport: async ({ list }) => {
			const { item } = list as { item: number };
			sent.set(item, (sent.get(item) ?? 0) + 1);
			const response = respond(clock.nowMs, item);
			const isSuccess = !(response instanceof Error) && response.statusCode === 200;
			await clock.sleep(isSuccess ? latencyMs : failureMs);
			if (response instanceof Error) throw response;
			return response;
		},
		rateLimiter,
		sleep: clock.sleep,
		now: clock.now,
	});
	const failures = new Map<number, ServiceFailure>();
	const work = async (item: number): Promise<void> => {
		const one: ApiRequest = { ...request, list: { item } };
		await client(one, limits).catch((error: unknown) =>
			failures.set(item, asServiceFailure(error)),
		);
	};
	await clock.run(runPool(count, [rateLimiter], work));
	const unsent = [...failures.values()].filter(({ facts }) => facts.attempts === 0);
	return { sent, failures, unsent, tookMs: clock.nowMs };
}

const OUTAGES: Array<[string, RawResponse | ServiceFailure]> = [
	['HTTP 502', answer(502)],
	['HTTP 503 without Retry-After', answer(503)],
	['reset connections', lost('connectionLost')],
	['timeouts', lost('timeout')],
	['no connection', lost('notSent')],
	['web pages with status 200', answer(200, '<html>')],
];

describe('an outage of four seconds in the middle of 1,500 billed calls, five at once', () => {
	it.each(OUTAGES)(
		'loses at most 30 of 1,500 billed calls in an outage of 4 s, and sends none twice: %s',
		async (_name, away) => {
			const respond = (atMs: number) => (atMs >= 10_000 && atMs < 14_000 ? away : answer(200));
			const { sent, failures, tookMs } = await runOf(1_500, { respond });
			expect(failures.size, 'failed calls').toBeLessThanOrEqual(30);
			const wasSent = away instanceof Error && away.kind === 'notSent' ? [] : [...sent.values()];
			expect(Math.max(1, ...wasSent), 'attempts of one call').toBe(1);
			expect(tookMs, 'ms').toBeLessThan(45_000);
		},
	);
});

describe('a service that stays down', () => {
	const lists = { request: LIST };
	const RETRY_FOR_MS = LIMITS.maxWaitMs;

	it.each([
		['HTTP 502', { respond: () => answer(502) }],
		['HTTP 504 after 29 s', { respond: () => answer(504), latencyMs: 29_000 }],
		['no response within 60 s', { respond: () => lost('timeout'), latencyMs: 60_000 }],
		['no connection', { respond: () => lost('notSent') }],
	] as Array<[string, Service]>)(
		'ends 300 parallel list requests within Retry For if the service stays down: %s',
		async (_name, service) => {
			const { failures, unsent, tookMs } = await runOf(300, service, lists);
			expect(failures.size).toBe(300);
			expect(unsent.length, 'unsent lists').toBeGreaterThan(280);
			// The last request that tests whether the service is back may begin just before Retry For ends.
			expect(tookMs, 'ms').toBeLessThanOrEqual(RETRY_FOR_MS + (service.latencyMs ?? 0) + 2_000);
		},
	);

	it.each([
		['HTTP 502', { respond: () => answer(502) }, 400_000],
		['HTTP 504 after 29 s', { respond: () => answer(504), latencyMs: 29_000 }, 600_000],
	])(
		'ends 300 list requests in sequence within ten minutes if the service stays down: %s',
		async (_name, service, maxMs) => {
			const { failures, unsent, tookMs } = await runOf(300, service, { ...lists, atOnce: 1 });
			expect(failures.size).toBe(300);
			expect(unsent.length, 'unsent lists').toBeGreaterThan(280);
			expect(tookMs, 'ms').toBeLessThan(maxMs);
		},
	);

	it('fails most billed calls without sending them, and reports the cause, if the service stays down', async () => {
		const { failures, unsent, sent, tookMs } = await runOf(300, { respond: () => answer(502) });
		expect(failures.size).toBe(300);
		expect(sent.size, 'sent calls').toBeLessThan(30);
		expect(unsent).toHaveLength(300 - sent.size);
		expect(unsent[0].facts).toMatchObject({ statusCode: 502, gaveUp: 'waitUsed' });
		expect(tookMs, 'ms').toBeLessThanOrEqual(RETRY_FOR_MS + 2_000);
	});
});

describe('a failure that concerns one item', () => {
	it.each([
		['HTTP 500', answer(500), 100],
		['HTTP 500 sooner than others get 200', answer(500), 5],
		['HTTP 401', answer(401), 100],
		['HTTP 403', answer(403), 100],
		['HTTP 404', answer(404), 100],
	])('delays no other item if one item in ten always gets %s', async (_name, response, ms) => {
		const usual = { respond: () => answer(200) };
		const some = {
			respond: (_at: number, item: number) => (item % 10 === 3 ? response : answer(200)),
		};
		const { tookMs } = await runOf(500, usual);
		const found = await runOf(500, { ...some, failureMs: ms });
		expect(found.failures.size).toBe(50);
		expect(found.unsent).toEqual([]);
		expect(found.tookMs, 'ms').toBeLessThan(tookMs + 1_000);
	});
});

describe('an API key that the service rejects', () => {
	it.each([401, 402, 403])(
		'sends no more requests after ten different requests in a row got HTTP %i',
		async (statusCode) => {
			for (const request of [ENRICH, LIST]) {
				const { sent, failures } = await runOf(
					300,
					{ respond: () => answer(statusCode) },
					{ request },
				);
				expect(sent.size, 'sent requests').toBeLessThanOrEqual(14);
				expect(failures.size).toBe(300);
				for (const { facts } of failures.values()) expect(facts.statusCode).toBe(statusCode);
			}
		},
	);

	it('sends requests again in the next attempt of Retry On Fail after the API key was rejected', async () => {
		const rateLimiter = new RateLimiter(1);
		let response = answer(401);
		const client = clientOf({ transport: async () => response, rateLimiter });
		for (let item = 0; item < 12; item++) await client(ENRICH, ALL).catch(() => undefined);
		response = answer(200);
		await expect(client(ENRICH, ALL)).rejects.toMatchObject({ facts: { attempts: 0 } });
		rateLimiter.beginAttempt();
		await client(ENRICH, ALL);
	});

	it('continues the run if fewer than ten requests in a row are rejected', async () => {
		const respond = (_at: number, item: number) => (item % 12 === 11 ? answer(200) : answer(401));
		const { unsent } = await runOf(60, { respond }, { atOnce: 1 });
		expect(unsent.length).toBeGreaterThan(0);
		const often = (_at: number, item: number) => (item % 9 === 8 ? answer(404) : answer(403));
		expect((await runOf(60, { respond: often }, { atOnce: 1 })).unsent).toEqual([]);
	});
});

it('completes all calls with Requests per Minute if nginx throttles with HTTP 503 without Retry-After', async () => {
	let lastMs = -Infinity;
	const respond = (atMs: number): RawResponse => {
		if (atMs - lastMs < 1_000) return answer(503);
		lastMs = atMs;
		return answer(200);
	};
	const limits = { ...ALL, maxPerMinute: 60 };
	const { failures } = await runOf(120, { respond }, { atOnce: 20, limits });
	expect(failures.size).toBe(0);
});
