// A setting without effect would test nothing, and no test of the node would notice.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sandboxCredentials, startSandbox, type Sandbox } from '../../sandbox/server.mts';
import type { Unkindness } from '../../sandbox/types.mts';
import { readAll, send, type ClientAnswer } from '../../sandbox/test-client.mts';

const { v2Full, v2Regular } = sandboxCredentials;
const companies = '/v2/public/companies';
const query = '/v2/public/records/query';
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

const list = async (parameters: string, credential = v2Full): Promise<ClientAnswer> =>
	await send(sandbox, `${companies}?${parameters}`, { credential });
const itemsOf = ({ body }: ClientAnswer) => body.data.items;
const idsOf = (answer: ClientAnswer) => itemsOf(answer).map(({ id }) => String(id));
const cursorOf = ({ body }: ClientAnswer) => body.meta.pagination.next_cursor;

describe('what one page shows', () => {
	/** Status, records, whether more follow, page_size and total of an answer. */
	test.each<[Unkindness, string, unknown[]]>([
		[{}, 'sort=updated_at&limit=25', [200, 25, true, 25, 40]],
		[{ silentPageCap: 7 }, 'sort=updated_at&limit=25', [200, 7, true, 25, 40]],
		[{ silentPageCap: 7 }, 'page=6&limit=10', [200, 5, false, 10, 40]],
		[{ fixedPageSize: 7 }, 'sort=updated_at&limit=3', [200, 7, true, 3, 40]],
		[{ extraRecords: 4 }, 'sort=updated_at&limit=10', [200, 14, true, 10, 40]],
		[{ trailingCursor: true }, 'sort=updated_at&limit=40', [200, 40, true, 40, 40]],
		[{ rowCap: 7 }, 'sort=updated_at&limit=6', [200, 6, true, 6, 40]],
		[{ rowCap: 7 }, 'sort=updated_at&limit=7', [200, 7, false, 7, 40]],
		[{ rowCap: 7 }, 'page=2&limit=10', [200, 7, false, 10, 40]],
		[{ nothingAbove: 20 }, 'sort=updated_at&limit=21', [200, 0, false, 21, 40]],
		[{ total: 'absent' }, 'sort=updated_at&limit=7', [200, 7, true, 7, undefined]],
		[{ total: { factor: 0.61 } }, 'page=2&limit=7', [200, 7, false, 7, 24]],
		[{ totalInPages: 5 }, 'page=1&limit=7', [200, 7, false, 7, 5]],
		[{ emptyPages: { count: 3, at: 0 } }, 'sort=updated_at&limit=7', [200, 0, true, 7, 40]],
	])('%j, %s', async (settings, parameters, expected) => {
		sandbox.setUnkind(settings);
		const answer = await list(parameters);
		const { page_size: size, total } = answer.body.meta.pagination;
		expect([
			...[answer.status, itemsOf(answer).length, cursorOf(answer) !== undefined],
			...[size, total],
		]).toEqual(expected);
	});

	test('page in the body of a query does nothing', async () => {
		sandbox.setUnkind({ pageInQueryIgnored: true });
		const body = { object_type: 'company', page: 3 };
		expect((await send(sandbox, query, { body })).body.meta.pagination.page).toBe(1);
	});
});

describe.each(['updated_at', 'created_at'])('the whole list by %s', (sort) => {
	test.each<Unkindness>([
		{ silentPageCap: 7 },
		{ extraRecords: 4 },
		{ fixedPageSize: 12 },
		{ trailingCursor: true },
		{ rowCap: 10 },
		{ cursorsArePositions: true },
		{ cursorsCountPages: true, emptyPages: { count: 3, at: 20 } },
		{ emptyPages: { count: 3, at: 39 } },
	])('is led through with %j', async (settings) => {
		const whole = await readAll(sandbox, companies, sort, 40);
		sandbox.setUnkind(settings);
		expect(await readAll(sandbox, companies, sort, 9)).toEqual(whole);
	});

	test('has the records of one date in an order that does not show when they came', async () => {
		const created = sandbox.create('company', 3);
		sandbox.setUnkind({ shuffledTies: true });
		const records = await readAll(sandbox, companies, sort, 2);
		sandbox.remove('company', created);
		const tied = records.slice(-3).map(({ id }) => String(id));
		expect(tied.toSorted()).toEqual(created);
		expect(tied).not.toEqual(created);
	});

	test('comes newest first, also after a record that is gone', async () => {
		const newest = (await readAll(sandbox, companies, sort, 40)).toReversed();
		sandbox.setUnkind({ descending: true, cursorsCountPages: true });
		expect(await readAll(sandbox, companies, sort, 9)).toEqual(newest);
		sandbox.setUnkind({ descending: true });
		expect(itemsOf(await list(`sort=${sort}&page=5&limit=9`))).toEqual(newest.slice(36));
		const cursor = cursorOf(await list(`sort=${sort}&limit=3`));
		const gone = newest.slice(1, 3).map(({ id }) => String(id));
		sandbox.remove('company', gone);
		const next = await list(`cursor=${cursor}&limit=2`);
		sandbox.restore('company', gone);
		expect(itemsOf(next)).toEqual(newest.slice(3, 5));
	});

	test.each(['first', 'last'] as const)('has records without dates, %s', async (place) => {
		const dated = (await readAll(sandbox, companies, sort, 50)).filter(
			({ id }) => Number(String(id).slice(4)) % 3 !== 0,
		);
		sandbox.setUnkind({ undated: { every: 3, place } });
		const records = await readAll(sandbox, companies, sort, 6);
		const undated = place === 'first' ? records.splice(0, 13) : records.splice(-13);
		expect(records).toEqual(dated);
		expect(undated[0]).toMatchObject({ updated_at: null, created_at: null });
		expect(undated[1]).not.toHaveProperty('updated_at');
		expect(undated.every((record) => !record.updated_at && !record.created_at)).toBe(true);
	});
});

describe('cursors', () => {
	test('that are positions or count pages lead elsewhere once records have moved', async () => {
		const ids = idsOf(await list('sort=updated_at&limit=40'));
		sandbox.setUnkind({ cursorsArePositions: true });
		const position = cursorOf(await list('sort=updated_at&limit=10'));
		sandbox.setUnkind({});
		const key = cursorOf(await list('sort=updated_at&limit=10'));
		sandbox.update('company', ids.slice(0, 5));
		expect(idsOf(await list(`cursor=${key}&limit=4`))).toEqual(ids.slice(10, 14));
		sandbox.setUnkind({ cursorsArePositions: true });
		expect(idsOf(await list(`cursor=${position}&limit=4`))).toEqual(ids.slice(15, 19));
		sandbox.setUnkind({ cursorsCountPages: true });
		expect(idsOf(await list(`cursor=${key}&limit=4`))).toEqual(ids.slice(9, 13));
	});

	test.each([400, 500] as const)('die, answered by %i', async (status) => {
		sandbox.setUnkind({ deadCursorStatus: status });
		const statusOf = async (cursor?: string) => (await list(`cursor=${cursor}&limit=5`)).status;
		const dead = cursorOf(await list('sort=updated_at&limit=5'));
		expect(await statusOf(dead)).toBe(200);
		sandbox.expireCursors();
		expect(await statusOf(dead)).toBe(status);
		const alive = cursorOf(await list('sort=updated_at&limit=5'));
		expect([alive === dead, await statusOf(alive)]).toEqual([false, 200]);
	});

	test('are bound to a key', async () => {
		sandbox.setUnkind({ cursorsBoundToKey: true, deadCursorStatus: 403 });
		const ofKey = cursorOf(await list('sort=updated_at&limit=5'));
		expect((await list(`cursor=${ofKey}&limit=5`, v2Regular)).status).toBe(403);
		expect((await list(`cursor=${ofKey}&limit=5`)).status).toBe(200);
	});
});

describe('records', () => {
	test('have numeric ids, which name them in the controls', async () => {
		const fresh = await startSandbox({ companies: 9, unkind: { numericIds: true } });
		expect((await send(fresh, companies)).text).toContain('{"id":9007199254740993,');
		fresh.update('company', ['9007199254740995']);
		const [added] = fresh.create('company', 1);
		const last = (await readAll(fresh, companies, 'updated_at', 4)).slice(-2);
		expect(last.map(({ id }) => String(id))).toEqual(['9007199254740995', added]);
		fresh.setUnkind({ numericIds: 'small' });
		expect((await send(fresh, `${companies}?limit=3`)).body.data.items[2]?.id).toBe(3);
		fresh.setUnkind({ numericIds: 'mixed' });
		fresh.create('company', 130);
		const mixed = (await readAll(fresh, companies, 'created_at', 50)).map(({ id }) => Number(id));
		expect(mixed).not.toEqual(mixed.toSorted((one, other) => one - other));
		await fresh.stop();
	});

	test.each<[Unkindness, (date: string) => unknown]>([
		[{ dates: 's' }, (date) => Math.floor(Date.parse(date) / 1_000)],
		[{ dates: 'ms' }, (date) => Date.parse(date)],
		[{ dates: 'us' }, (date) => Date.parse(date) * 1_000],
		[{ dates: 'ns' }, (date) => BigInt(Date.parse(date)) * 1_000_000n],
		[{ dates: 'secondsText' }, (date) => date.replace(/\.\d{3}Z$/, 'Z')],
		[{ dates: 'withoutZone' }, (date) => date.slice(0, -1)],
	])('have dates as %j', async (settings, sent) => {
		const datesOf = (records: Array<Record<string, unknown>>) =>
			records.flatMap((record) => [record.created_at, record.updated_at]);
		const kind = datesOf(await readAll(sandbox, companies, 'updated_at', 40));
		sandbox.setUnkind(settings);
		const found = datesOf(await readAll(sandbox, companies, 'updated_at', 9));
		expect(found).toEqual(kind.map((date) => sent(String(date))));
	});
});

describe('answers', () => {
	test('repeat the key everywhere but in the data and in the log', async () => {
		sandbox.setUnkind({ echoSecrets: true });
		const { body } = await list('limit=2');
		expect(body).toMatchObject({ request: { authorization: `Bearer ${v2Full}` } });
		expect(body.meta.ctx_id).toContain(v2Full);
		expect(JSON.stringify([body.data, sandbox.requests])).not.toContain(v2Full);
		const wrong = await list('limit=0');
		expect(wrong.body.error.message).toContain(v2Full);
		expect(cursorOf(wrong)).toBe(v2Full);
		sandbox.addFault({ status: 502, body: '<html>', contentType: 'text/html' });
		expect((await list('limit=1')).text).toBe(`<html>\n${v2Full}`);
	});
});
