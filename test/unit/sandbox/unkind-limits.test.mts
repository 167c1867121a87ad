import { describe, expect, test } from 'vitest';
import { send } from '../../sandbox/test-client.mts';
import { acme, useUnkindService } from './unkind-service.mts';

const service = useUnkindService();
const { list } = service;

async function statuses(howMany: number): Promise<number[]> {
	const found: number[] = [];
	for (let sent = 0; sent < howMany; sent++) found.push((await list('limit=1')).status);
	return found;
}

describe('limits on requests', () => {
	const rateLimit = { algorithm: 'fixedWindow', requests: 2, windowMs: 60_000 } as const;

	test('429 with and without Retry-After', async () => {
		service.sandbox.setUnkind({ rateLimit });
		expect(await statuses(3)).toEqual([200, 200, 429]);
		const refused = await list('limit=1');
		expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
		service.sandbox.setUnkind({ rateLimit: { ...rateLimit, retryAfter: false } });
		expect(await statuses(3)).toEqual([200, 200, 429]);
		const silent = await list('limit=1');
		expect(silent.headers.has('retry-after')).toBe(false);
		expect(silent.body.error.message).not.toMatch(/\d/);
	});

	test('a quota of the day', async () => {
		service.sandbox.setUnkind({ dailyQuota: 3 });
		expect(await statuses(5)).toEqual([200, 200, 200, 429, 429]);
		expect((await list('limit=1')).headers.get('retry-after')).toBe('86400');
	});

	test('a refused call is not billed', async () => {
		service.sandbox.setUnkind({ dailyQuota: 1 });
		for (let sent = 0; sent < 3; sent++) await send(service.sandbox, '/v2/enrich', { body: acme });
		expect(service.sandbox.calls.enrich).toEqual([acme]);
	});
});
