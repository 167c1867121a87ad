import { describe, expect, test } from 'vitest';
import { sandboxCredentials } from '../../sandbox/server.mts';
import { readAll, send } from '../../sandbox/test-client.mts';
import { acme, companies, useUnkindService } from './unkind-service.mts';

const query = '/v2/public/records/query';
const service = useUnkindService();
const { list } = service;

describe('pages', () => {
	test('page in the body of a query does nothing', async () => {
		const body = { object_type: 'company', limit: 10, sort: 'standard:updated_at:asc' };
		const first = await send(service.sandbox, query, { body });
		service.sandbox.setUnkind({ pageInQueryIgnored: true });
		const third = await send(service.sandbox, query, { body: { ...body, page: 3 } });
		expect(third.body.data).toEqual(first.body.data);
		expect(third.body.meta.pagination).toEqual(first.body.meta.pagination);
		expect(third.body.meta.pagination.page).toBe(1);
		expect((await list('page=3&limit=10')).body.meta.pagination.page).toBe(3);
	});

	test.each(['updated_at', 'created_at'])('a silent cap, by cursor on %s', async (sort) => {
		const whole = await readAll(service.sandbox, companies, sort, 40);
		service.sandbox.setUnkind({ silentPageCap: 7 });
		expect(await readAll(service.sandbox, companies, sort, 25)).toEqual(whole);
		const { body } = await list(`sort=${sort}&limit=25`);
		expect(body.data.items).toHaveLength(7);
		expect(body.meta.pagination).toMatchObject({ page_size: 25, total: 40 });
		expect((await list(`sort=${sort}&limit=5`)).body.data.items).toHaveLength(5);
	});

	test.each([{ silentPageCap: 7 }, { extraRecords: 3 }])('%j by page number', async (settings) => {
		const whole = (await list('page=1&limit=40')).body.data.items;
		service.sandbox.setUnkind(settings);
		const records: unknown[] = [];
		for (let page = 1; page <= 6; page++) {
			const { body } = await list(`page=${page}&limit=10`);
			expect(body.meta.pagination).toEqual({ page, page_size: 10, total: 40 });
			records.push(...body.data.items);
		}
		expect(records).toEqual(whole);
	});

	test.each([400, 413, 422] as const)('a limit too large is refused with %i', async (status) => {
		service.sandbox.setUnkind({ refusePageSizeAbove: { size: 20, status } });
		expect((await list('limit=20')).status).toBe(200);
		expect((await list('limit=21')).status).toBe(status);
		const body = { object_type: 'company', limit: 21 };
		expect((await send(service.sandbox, query, { body })).status).toBe(status);
	});

	test('a limit too large is never answered', async () => {
		service.sandbox.setUnkind({ hangPageSizeAbove: 20 });
		expect((await list('limit=20')).status).toBe(200);
		const init = {
			headers: { authorization: `Bearer ${sandboxCredentials.v2Full}` },
			signal: AbortSignal.timeout(100),
		};
		const answer = fetch(`${service.sandbox.url}${companies}?limit=21`, init);
		await expect(answer).rejects.toMatchObject({ name: 'TimeoutError' });
	});

	test('more records than asked for, with the cursor behind them all', async () => {
		const whole = await readAll(service.sandbox, companies, 'updated_at', 40);
		service.sandbox.setUnkind({ extraRecords: 4 });
		expect((await list('sort=updated_at&limit=10')).body.data.items).toHaveLength(14);
		expect(await readAll(service.sandbox, companies, 'updated_at', 10)).toEqual(whole);
	});

	test('answers come in parts, and are whole', async () => {
		const withoutContext = (text: string) => text.replace(/"ctx_id":"[^"]*"/, '');
		const whole = await list('limit=20');
		service.sandbox.setUnkind({ bytesPerPart: 97 });
		const inParts = await list('limit=20');
		expect(withoutContext(inParts.text)).toBe(withoutContext(whole.text));
		expect(whole.headers.get('content-length')).not.toBeNull();
		expect(inParts.headers.get('content-length')).toBeNull();
	});

	test('the latency grows with the records of a list, and of nothing else', async () => {
		service.sandbox.setUnkind({ latencyPerRecordMs: 50 });
		const elapsed = async (work: Promise<unknown>) => {
			const started = performance.now();
			await work;
			return performance.now() - started;
		};
		// So far apart that a machine which stands still for a moment does not matter.
		expect(await elapsed(list('limit=20'))).toBeGreaterThan(990);
		expect(await elapsed(list('limit=1'))).toBeLessThan(900);
		expect(await elapsed(send(service.sandbox, '/v2/enrich', { body: acme }))).toBeLessThan(900);
	});
});
