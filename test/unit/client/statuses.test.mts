import { expect, it, vi } from 'vitest';

import { RateLimiter } from '../../../nodes/client/rate-limiter.ts';
import { answer, clientOf, LIMITS, LIST, lost } from './request-bench.mts';

it.each([
	['200', answer(200), 'accepted'],
	['400', answer(400), 'accepted'],
	['429', answer(429), 'refused'],
	['403, Retry-After', answer(403, {}, { 'retry-after': '11' }), 'refused'],
	['503, Retry-After', answer(503, {}, { 'retry-after': '11' }), 'refused'],
	['503', answer(503), 'accepted'],
	['no answer', lost('timeout'), ''],
])('%s tells the rate limiter', async (_status, given, expected) => {
	const rateLimiter = new RateLimiter();
	const heard: string[] = [];
	vi.spyOn(rateLimiter, 'refused').mockImplementation(() => {
		heard.push('refused');
		return { leastMs: 0, maxMs: 0, leaves: true };
	});
	vi.spyOn(rateLimiter, 'accepted').mockImplementation(() => void heard.push('accepted'));
	const transport = async () => {
		if (given instanceof Error) throw given;
		return given;
	};
	const client = clientOf({ transport, rateLimiter });
	await client(LIST, { ...LIMITS, maxRetries: 0, maxWaitMs: 0 }).catch(() => undefined);
	expect(heard.join()).toBe(expected);
});
