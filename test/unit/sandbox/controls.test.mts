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
	expect((await control('requests?countOnly=1')).body).toEqual({ count: 2 });
	expect((await control('calls')).body).toMatchObject({ enrich: [{ domain: 'acme.example' }] });
	await control('clear', undefined, 'POST');
	expect((await control('requests')).body).toEqual({ count: 0, requests: [] });
	expect(Object.values<unknown>((await control('calls')).body).flat()).toEqual([]);
});

test('over HTTP, faults, settings and records', async () => {
	const list = async () => await send(sandbox, companies);
	await control('faults', { path: companies, status: 418, times: 'Infinity' });
	expect([(await list()).status, (await list()).status]).toEqual([418, 418]);
	await control('faults', undefined, 'DELETE');
	await control('settings', { unkind: { silentPageCap: 3 } });
	expect((await list()).body.data.items).toHaveLength(3);
	await control('settings', { unkind: {} });
	expect((await list()).body.data.items).toHaveLength(40);
	const updated = (await control('update', { objectType: 'company', count: 3 })).body;
	expect(updated).toEqual({ ids: expect.any(Array) });
	expect([...sandbox.records('company')].filter(({ revision }) => revision === 2)).toHaveLength(3);
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
