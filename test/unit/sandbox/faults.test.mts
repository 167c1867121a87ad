import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startSandbox, type Fault, type Sandbox } from '../../sandbox/server.mts';
import { send } from '../../sandbox/test-client.mts';

const companies = '/v2/public/companies';
const firstPage = `${companies}?sort=updated_at&limit=10`;
const acme = { domain: 'acme.example' };
let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ companies: 40, orders: 5, items: 5, deals: 5 });
});
afterEach(() => {
	sandbox.clearFaults();
	sandbox.clearRequests();
	sandbox.setLatency(0);
	sandbox.setRateLimit(undefined);
});
afterAll(() => sandbox.stop());

describe('scripted faults', () => {
	test('respond: status, headers and body, after skip and for so many times', async () => {
		sandbox.addFault({
			path: companies,
			skip: 1,
			times: 2,
			status: 503,
			headers: { 'retry-after': '7' },
		});
		const statuses: number[] = [];
		for (let count = 0; count < 4; count++) statuses.push((await send(sandbox, companies)).status);
		expect(statuses).toEqual([200, 503, 503, 200]);
		expect(sandbox.requests.map(({ status }) => status)).toEqual(statuses);
	});

	test('respond: a raw text body with its own type', async () => {
		sandbox.addFault({
			method: 'get',
			body: '<html>Busy</html>',
			contentType: 'text/html',
			times: Infinity,
		});
		for (let count = 0; count < 3; count++) {
			const answer = await send(sandbox, companies);
			expect(answer).toMatchObject({ status: 200, text: '<html>Busy</html>' });
			expect(answer.headers.get('content-type')).toBe('text/html');
		}
		expect((await send(sandbox, '/v2/enrich', { body: acme })).status).toBe(200);
	});

	test('respond: by default a 500 with an error envelope', async () => {
		sandbox.addFault({});
		const answer = await send(sandbox, companies);
		expect(answer.status).toBe(500);
		expect(answer.body).toMatchObject({ success: false, error: { code: 'scripted_fault' } });
	});

	test('reset drops the connection before anything is handled', async () => {
		sandbox.addFault({ action: 'reset' });
		await expect(send(sandbox, '/v2/enrich', { body: acme })).rejects.toThrow();
		expect(sandbox.calls.enrich).toHaveLength(0);
		expect(sandbox.requests[0]?.status).toBe('dropped');
		expect((await send(sandbox, companies)).status).toBe(200);
	});

	test('resetAfterHandling bills first', async () => {
		sandbox.addFault({ action: 'resetAfterHandling' });
		await expect(send(sandbox, '/v2/enrich', { body: acme })).rejects.toThrow();
		expect(sandbox.calls.enrich).toEqual([acme]);
		expect(sandbox.requests[0]?.status).toBe('dropped');
	});

	test('hang never answers', async () => {
		sandbox.addFault({ action: 'hang' });
		const abort = new AbortController();
		const answer = send(sandbox, companies, { signal: abort.signal });
		const failure = expect(answer).rejects.toThrow();
		await expect.poll(() => sandbox.requests[0]?.inFlight).toBe(1);
		abort.abort();
		await failure;
		await expect.poll(() => sandbox.requests[0]?.status).toBe('dropped');
		await send(sandbox, companies);
		expect(sandbox.requests[1]?.inFlight).toBe(1);
	});

	test('truncate announces more bytes than it sends', async () => {
		sandbox.addFault({ action: 'truncate' });
		const response = await fetch(sandbox.url + '/v2/public/auth/whoami', {
			headers: { authorization: 'Bearer fake-v2-full-access-key' },
		});
		expect(response.status).toBe(200);
		expect(Number(response.headers.get('content-length'))).toBeGreaterThan(100);
		await expect(response.text()).rejects.toThrow();
		expect(sandbox.requests[0]?.status).toBe('dropped');
	});

	test('delay waits, then answers rightly', async () => {
		sandbox.addFault({ action: 'delay', delayMs: 120 });
		const started = performance.now();
		expect((await send(sandbox, companies)).status).toBe(200);
		expect(performance.now() - started).toBeGreaterThan(110);
	});

	test('transforms alter a right answer', async () => {
		const transformed = async (transform: Fault['transform'], path = firstPage) => {
			sandbox.addFault({ transform });
			return send(sandbox, path);
		};
		const right = await send(sandbox, firstPage);
		const cursor = right.body.meta.pagination.next_cursor;
		expect((await transformed('dropItems')).body.data).toEqual({});
		expect((await transformed('dropPagination')).body.meta).not.toHaveProperty('pagination');
		expect(await transformed('successFalse')).toMatchObject({
			status: 200,
			body: { success: false },
		});
		const first = await transformed('repeatCursor');
		expect(first.body.meta.pagination.next_cursor).toBe(cursor);
		const second = await transformed('repeatCursor', `${companies}?limit=10&cursor=${cursor}`);
		expect(second.body.meta.pagination.next_cursor).toBe(cursor);
		expect(second.body.data.items).toHaveLength(10);
		const stuck = await transformed('stuckPage', `${companies}?page=3&limit=10`);
		expect(stuck.body.meta.pagination).toEqual({ page: 1, page_size: 10, total: 40 });
		const unchanged = await transformed('stuckPage', firstPage);
		expect(unchanged.body.data).toEqual(right.body.data);
	});

	test('repeatCursor also works on the records query', async () => {
		const body = { object_type: 'company', limit: 5, sort: 'standard:created_at:asc' };
		const first = await send(sandbox, '/v2/public/records/query', { body });
		const cursor = first.body.meta.pagination.next_cursor;
		sandbox.addFault({ transform: 'repeatCursor' });
		const second = await send(sandbox, '/v2/public/records/query', { body: { ...body, cursor } });
		expect(second.body.meta.pagination.next_cursor).toBe(cursor);
	});

	test('a mistyped fault is refused', () => {
		expect(() => sandbox.addFault({ stauts: 500 } as Fault)).toThrow('no field "stauts"');
		expect(() => sandbox.addFault({ action: 'explode' } as unknown as Fault)).toThrow(
			'Unknown action',
		);
		expect(() => sandbox.addFault({ times: '2' } as unknown as Fault)).toThrow('type number');
	});
});

describe('speed', () => {
	test('the rate limit answers 429 with Retry-After and does not bill', async () => {
		sandbox.setRateLimit(10);
		const sent = Array.from({ length: 8 }, () => send(sandbox, '/v2/enrich', { body: acme }));
		const answers = await Promise.all(sent);
		const accepted = answers.filter(({ status }) => status === 200).length;
		const refused = answers.filter(({ status }) => status === 429);
		expect(accepted + refused.length).toBe(8);
		// A burst of 2, and perhaps one or two more on a slow machine.
		expect(accepted).toBeGreaterThanOrEqual(2);
		expect(refused.length).toBeGreaterThanOrEqual(1);
		expect(refused[0]?.headers.get('retry-after')).toBe('1');
		expect(sandbox.calls.enrich).toHaveLength(accepted);
		sandbox.setRateLimit(0.25);
		await send(sandbox, companies);
		const slow = await send(sandbox, companies);
		expect(slow.headers.get('retry-after')).toBe('4');
	});

	test('latency applies to every request, and requests under way are counted', async () => {
		sandbox.setLatency(100);
		const started = performance.now();
		await Promise.all([1, 2, 3].map(() => send(sandbox, companies)));
		expect(performance.now() - started).toBeGreaterThan(90);
		expect(sandbox.requests.map(({ inFlight }) => inFlight)).toEqual([1, 2, 3]);
	});
});

describe('controls over HTTP', () => {
	const control = (path: string, body?: unknown, method?: string) =>
		send(sandbox, `/sandbox/${path}`, { credential: null, body, method });
	const json = async (path: string, body?: unknown, method?: string) =>
		(await control(path, body, method)).body as unknown as Record<string, unknown>;

	test('requests, calls and clear', async () => {
		await send(sandbox, companies);
		await send(sandbox, '/v2/enrich', { body: acme });
		expect(await json('requests?countOnly=1')).toEqual({ total: 2, count: 2 });
		const filtered = await json(`requests?path=${companies}`);
		expect(filtered).toMatchObject({ total: 2, count: 1, requests: [{ path: companies }] });
		expect(await json('calls')).toMatchObject({ enrich: [acme], score: [], prospect: [] });
		expect(await json('calls?countOnly=1')).toMatchObject({ enrich: 1, score: 0, prospect: 0 });
		await control('clear', undefined, 'POST');
		expect(await json('requests')).toEqual({ total: 0, count: 0, requests: [] });
		expect(sandbox.calls.enrich).toEqual([]);
	});

	test('faults and settings', async () => {
		await control('faults', { path: companies, status: 418, times: 'Infinity' });
		expect((await send(sandbox, companies)).status).toBe(418);
		expect((await send(sandbox, companies)).status).toBe(418);
		await control('faults', undefined, 'DELETE');
		expect((await send(sandbox, companies)).status).toBe(200);
		await control('settings', { latencyMs: 60, requestsPerSecond: 1 });
		const started = performance.now();
		await send(sandbox, companies);
		expect(performance.now() - started).toBeGreaterThan(50);
		expect((await send(sandbox, companies)).status).toBe(429);
		await control('settings', { latencyMs: 0, requestsPerSecond: null });
		expect((await send(sandbox, companies)).status).toBe(200);
	});

	test('update, create, remove, counts and health', async () => {
		expect(await json('health')).toEqual({ ok: true });
		const updated = await json('update', { objectType: 'company', count: 3 });
		expect(new Set(updated.ids as string[]).size).toBe(3);
		await control('update', { objectType: 'order', ids: ['ord_000000002'] });
		expect([...sandbox.records('order')][1]?.revision).toBe(2);
		expect(await json('create', { objectType: 'deal', count: 2 })).toEqual({
			ids: ['deal_000000006', 'deal_000000007'],
		});
		await control('remove', { objectType: 'item', ids: ['itm_000000001'] });
		expect(await json('counts')).toMatchObject({ company: 40, order: 5, item: 4, deal: 7 });
	});

	test.each([
		['update', { objectType: 'widget' }],
		['update', { objectType: 'company', ids: ['cmp_1'] }],
		['create', { objectType: 'company', count: -1 }],
		['faults', { stauts: 500 }],
		['settings', { latencyMs: 'slow' }],
		['settings', { requestsPerSecond: 0 }],
	])('%s refuses %j', async (path, body) => {
		expect((await control(path, body)).status).toBe(400);
	});
});
