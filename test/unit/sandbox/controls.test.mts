import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { send } from '../../sandbox/test-client.mts';

const companies = '/v2/public/companies';
let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ companies: 40, orders: 5, items: 5, deals: 5 });
});
afterEach(() => {
	sandbox.clearFaults();
	sandbox.setUnkind({});
});
afterAll(() => sandbox.stop());

const control = async (path: string, body?: unknown, method?: string) =>
	await send(sandbox, `/sandbox/${path}`, { credential: null, body, method });

test('over HTTP, the log, the calls and what is forgotten', async () => {
	await send(sandbox, companies);
	await send(sandbox, '/v2/enrich', { body: { domain: 'acme.example' } });
	expect((await control('requests?countOnly=1')).body).toEqual({ total: 2, count: 2 });
	expect((await control('calls?countOnly=1')).body).toEqual({ enrich: 1, score: 0, prospect: 0 });
	await control('clear', undefined, 'POST');
	expect((await control('requests')).body).toEqual({ total: 0, count: 0, requests: [] });
	expect((await control('calls')).body).toEqual({ enrich: [], score: [], prospect: [] });
});

test('over HTTP, faults, settings and records', async () => {
	const statuses = async () =>
		[(await send(sandbox, companies)).status, (await send(sandbox, companies)).status] as const;
	await control('faults', { path: companies, status: 418, times: 'Infinity' });
	expect(await statuses()).toEqual([418, 418]);
	await control('faults', undefined, 'DELETE');
	await control('settings', { requestsPerSecond: 0.25, unkind: { silentPageCap: 3 } });
	expect(await statuses()).toEqual([200, 429]);
	await control('settings', { requestsPerSecond: null });
	expect((await send(sandbox, companies)).body.data.items).toHaveLength(3);
	await control('settings', { unkind: null });
	expect((await send(sandbox, companies)).body.data.items).toHaveLength(40);
	const updated = (await control('update', { objectType: 'company', count: 3 })).body;
	expect(updated).toEqual({ ids: expect.any(Array) });
	expect([...sandbox.records('company')].filter(({ revision }) => revision === 2)).toHaveLength(3);
	await control('create', { objectType: 'deal', count: 2 });
	await control('remove', { objectType: 'item', ids: ['itm_000000001'] });
	expect([sandbox.count('deal'), sandbox.count('item')]).toEqual([7, 4]);
});

test.each([
	['update', { objectType: 'widget' }],
	['update', { objectType: 'company', ids: ['cmp_1'] }],
	['create', { objectType: 'company', count: -1 }],
	['faults', { stauts: 500 }],
	['faults', { action: 'explode' }],
	['settings', { latencyMs: 'slow' }],
	['settings', { requestsPerSecond: 0 }],
	['settings', { unknd: {} }],
	['settings', { unkind: { silentPageCup: 3 } }],
	['settings', { unkind: { silentPageCap: '3' } }],
	['settings', { unkind: { undated: { every: 2 } } }],
	['settings', { unkind: { rateLimit: { algorithm: 'leaky', requests: 1, windowMs: 1 } } }],
	['settings', { unkind: { total: { factor: -1 } } }],
	['settings', { unkind: 'numericIds' }],
])('%s refuses %j', async (path, body) => {
	expect((await control(path, body)).status).toBe(400);
});

test('a late change has an older date than the newest, which stands still', async () => {
	const fresh = await startSandbox({ companies: 9 });
	const [one = '', two = '', three = ''] = [...fresh.records('company')].map(({ id }) =>
		String(id),
	);
	expect(() => fresh.update('company', [one], 1_000)).toThrow('has not gone on by 1000 ms');
	for (let seconds = 0; seconds < 10; seconds++) fresh.update('company', [one]);
	fresh.update('company', [two], 4_000);
	fresh.update('company', [three], 0);
	const dates = [...fresh.records('company')].map(({ updated_at: date }) =>
		Date.parse(String(date)),
	);
	await fresh.stop();
	const [first = 0, second = 0, third = 0] = dates;
	expect([first - second, first - third]).toEqual([4_000, 0]);
});
