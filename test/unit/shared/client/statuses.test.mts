import { expect, it } from 'vitest';

import { RateLimiter } from '../../../../nodes/shared/client/rate-limiter.ts';
import { answer, clientOf, LIMITS, LIST, lost } from './request-bench.mts';

it.each([
	['HTTP 200', answer(200), false],
	['HTTP 400', answer(400), false],
	['HTTP 404', answer(404), false],
	['HTTP 401', answer(401), false],
	['HTTP 429', answer(429), true],
	['HTTP 403 with Retry-After', answer(403, {}, { 'retry-after': '11' }), true],
	['HTTP 503 with Retry-After', answer(503, {}, { 'retry-after': '11' }), true],
	['HTTP 503', answer(503), true],
	['a timeout', lost('timeout'), true],
	['a reset connection', lost('connectionLost'), true],
	['no connection', lost('notSent'), true],
])(
	'decides whether all requests wait after five different requests in a row got %s: %j',
	async (_status, outcome, waits) => {
		let nowMs = 0;
		const rateLimiter = new RateLimiter();
		const transport = async () => {
			if (outcome instanceof Error) throw outcome;
			return outcome;
		};
		const sleep = async (ms: number): Promise<void> => void (nowMs += ms);
		const client = clientOf({ transport, rateLimiter, sleep, now: () => (nowMs += 0.001) });
		const limits = { ...LIMITS, maxRetries: 0, maxUnprocessed: 1 };
		for (let request = 0; request < 5; request++) await client(LIST, limits).catch(() => undefined);
		expect(rateLimiter.waitMs(nowMs) > 0).toBe(waits);
	},
);
