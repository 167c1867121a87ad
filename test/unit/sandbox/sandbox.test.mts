import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sandboxCredentials, serializeRecord, startSandbox } from '../../sandbox/server.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import { send } from '../../sandbox/test-client.mts';

const { v2Full, v2Regular, v1AllScopes, workspaceCode } = sandboxCredentials;
const companies = '/v2/public/companies';
const query = '/v2/public/records/query';
const acme = { domain: 'acme.example' };
let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ companies: 403, orders: 25, items: 15, deals: 10 });
});
beforeEach(() => sandbox.clearRequests());
afterAll(() => sandbox.stop());

describe('an invalid request', () => {
	test.each([
		['GET', `${companies}?page=0`, undefined, 400],
		['GET', `${companies}?limit=5&limit=6`, undefined, 400],
		['GET', `${companies}?sort=address&page=1`, undefined, 400],
		['GET', `${companies}?colour=red`, undefined, 400],
		['GET', `${companies}?cursor=abc`, undefined, 400],
		['GET', `${companies}?cursor=`, undefined, 400],
		['POST', query, '{}', 400],
		['POST', query, '{"object_type":"widget"}', 404],
		['POST', query, '{"object_type":"company","colour":"red"}', 400],
		['POST', query, '{"object_type":"company","limit":"50"}', 400],
		['POST', query, '{"object_type":"company","sort":"standard:updated_at:desc"}', 400],
		['POST', query, '{"object_type":"company","cursor":null}', 400],
		['POST', query, '["company"]', 400],
		['POST', query, '', 400],
		['POST', '/v2/enrich', '{}', 422],
		['POST', '/v2/enrich?x=1', '{"name":"Acme"}', 400],
		['POST', '/v2/score', '{"name":"Acme"}', 400],
		['GET', '/v2/prospect/companies?limit=x', undefined, 400],
		['GET', '/v2/public/deals', undefined, 404],
		['POST', companies, undefined, 405],
	])(
		'rejects %s %s with the body %s and bills nothing: HTTP %i',
		async (method, path, body, status) => {
			const answer = await send(sandbox, path, { method, body });
			expect(answer.status).toBe(status);
			expect(answer.body).toMatchObject({
				success: false,
				error: { message: expect.stringMatching(/./) },
				meta: { ctx_id: expect.stringMatching(/^ctx_/) },
			});
			expect(Object.values(sandbox.calls).flat()).toEqual([]);
		},
	);

	test('rejects a cursor with a page number, a different sort order or object type, or a changed letter', async () => {
		const first = await send(sandbox, `${companies}?sort=updated_at&limit=10`);
		const cursor = first.body.meta.pagination.next_cursor as string;
		const half = Math.floor(cursor.length / 2);
		const damaged =
			cursor.slice(0, half) + (cursor[half] === 'A' ? 'B' : 'A') + cursor.slice(half + 1);
		for (const path of [
			`${companies}?cursor=${cursor}&page=2`,
			`${companies}?cursor=${cursor}&sort=created_at`,
			`${companies}?cursor=${damaged}`,
			`${companies}?cursor=${cursor}!`,
			`/v2/public/orders?cursor=${cursor}`,
		]) {
			expect((await send(sandbox, path)).status).toBe(400);
		}
	});

	test('rejects an Authorization header with a wrong scheme or a doubled "Bearer"', async () => {
		for (const authorization of [v2Full, `Basic ${v2Full}`, `Bearer Bearer ${v2Full}`, 'Bearer ']) {
			const request = { credential: null, headers: { authorization } };
			expect((await send(sandbox, companies, request)).status).toBe(401);
		}
	});

	test('rejects a workspace code except at /v1/enrich and /v1/score', async () => {
		const withCode = async (path: string, body?: unknown, code = workspaceCode) =>
			(await send(sandbox, path, { credential: null, body, headers: { 'x-workspace-code': code } }))
				.status;
		expect(await withCode('/v1/enrich', acme)).toBe(200);
		expect(await withCode('/v1/score', { ...acme, object_type: 'deal' })).toBe(200);
		expect(await withCode('/v1/enrich', acme, 'fake-wrong')).toBe(401);
		expect(await withCode('/v2/enrich', acme)).toBe(400);
		for (const path of ['/v1/public/auth/whoami', companies]) {
			expect(await withCode(path)).toBe(400);
		}
		const leaking = { headers: { 'x-workspace-code': workspaceCode } };
		expect((await send(sandbox, companies, leaking)).status).toBe(400);
	});
});

test('logs each request without secrets, with the name of the credential, and gives each response a new ctx_id', async () => {
	const body = { object_type: 'company' };
	const headers = { 'x-workspace-code': workspaceCode };
	const answers = [
		await send(sandbox, `${query}?x=1`, { body, credential: v2Regular }),
		await send(sandbox, '/v1/enrich', { body: 'not JSON', credential: v1AllScopes, headers }),
		await send(sandbox, companies, { credential: 'fake-mistyped' }),
	];
	expect(sandbox.requests).toMatchObject([
		{ query: { x: '1' }, body, credential: 'v2-regular', status: 400, inFlight: 1 },
		{ body: 'not JSON', headers: { 'x-workspace-code': 'present' }, status: 400 },
		{ body: null, headers: { authorization: 'unknown' }, status: 401 },
	]);
	expect(JSON.stringify(sandbox.requests)).not.toMatch(/fake-/);
	expect(new Set(answers.map((answer) => answer.body.meta.ctx_id)).size).toBe(3);
});

test('lists each company of one industry exactly once, by cursor and by page number', async () => {
	const wanted = [...sandbox.records('company')].filter(({ industry }) => industry === 'Health');
	const ids = wanted.map(({ id }) => id).toSorted();
	expect(ids.length).toBeGreaterThan(10);
	for (const start of ['sort=updated_at', 'page=1&sort=updated_at']) {
		const found: unknown[] = [];
		for (let next = start, page = 2; next !== ''; page++) {
			const { body } = await send(sandbox, `${companies}?industry=Health&limit=10&${next}`);
			const { total, next_cursor: cursor } = body.meta.pagination;
			expect(total).toBe(ids.length);
			found.push(...body.data.items.map(({ id }) => id));
			next = cursor ? `cursor=${cursor}` : '';
			if (start.startsWith('page') && found.length < total) next = `page=${page}&sort=updated_at`;
		}
		expect(found.toSorted()).toEqual(ids);
	}
	const body = { object_type: 'company', industry: 'Health', limit: 1 };
	expect((await send(sandbox, query, { body })).body.meta.pagination.total).toBe(ids.length);
});

test('lets a key with Full access update a company, which then becomes the newest record', async () => {
	const [{ id, name }] = sandbox.records('company');
	const change = { method: 'PATCH', body: { name: 'New name' } };
	for (const [path, request, status] of [
		[id, { ...change, credential: v2Regular }, 403],
		['none', change, 404],
		[id, { ...change, body: { colour: 'red' } }, 400],
		[id, { ...change, body: { updated_at: 'now' } }, 400],
	] as const) {
		expect((await send(sandbox, `${companies}/${String(path)}`, request)).status).toBe(status);
	}
	const [first] = sandbox.records('company');
	expect(first).toMatchObject({ name, revision: 1 });

	const { status, body } = await send(sandbox, `${companies}/${String(id)}`, change);
	expect([status, body.data]).toMatchObject([200, { id, name: 'New name', revision: 2 }]);
	const newest = [...sandbox.records('company')].toSorted((one, other) =>
		String(other.updated_at).localeCompare(String(one.updated_at)),
	);
	expect(newest[0]).toEqual(body.data);
});

test('includes record values that break careless exports, such as line breaks and formulas', () => {
	const records = [...sandbox.records('company')];
	const text = records.map(serializeRecord).join('\n');
	expect(records.some(({ notes }) => String(notes).startsWith('='))).toBe(true);
	expect(records.some(({ notes }) => String(notes).includes('\n'))).toBe(true);
	expect(records.some(({ notes }) => notes === null)).toBe(true);
	expect(text).toContain('\\"');
	expect(text).toContain('東京');
	expect(text).toContain('"external_number":9007199254740999');
	expect(records.filter((record) => 'external_number' in record)).toHaveLength(20);
	expect(records[0]?.address).toMatchObject({ location: { latitude: expect.any(Number) } });
});
