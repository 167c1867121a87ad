import { describe, expect, test } from 'vitest';
import { sandboxCredentials, startSandbox } from '../../sandbox/server.mts';
import { readAll, send } from '../../sandbox/test-client.mts';
import { companies, useUnkindService } from './unkind-service.mts';

const service = useUnkindService();
const { list } = service;

describe('records', () => {
	test('numeric ids beyond 2^53 are sent with all digits', async () => {
		service.sandbox.setUnkind({ numericIds: true });
		const { text } = await list('limit=3');
		expect(text).toContain('{"id":9007199254740993,');
		expect(text).toContain('{"id":9007199254740994,');
		const records = await readAll(service.sandbox, companies, 'updated_at', 9);
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
			const dated = (await readAll(service.sandbox, companies, sort, 50)).filter(
				({ id }) => Number(String(id).slice(4)) % 3 !== 0,
			);
			service.sandbox.setUnkind({ undated: { every: 3, place } });
			const records = await readAll(service.sandbox, companies, sort, 6);
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
		service.sandbox.setUnkind({ undated: { every: 2, place: 'last' } });
		expect((await list('page=1&limit=50')).body.data.items.map(({ id }) => id)).toEqual(ids);
	});

	test('dates without a zone', async () => {
		const kind = (await list('limit=1')).body.data.items[0];
		service.sandbox.setUnkind({ zonelessDates: true });
		const zoneless = (await list('limit=1')).body.data.items[0];
		for (const field of ['created_at', 'updated_at']) {
			expect(zoneless?.[field]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
			expect(`${String(zoneless?.[field])}Z`).toBe(kind?.[field]);
		}
	});

	test('another workspace has the same types and other records', async () => {
		const { v2OtherWorkspace: credential } = sandboxCredentials;
		const whoami = '/v2/public/auth/whoami';
		const mine = await send(service.sandbox, whoami);
		const other = await send(service.sandbox, whoami, { credential });
		expect(other.body.data).toMatchObject({ permission_level: 'full' });
		expect(other.body.data.workspace).not.toEqual(mine.body.data.workspace);
		const otherIds = (await list('limit=50', credential)).body.data.items.map(({ id }) => id);
		const myIds = (await list('limit=50')).body.data.items.map(({ id }) => id);
		expect(new Set([...myIds, ...otherIds]).size).toBe(80);
		service.sandbox.otherWorkspace.update('company', [String(otherIds[0])]);
		expect(() => service.sandbox.update('company', [String(otherIds[0])])).toThrow(
			'There is no company',
		);
		const revisions = (records: Iterable<Record<string, unknown>>) =>
			[...records].map(({ revision }) => revision);
		expect(revisions(service.sandbox.otherWorkspace.records('company'))[0]).toBe(2);
	});
});
