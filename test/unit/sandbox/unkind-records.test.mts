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

	test('small numeric ids are in the order of their numbers', async () => {
		const fresh = await startSandbox({ companies: 12, unkind: { numericIds: 'small' } });
		const { text, body } = await send(fresh, `${companies}?page=1`);
		expect(text).toContain('{"id":1,');
		expect(body.data.items.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
		fresh.update('company', ['12', '9']);
		const newest = (await readAll(fresh, companies, 'updated_at', 9)).slice(-2);
		await fresh.stop();
		expect(newest.map(({ id }) => id)).toEqual([9, 12]);
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

	test.each([
		['s', (date: string) => Math.floor(Date.parse(date) / 1_000)],
		['ms', (date: string) => Date.parse(date)],
		['us', (date: string) => Date.parse(date) * 1_000],
		['ns', (date: string) => BigInt(Date.parse(date)) * 1_000_000n],
		['secondsText', (date: string) => date.replace(/\.\d{3}Z$/, 'Z')],
	] as const)('dates as %s', async (dates, sent) => {
		const kind = await readAll(service.sandbox, companies, 'updated_at', 40);
		service.sandbox.setUnkind({ dates });
		const found = await readAll(service.sandbox, companies, 'updated_at', 9);
		for (const field of ['created_at', 'updated_at']) {
			const expected = kind.map((record) => sent(String(record[field])));
			expect(found.map((record) => record[field])).toEqual(expected);
		}
	});

	test('a late change has an older date than the newest, which stands still', async () => {
		const fresh = await startSandbox({ companies: 9 });
		const [one = '', two = '', three = '', four = ''] = [...fresh.records('company')].map(
			({ id }) => String(id),
		);
		expect(() => fresh.update('company', [one], 1_000)).toThrow('has not gone on by 1000 ms');
		for (let seconds = 0; seconds < 10; seconds++) fresh.update('company', [one]);
		fresh.update('company', [two], 4_000);
		fresh.update('company', [three], 0);
		fresh.update('company', [four]);
		const newest = (await readAll(fresh, companies, 'updated_at', 4)).slice(-4);
		await fresh.stop();
		expect(newest.map(({ id }) => id)).toEqual([two, one, three, four]);
		const times = newest.map(({ updated_at: date }) => Date.parse(String(date)));
		const last = times.at(-1) as number;
		expect(times.map((time) => last - time)).toEqual([5_000, 1_000, 1_000, 0]);
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
