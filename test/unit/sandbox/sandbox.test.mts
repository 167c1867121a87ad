import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serializeRecord, startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { readAll, send } from '../../sandbox/test-client.mts';

const companies = '/v2/public/companies';
const query = '/v2/public/records/query';
let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ companies: 403, orders: 25, items: 15, deals: 10 });
});
afterAll(() => sandbox.stop());

function inOrder(records: Record<string, unknown>[], field: string): boolean {
	const keys = records.map((record) => `${String(record[field])} ${String(record.id)}`);
	return keys.every((key, place) => place === 0 || (keys[place - 1] as string) < key);
}

describe('paging', () => {
	test.each([
		['/v2/public/items', 'item', 1],
		[companies, 'company', 100],
		[companies, 'company', 1000],
	] as const)('%s by cursor gives every %s once, %i at a time', async (path, type, limit) => {
		for (const sort of ['updated_at', 'created_at']) {
			const records = await readAll(sandbox, path, sort, limit);
			expect(inOrder(records, sort)).toBe(true);
			const byId = new Map(records.map((record) => [record.id, serializeRecord(record)]));
			expect(byId.size).toBe(records.length);
			const expected = [...sandbox.records(type)];
			expect([...byId.values()].sort()).toEqual(expected.map(serializeRecord).sort());
		}
	});

	test('many records share a time, and the two orders differ', async () => {
		const updated = await readAll(sandbox, companies, 'updated_at', 500);
		const created = await readAll(sandbox, companies, 'created_at', 500);
		expect(new Set(updated.map((record) => record.updated_at)).size).toBe(Math.ceil(403 / 7));
		expect(updated.map(({ id }) => id)).not.toEqual(created.map(({ id }) => id));
	});

	test.each([0, 1, 2, 6, 7, 8, 13])('a table of %i records is read whole', async (count) => {
		const small = await startSandbox({ companies: count, seed: 5 });
		const records = await readAll(small, companies, 'updated_at', 3);
		await small.stop();
		expect(new Set(records.map(({ id }) => id)).size).toBe(count);
		expect(records).toHaveLength(count);
		expect(inOrder(records, 'updated_at')).toBe(true);
	});
});

describe('strict rules', () => {
	test.each([
		['page=0', 'page must be'],
		['page=1.5', 'page must be'],
		['limit=0', 'limit must be'],
		['limit=-5', 'limit must be'],
		['limit=ten', 'limit must be'],
		['limit=', 'limit must be'],
		['limit=5&limit=6', 'limit must be'],
		['sort=nonsense', 'Cannot sort by'],
		['sort=address&page=1', 'Cannot sort by'],
		['sort=-name&page=1', 'Cannot sort by'],
		['colour=red', 'Unknown query parameter'],
		['cursor=abc', 'cursor is damaged'],
		['cursor=', 'cursor must be'],
	])('%s is refused', async (parameters, message) => {
		const answer = await send(sandbox, `${companies}?${parameters}`);
		expect(answer.status).toBe(400);
		expect(answer.body).toEqual({
			success: false,
			error: { code: 'invalid_request', message: expect.stringContaining(message) },
			meta: { ctx_id: expect.stringMatching(/^ctx_/) },
		});
	});

	test('a cursor is refused with page, another sort, another object type, or any letter changed', async () => {
		const first = await send(sandbox, `${companies}?sort=updated_at&limit=10`);
		const cursor = first.body.meta.pagination.next_cursor as string;
		const half = Math.floor(cursor.length / 2);
		const damaged =
			cursor.slice(0, half) + (cursor[half] === 'A' ? 'B' : 'A') + cursor.slice(half + 1);
		for (const parameters of [
			`cursor=${cursor}&page=2`,
			`cursor=${cursor}&sort=created_at`,
			`cursor=${damaged}`,
			`cursor=${cursor}!`,
			`cursor=${cursor.slice(0, -2)}`,
		]) {
			expect((await send(sandbox, `${companies}?${parameters}`)).status).toBe(400);
		}
		expect((await send(sandbox, `/v2/public/orders?cursor=${cursor}`)).status).toBe(400);
		expect((await send(sandbox, query, { body: { object_type: 'deal', cursor } })).status).toBe(
			400,
		);
	});

	test.each([
		['{}', 400],
		['{"object_type":""}', 400],
		['{"object_type":"widget"}', 404],
		['{"object_type":"company","colour":"red"}', 400],
		['{"object_type":"company","limit":"50"}', 400],
		['{"object_type":"company","limit":0}', 400],
		['{"object_type":"company","sort":"updated_at"}', 400],
		['{"object_type":"company","sort":"standard:updated_at:desc"}', 400],
		['{"object_type":"company","sort":"standard:name:asc"}', 400],
		['{"object_type":"company","sort":"custom:updated_at:asc"}', 400],
		['{"object_type":"company","cursor":null}', 400],
		['["company"]', 400],
		['null', 400],
		['{"object_type":', 400],
		['', 400],
	])('records query with the body %s answers %i', async (body, status) => {
		const answer = await send(sandbox, query, { method: 'POST', body });
		expect(answer.status).toBe(status);
		expect(answer.body.error.message).not.toBe('');
	});

	test.each([
		['GET', '/v2/public/widgets', 404],
		['GET', '/v2/public/deals', 404],
		['GET', '//v2/public/companies', 404],
		['GET', `${companies}/`, 404],
		['POST', companies, 405],
		['HEAD', companies, 405],
		['GET', query, 405],
		['PUT', '/v2/enrich', 405],
		['DELETE', '/v2/prospect/companies', 405],
	])('%s %s answers %i', async (method, path, status) => {
		expect((await send(sandbox, path, { method })).status).toBe(status);
	});

	test('every answer has its own ctx_id', async () => {
		const answers = await Promise.all(Array.from({ length: 20 }, () => send(sandbox, companies)));
		expect(new Set(answers.map(({ body }) => body.meta.ctx_id)).size).toBe(20);
	});
});

describe('records', () => {
	test('the same seed gives the same records, another seed others', async () => {
		const [same, other] = await Promise.all([
			startSandbox({ companies: 403, orders: 25, items: 15, deals: 10 }),
			startSandbox({ companies: 403, orders: 25, items: 15, deals: 10, seed: 2 }),
		]);
		const text = (from: Sandbox) => [...from.records('company')].map(serializeRecord).join();
		expect(text(same)).toBe(text(sandbox));
		expect(text(other)).not.toBe(text(sandbox));
		await Promise.all([same.stop(), other.stop()]);
	});

	test('they hold what breaks careless exports', () => {
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
});
