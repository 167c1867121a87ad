import { describe, expect, it, vi } from 'vitest';

import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { isRejection } from '../../../nodes/client/meaning.ts';
import { RateLimiter } from '../../../nodes/client/rate-limiter.ts';
import { explain } from '../../../nodes/common/errors/explain.ts';
import { isSurelyUnprocessed } from '../../../nodes/WorkspaceData/call-outcomes.ts';
import { answer, clientOf, LIMITS, LIST, lost } from './request-bench.mts';

const CLIENTS = Array.from({ length: 100 }, (_none, index) => 400 + index);
const SERVERS = CLIENTS.map((status) => status + 100);
const without = (statuses: number[], others: number[]) =>
	statuses.filter((status) => !others.includes(status));

const isCause = (cause: string) => (failure: ServiceFailure) =>
	explain(failure, {}).cause?.cause === cause;

const OF_REQUEST = without(CLIENTS, [401, 402, 403, 407, 408, 425, 429, 499]);
const AWAY = [408, 425, 499, ...SERVERS];

describe('what becomes of a request is in retry.test.mts; beside that, a status', () => {
	it.each<[string, (failure: ServiceFailure) => boolean, number[], number[]]>([
		['says no to this very request', isRejection, OF_REQUEST, OF_REQUEST],
		['shows that a call was not processed', isSurelyUnprocessed, [407, 429], [403, 407, 429, 503]],
		['is a rate limit to n8n', isCause('rate-limited'), [429], [403, 429, 503]],
		['is a fault to n8n', isCause('temporarily-unavailable'), AWAY, without(AWAY, [503])],
		['is about the key to n8n', isCause('credential-invalid'), [401], [401]],
		['is about credit to n8n', isCause('quota-exhausted'), [402], [402]],
	])('%s', (_what, holds, alone, withRetryAfter) => {
		for (const retryAfterMs of [undefined, 11_000]) {
			const found = [...CLIENTS, ...SERVERS].filter((statusCode) =>
				holds(new ServiceFailure('status', { statusCode, retryAfterMs })),
			);
			expect(found).toEqual(retryAfterMs === undefined ? alone : withRetryAfter);
		}
	});

	it.each([
		['200', answer(200), 'accepted'],
		['400', answer(400), 'accepted'],
		['429', answer(429), 'refused'],
		['403, Retry-After', answer(403, {}, { 'retry-after': '11' }), 'refused'],
		// A service that is down says nothing of how fast requests may come.
		['503, Retry-After', answer(503, {}, { 'retry-after': '11' }), ''],
		['503', answer(503), 'accepted'],
		['no answer', lost('timeout'), ''],
	])('%s tells the rate limiter', async (_status, given, expected) => {
		const rateLimiter = new RateLimiter();
		const heard: string[] = [];
		vi.spyOn(rateLimiter, 'refused').mockImplementation(() => void heard.push('refused'));
		vi.spyOn(rateLimiter, 'accepted').mockImplementation(() => void heard.push('accepted'));
		const transport = async () => {
			if (given instanceof Error) throw given;
			return given;
		};
		const client = clientOf({ transport, rateLimiter });
		await client(LIST, { ...LIMITS, maxRetries: 0, maxWaitMs: 0 }).catch(() => undefined);
		expect(heard.join()).toBe(expected);
	});
});
