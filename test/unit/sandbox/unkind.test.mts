import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
	sandboxCredentials,
	startSandbox,
	type Sandbox,
	type Unkindness,
} from '../../sandbox/server.mts';
import { readAll, send, type ClientAnswer } from '../../sandbox/test-client.mts';
import { unkindSettings } from '../../sandbox/unkind.mts';

const companies = '/v2/public/companies';
const query = '/v2/public/records/query';
const acme = { domain: 'acme.example' };
let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ companies: 40, orders: 5, items: 5, deals: 5 });
});
afterEach(() => {
	sandbox.setUnkind({});
	sandbox.clearFaults();
	sandbox.clearRequests();
});
afterAll(() => sandbox.stop());

function list(parameters: string, credential?: string): Promise<ClientAnswer> {
	return send(sandbox, `${companies}?${parameters}`, credential ? { credential } : {});
}

async function statuses(howMany: number): Promise<number[]> {
	const found: number[] = [];
	for (let sent = 0; sent < howMany; sent++) found.push((await list('limit=1')).status);
	return found;
}

describe('how the settings are given', () => {
	const control = (body: unknown) =>
		send(sandbox, '/sandbox/settings', { credential: null, body, method: 'POST' });

	test('all are off by default, and again after {}', async () => {
		const kind = [(await list('sort=updated_at&limit=10')).text, (await list('page=2')).text];
		const everything: Unkindness = {
			silentPageCap: 2,
			extraRecords: 1,
			numericIds: true,
			undated: { every: 2, place: 'first' },
			zonelessDates: true,
			echoSecrets: true,
			pageInQueryIgnored: true,
			latencyPerRecordMs: 1,
			prospectTotal: 9,
		};
		const withoutContext = (text: string) => text.replace(/"ctx_id":"[^"]*"/, '');
		sandbox.setUnkind(everything);
		expect(withoutContext((await list('page=2')).text)).not.toBe(withoutContext(kind[1] ?? ''));
		sandbox.setUnkind({});
		const again = [(await list('sort=updated_at&limit=10')).text, (await list('page=2')).text];
		expect(again.map(withoutContext)).toEqual(kind.map(withoutContext));
	});

	test('at the start, and over HTTP with null for none', async () => {
		const small = await startSandbox({ companies: 9, unkind: { silentPageCap: 4 } });
		const { body } = await send(small, companies);
		await small.stop();
		expect(body.data.items).toHaveLength(4);
		expect((await control({ unkind: { silentPageCap: 3 } })).status).toBe(200);
		expect((await list('limit=10')).body.data.items).toHaveLength(3);
		expect((await control({ unkind: null })).status).toBe(200);
		expect((await list('limit=10')).body.data.items).toHaveLength(10);
	});

	test.each<[unknown, string]>([
		[{ silentPageCup: 3 }, 'no unkind setting "silentPageCup"'],
		[{ toString: true }, 'no unkind setting "toString"'],
		[{ silentPageCap: 0 }, 'silentPageCap cannot be 0'],
		[{ silentPageCap: '3' }, 'silentPageCap cannot be "3"'],
		[{ numericIds: 'yes' }, 'numericIds cannot be'],
		[{ undated: { every: 2 } }, 'undated cannot be'],
		[{ undated: { every: 2, place: 'first', other: 1 } }, 'undated cannot be'],
		[{ refusePageSizeAbove: { size: 10, status: 500 } }, 'refusePageSizeAbove cannot be'],
		[{ rateLimit: { algorithm: 'leaky', requests: 1, windowMs: 1 } }, 'rateLimit cannot be'],
		[{ rateLimit: { algorithm: 'fixedWindow', requests: 1, windowMs: 0 } }, 'rateLimit cannot be'],
		[{ redirectTo: 'elsewhere' }, 'redirectTo cannot be'],
		[{ redirectTo: 'http://127.0.0.1:1/path' }, 'redirectTo cannot be'],
		[{ dailyQuota: -1 }, 'dailyQuota cannot be'],
		['numericIds', 'unkind must be an object'],
	])('%j is refused', async (settings, message) => {
		expect(() => sandbox.setUnkind(settings as Unkindness)).toThrow(message);
		const answer = await control({ unkind: settings });
		expect(answer.status).toBe(400);
		expect(answer.body.error.message).toContain(message);
	});

	test('an unknown setting beside them is refused too', async () => {
		expect((await control({ unknd: {} })).status).toBe(400);
	});

	test('each has a meaning to print', () => {
		for (const meaning of Object.values(unkindSettings)) expect(meaning).not.toBe('');
	});
});

describe('limits on requests', () => {
	const rateLimit = { algorithm: 'fixedWindow', requests: 2, windowMs: 60_000 } as const;

	test('429 with and without Retry-After', async () => {
		sandbox.setUnkind({ rateLimit });
		expect(await statuses(3)).toEqual([200, 200, 429]);
		const refused = await list('limit=1');
		expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
		sandbox.setUnkind({ rateLimit: { ...rateLimit, retryAfter: false } });
		expect(await statuses(3)).toEqual([200, 200, 429]);
		const silent = await list('limit=1');
		expect(silent.headers.has('retry-after')).toBe(false);
		expect(silent.body.error.message).not.toMatch(/\d/);
	});

	test('a quota of the day', async () => {
		sandbox.setUnkind({ dailyQuota: 3 });
		expect(await statuses(5)).toEqual([200, 200, 200, 429, 429]);
		expect((await list('limit=1')).headers.get('retry-after')).toBe('86400');
	});

	test('a refused call is not billed', async () => {
		sandbox.setUnkind({ dailyQuota: 1 });
		for (let sent = 0; sent < 3; sent++) await send(sandbox, '/v2/enrich', { body: acme });
		expect(sandbox.calls.enrich).toEqual([acme]);
	});
});

describe('pages', () => {
	test('page in the body of a query does nothing', async () => {
		const body = { object_type: 'company', limit: 10, sort: 'standard:updated_at:asc' };
		const first = await send(sandbox, query, { body });
		sandbox.setUnkind({ pageInQueryIgnored: true });
		const third = await send(sandbox, query, { body: { ...body, page: 3 } });
		expect(third.body.data).toEqual(first.body.data);
		expect(third.body.meta.pagination).toEqual(first.body.meta.pagination);
		expect(third.body.meta.pagination.page).toBe(1);
		expect((await list('page=3&limit=10')).body.meta.pagination.page).toBe(3);
	});

	test.each(['updated_at', 'created_at'])('a silent cap, by cursor on %s', async (sort) => {
		const whole = await readAll(sandbox, companies, sort, 40);
		sandbox.setUnkind({ silentPageCap: 7 });
		expect(await readAll(sandbox, companies, sort, 25)).toEqual(whole);
		const { body } = await list(`sort=${sort}&limit=25`);
		expect(body.data.items).toHaveLength(7);
		expect(body.meta.pagination).toMatchObject({ page_size: 25, total: 40 });
		expect((await list(`sort=${sort}&limit=5`)).body.data.items).toHaveLength(5);
	});

	test.each([{ silentPageCap: 7 }, { extraRecords: 3 }])('%j by page number', async (settings) => {
		const whole = (await list('page=1&limit=40')).body.data.items;
		sandbox.setUnkind(settings);
		const records: unknown[] = [];
		for (let page = 1; page <= 6; page++) {
			const { body } = await list(`page=${page}&limit=10`);
			expect(body.meta.pagination).toEqual({ page, page_size: 10, total: 40 });
			records.push(...body.data.items);
		}
		expect(records).toEqual(whole);
	});

	test.each([400, 413, 422] as const)('a limit too large is refused with %i', async (status) => {
		sandbox.setUnkind({ refusePageSizeAbove: { size: 20, status } });
		expect((await list('limit=20')).status).toBe(200);
		expect((await list('limit=21')).status).toBe(status);
		const body = { object_type: 'company', limit: 21 };
		expect((await send(sandbox, query, { body })).status).toBe(status);
	});

	test('a limit too large is never answered', async () => {
		sandbox.setUnkind({ hangPageSizeAbove: 20 });
		expect((await list('limit=20')).status).toBe(200);
		const init = {
			headers: { authorization: `Bearer ${sandboxCredentials.v2Full}` },
			signal: AbortSignal.timeout(100),
		};
		const answer = fetch(`${sandbox.url}${companies}?limit=21`, init);
		await expect(answer).rejects.toMatchObject({ name: 'TimeoutError' });
	});

	test('more records than asked for, with the cursor behind them all', async () => {
		const whole = await readAll(sandbox, companies, 'updated_at', 40);
		sandbox.setUnkind({ extraRecords: 4 });
		expect((await list('sort=updated_at&limit=10')).body.data.items).toHaveLength(14);
		expect(await readAll(sandbox, companies, 'updated_at', 10)).toEqual(whole);
	});

	test('the latency grows with the records of a list, and of nothing else', async () => {
		sandbox.setUnkind({ latencyPerRecordMs: 5 });
		const elapsed = async (work: Promise<unknown>) => {
			const started = performance.now();
			await work;
			return performance.now() - started;
		};
		expect(await elapsed(list('limit=20'))).toBeGreaterThan(95);
		expect(await elapsed(list('limit=1'))).toBeLessThan(90);
		expect(await elapsed(send(sandbox, '/v2/enrich', { body: acme }))).toBeLessThan(90);
	});
});

describe('records', () => {
	test('numeric ids beyond 2^53 are sent with all digits', async () => {
		sandbox.setUnkind({ numericIds: true });
		const { text } = await list('limit=3');
		expect(text).toContain('{"id":9007199254740993,');
		expect(text).toContain('{"id":9007199254740994,');
		const records = await readAll(sandbox, companies, 'updated_at', 9);
		expect(new Set(records.map(({ id }) => id)).size).toBe(40);
		expect(records[0]?.id).toEqual(expect.any(BigInt));
	});

	test('numeric ids name records in the controls', async () => {
		const fresh = await startSandbox({ companies: 9, unkind: { numericIds: true } });
		fresh.update('company', ['9007199254740995']);
		const [added] = fresh.create('company', 1);
		expect(added).toBe('9007199254741002');
		const last = (await readAll(fresh, companies, 'updated_at', 4)).slice(-2);
		expect(last.map(({ id }) => String(id))).toEqual(['9007199254740995', added]);
		fresh.remove('company', [added as string]);
		expect(() => fresh.update('company', ['9007199254740992'])).toThrow('There is no company');
		await fresh.stop();
	});

	describe.each(['first', 'last'] as const)('without dates, %s', (place) => {
		const isUndated = (record: Record<string, unknown>) => !record.updated_at && !record.created_at;

		test.each(['updated_at', 'created_at'])('in the order of %s', async (sort) => {
			const dated = (await readAll(sandbox, companies, sort, 50)).filter(
				({ id }) => Number(String(id).slice(4)) % 3 !== 0,
			);
			sandbox.setUnkind({ undated: { every: 3, place } });
			const records = await readAll(sandbox, companies, sort, 6);
			expect(records).toHaveLength(40);
			const undated = place === 'first' ? records.slice(0, 13) : records.slice(-13);
			expect(undated.every(isUndated)).toBe(true);
			const ids = undated.map(({ id }) => String(id));
			expect(ids).toEqual([...ids].sort());
			expect(records.filter((record) => !isUndated(record))).toEqual(dated);
			expect(undated[0]).toHaveProperty('updated_at', null);
			expect(undated[1]).not.toHaveProperty('updated_at');
		});

		test('a record that is updated becomes dated, and what is created is dated', async () => {
			const fresh = await startSandbox({ companies: 6, unkind: { undated: { every: 2, place } } });
			fresh.update('company', ['cmp_000000002']);
			const created = fresh.create('company', 2);
			const records = await readAll(fresh, companies, 'updated_at', 3);
			await fresh.stop();
			expect(records).toHaveLength(8);
			const dated = records.filter((record) => !isUndated(record)).map(({ id }) => id);
			expect(dated.slice(-3)).toEqual(['cmp_000000002', ...created]);
			expect(records.filter(isUndated)).toHaveLength(2);
		});
	});

	test('the order by id has nothing to do with dates', async () => {
		const ids = (await list('page=1&limit=50')).body.data.items.map(({ id }) => id);
		sandbox.setUnkind({ undated: { every: 2, place: 'last' } });
		expect((await list('page=1&limit=50')).body.data.items.map(({ id }) => id)).toEqual(ids);
	});

	test('dates without a zone', async () => {
		const kind = (await list('limit=1')).body.data.items[0];
		sandbox.setUnkind({ zonelessDates: true });
		const zoneless = (await list('limit=1')).body.data.items[0];
		for (const field of ['created_at', 'updated_at']) {
			expect(zoneless?.[field]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
			expect(`${String(zoneless?.[field])}Z`).toBe(kind?.[field]);
		}
	});

	test('another workspace has the same types and other records', async () => {
		const { v2OtherWorkspace: credential } = sandboxCredentials;
		const whoami = '/v2/public/auth/whoami';
		const mine = await send(sandbox, whoami);
		const other = await send(sandbox, whoami, { credential });
		expect(other.body.data).toMatchObject({ permission_level: 'full' });
		expect(other.body.data.workspace).not.toEqual(mine.body.data.workspace);
		const otherIds = (await list('limit=50', credential)).body.data.items.map(({ id }) => id);
		const myIds = (await list('limit=50')).body.data.items.map(({ id }) => id);
		expect(new Set([...myIds, ...otherIds]).size).toBe(80);
		sandbox.otherWorkspace.update('company', [String(otherIds[0])]);
		expect(() => sandbox.update('company', [String(otherIds[0])])).toThrow('There is no company');
		const revisions = (records: Iterable<Record<string, unknown>>) =>
			[...records].map(({ revision }) => revision);
		expect(revisions(sandbox.otherWorkspace.records('company'))[0]).toBe(2);
	});
});

describe('answers', () => {
	const { v2Full, v2OtherWorkspace, v1AllScopes, workspaceCode } = sandboxCredentials;

	test('the key stands in every part but the data', async () => {
		sandbox.setUnkind({ echoSecrets: true });
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
		const enriched = await send(sandbox, '/v1/enrich', {
			body: acme,
			credential: v1AllScopes,
			headers: code,
		});
		expect(enriched.body.meta.ctx_id).toContain(workspaceCode);
		expect(enriched.body.meta.ctx_id).toContain(v1AllScopes);
	});

	test('the key stands in scripted answers too, and big integers keep their digits', async () => {
		sandbox.setUnkind({ echoSecrets: true, numericIds: true });
		sandbox.addFault({ transform: 'successFalse', path: companies });
		const failed = await list('limit=1&sort=updated_at');
		expect(failed.body.meta.pagination.next_cursor).toBe(v2Full);
		expect(failed.body.error.message).toContain(v2Full);
		expect(failed.text).toMatch(/"id":90071992547\d{5},/);
		sandbox.addFault({ status: 502, body: '<html>', contentType: 'text/html' });
		expect((await list('limit=1')).text).toBe(`<html>\n${v2Full}`);
		expect(JSON.stringify(sandbox.requests)).not.toContain(v2Full);
	});

	test('a redirect to another origin, for GET and POST, before anything is done', async () => {
		sandbox.setUnkind({ redirectTo: 'http://127.0.0.1:9' });
		for (const [path, method] of [
			[`${companies}?limit=2`, 'GET'],
			['/v2/enrich', 'POST'],
		] as const) {
			const answer = await fetch(sandbox.url + path, {
				method,
				headers: { authorization: `Bearer ${v2Full}` },
				body: method === 'POST' ? JSON.stringify(acme) : undefined,
				redirect: 'manual',
			});
			expect(answer.status).toBe(307);
			expect(answer.headers.get('location')).toBe(`http://127.0.0.1:9${path}`);
		}
		expect(sandbox.calls.enrich).toEqual([]);
	});

	test('prospect tells of more results than it gives', async () => {
		const kind = (await send(sandbox, '/v2/prospect/companies', { body: acme })).body;
		sandbox.setUnkind({ prospectTotal: 4000 });
		const { body } = await send(sandbox, '/v2/prospect/companies', { body: acme });
		expect(body.data).toEqual(kind.data);
		expect(body.meta.pagination).toEqual({
			page: 1,
			page_size: 5,
			total: 4000,
			next_cursor: expect.any(String),
		});
		sandbox.setUnkind({ prospectTotal: 2 });
		const few = (await send(sandbox, '/v2/prospect/companies', { body: acme })).body;
		expect(few.data.items).toEqual(kind.data.items.slice(0, 2));
		expect(few.meta.pagination).toEqual({ page: 1, page_size: 5, total: 2 });
	});
});
