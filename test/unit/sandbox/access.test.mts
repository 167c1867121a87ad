import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sandboxCredentials, startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { send } from '../../sandbox/test-client.mts';

const { v2Full, v2Regular, v1AllScopes } = sandboxCredentials;
const { workspaceCode } = sandboxCredentials;
const acme = { domain: 'acme.example' };
const dealScore = { ...acme, object_type: 'deal' };
const anyQuery = { object_type: 'company' };
let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ companies: 20, orders: 5, items: 5, deals: 5 });
});
beforeEach(() => sandbox.clearRequests());
afterAll(() => sandbox.stop());

describe('who may do what', () => {
	test('a wrong scheme or a doubled "Bearer" is refused', async () => {
		for (const authorization of [v2Full, `Basic ${v2Full}`, `Bearer Bearer ${v2Full}`, 'Bearer ']) {
			const request = { credential: null, headers: { authorization } };
			expect((await send(sandbox, '/v2/public/companies', request)).status).toBe(401);
		}
	});

	test('the workspace code opens /v1/enrich and /v1/score, and is refused everywhere else', async () => {
		const withCode = (path: string, body?: unknown, code = workspaceCode) =>
			send(sandbox, path, { credential: null, body, headers: { 'x-workspace-code': code } });
		expect((await withCode('/v1/enrich', acme)).status).toBe(200);
		expect((await withCode('/v1/score', dealScore)).status).toBe(200);
		expect((await withCode('/v1/enrich', acme, 'fake-wrong')).status).toBe(401);
		for (const path of ['/v1/public/auth/whoami', '/v2/public/companies']) {
			expect((await withCode(path)).status).toBe(400);
		}
		expect((await withCode('/v2/enrich', acme)).status).toBe(400);
		const leaking = { headers: { 'x-workspace-code': workspaceCode } };
		expect((await send(sandbox, '/v2/public/companies', leaking)).status).toBe(400);
	});
});

describe('calls', () => {
	test.each([
		['/v2/enrich', '{}', 422],
		['/v2/enrich', '{"name":" "}', 422],
		['/v2/enrich', '[]', 400],
		['/v2/enrich', 'text', 400],
		['/v2/enrich', '', 400],
		['/v2/enrich?x=1', '{"name":"Acme"}', 400],
		['/v2/score', '{"name":"Acme"}', 400],
		['/v2/score', '{"name":"Acme","object_type":"order"}', 400],
		['/v2/score', '{"object_type":"deal"}', 422],
		['/v2/prospect/companies', '{"limit":0}', 400],
		['/v2/prospect/companies?limit=x', undefined, 400],
	])('%s with the body %s answers %i and is not billed', async (path, body, status) => {
		const method = body === undefined ? 'GET' : 'POST';
		expect((await send(sandbox, path, { method, body })).status).toBe(status);
		expect(Object.values(sandbox.calls).flat()).toEqual([]);
	});
});

test('the log says what was sent, by whom, and holds no secret', async () => {
	await send(sandbox, '/v2/public/records/query?x=1', { body: anyQuery, credential: v2Regular });
	await send(sandbox, '/v1/enrich', {
		body: 'not JSON',
		credential: v1AllScopes,
		headers: { 'x-workspace-code': workspaceCode },
	});
	await send(sandbox, '/v2/public/companies', { credential: 'fake-mistyped' });
	expect(sandbox.requests).toMatchObject([
		{
			number: 1,
			method: 'POST',
			query: { x: '1' },
			body: anyQuery,
			credential: 'v2-regular',
			status: 400,
		},
		{ number: 2, body: 'not JSON', headers: { 'x-workspace-code': 'present' }, status: 400 },
		{
			number: 3,
			body: null,
			credential: 'unknown',
			headers: { authorization: 'unknown' },
			status: 401,
		},
	]);
	expect(sandbox.requests.every(({ inFlight }) => inFlight === 1)).toBe(true);
	expect(JSON.stringify(sandbox.requests)).not.toMatch(/fake-/);
});
