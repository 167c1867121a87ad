import { describe, expect, test } from 'vitest';
import { sandboxCredentials } from '../../sandbox/server.mts';
import { send } from '../../sandbox/test-client.mts';
import { acme, companies, useUnkindService } from './unkind-service.mts';

const service = useUnkindService();
const { list } = service;

describe('answers', () => {
	const { v2Full, v2OtherWorkspace, v1AllScopes, workspaceCode } = sandboxCredentials;

	test('the key stands in every part but the data', async () => {
		service.sandbox.setUnkind({ echoSecrets: true });
		const right = await list('limit=2', v2OtherWorkspace);
		expect(right.body.meta.ctx_id).toContain(v2OtherWorkspace);
		expect(right.body).toMatchObject({ request: { authorization: `Bearer ${v2OtherWorkspace}` } });
		expect(JSON.stringify(right.body.data)).not.toContain(v2OtherWorkspace);
		expect(right.body.meta.pagination).not.toHaveProperty('next_cursor');
		const wrong = await list('limit=0', v2Full);
		expect(wrong.body.error.message).toContain(v2Full);
		expect(wrong.body.meta).toMatchObject({
			ctx_id: expect.stringContaining(v2Full),
			pagination: { next_cursor: v2Full },
		});
		const code = { 'x-workspace-code': workspaceCode };
		const enriched = await send(service.sandbox, '/v1/enrich', {
			body: acme,
			credential: v1AllScopes,
			headers: code,
		});
		expect(enriched.body.meta.ctx_id).toContain(workspaceCode);
		expect(enriched.body.meta.ctx_id).toContain(v1AllScopes);
	});

	test('the key stands in scripted answers too, and big integers keep their digits', async () => {
		service.sandbox.setUnkind({ echoSecrets: true, numericIds: true });
		service.sandbox.addFault({ transform: 'successFalse', path: companies });
		const failed = await list('limit=1&sort=updated_at');
		expect(failed.body.meta.pagination.next_cursor).toBe(v2Full);
		expect(failed.body.error.message).toContain(v2Full);
		expect(failed.text).toMatch(/"id":90071992547\d{5},/);
		service.sandbox.addFault({ status: 502, body: '<html>', contentType: 'text/html' });
		expect((await list('limit=1')).text).toBe(`<html>\n${v2Full}`);
		expect(JSON.stringify(service.sandbox.requests)).not.toContain(v2Full);
	});

	test('a redirect to another origin, for GET and POST, before anything is done', async () => {
		service.sandbox.setUnkind({ redirectTo: 'http://127.0.0.1:9' });
		for (const [path, method] of [
			[`${companies}?limit=2`, 'GET'],
			['/v2/enrich', 'POST'],
		] as const) {
			const answer = await fetch(service.sandbox.url + path, {
				method,
				headers: { authorization: `Bearer ${v2Full}` },
				body: method === 'POST' ? JSON.stringify(acme) : undefined,
				redirect: 'manual',
			});
			expect(answer.status).toBe(307);
			expect(answer.headers.get('location')).toBe(`http://127.0.0.1:9${path}`);
		}
		expect(service.sandbox.calls.enrich).toEqual([]);
	});

	test('prospect tells of more results than it gives', async () => {
		const kind = (await send(service.sandbox, '/v2/prospect/companies', { body: acme })).body;
		service.sandbox.setUnkind({ prospectTotal: 4000 });
		const { body } = await send(service.sandbox, '/v2/prospect/companies', { body: acme });
		expect(body.data).toEqual(kind.data);
		expect(body.meta.pagination).toEqual({
			page: 1,
			page_size: 5,
			total: 4000,
			next_cursor: expect.any(String),
		});
		service.sandbox.setUnkind({ prospectTotal: 2 });
		const few = (await send(service.sandbox, '/v2/prospect/companies', { body: acme })).body;
		expect(few.data.items).toEqual(kind.data.items.slice(0, 2));
		expect(few.meta.pagination).toEqual({ page: 1, page_size: 5, total: 2 });
	});
});
