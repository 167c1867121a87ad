import { describe, expect, test } from 'vitest';
import { sandboxCredentials, type Unkindness } from '../../sandbox/server.mts';
import { readAll, send, type ClientAnswer } from '../../sandbox/test-client.mts';
import { companies, useUnkindService } from './unkind-service.mts';

const service = useUnkindService();
const { list } = service;

const cursorOf = ({ body }: ClientAnswer) => String(body.meta.pagination.next_cursor);
const idsOf = ({ body }: ClientAnswer) => body.data.items.map(({ id }) => String(id));

describe('cursors that are positions', () => {
	const settings: Unkindness = { cursorsArePositions: true };

	test('lead through a list that nobody changes, by any limit', async () => {
		const whole = await readAll(service.sandbox, companies, 'updated_at', 40);
		service.sandbox.setUnkind(settings);
		expect(await readAll(service.sandbox, companies, 'updated_at', 7)).toEqual(whole);
		const first = await list('sort=updated_at&limit=7');
		const rest = await list(`cursor=${cursorOf(first)}&limit=40`);
		expect(rest.body.data.items).toEqual(whole.slice(7));
	});

	test('lead elsewhere once records before them have moved or gone', async () => {
		const ids = idsOf(await list('sort=updated_at&limit=40'));
		service.sandbox.setUnkind(settings);
		const cursor = cursorOf(await list('sort=updated_at&limit=10'));
		service.sandbox.update('company', ids.slice(0, 3));
		service.sandbox.remove('company', ids.slice(3, 5));
		expect(idsOf(await list(`cursor=${cursor}&limit=4`))).toEqual(ids.slice(15, 19));
		service.sandbox.setUnkind({});
		const key = cursorOf(await list('sort=updated_at&limit=10'));
		service.sandbox.update('company', ids.slice(5, 8));
		expect(idsOf(await list(`cursor=${key}&limit=4`))).toEqual(ids.slice(15, 19));
		service.sandbox.restore('company', ids.slice(3, 5));
	});
});

describe('cursors that die', () => {
	test.each([400, 401, 403, 410, 500] as const)('on command, answered by %i', async (status) => {
		service.sandbox.setUnkind({ deadCursorStatus: status });
		const dead = cursorOf(await list('sort=updated_at&limit=5'));
		expect((await list(`cursor=${dead}&limit=5`)).status).toBe(200);
		const answer = await send(service.sandbox, '/sandbox/expire-cursors', {
			credential: null,
			method: 'POST',
		});
		expect(answer.status).toBe(200);
		const refused = await list(`cursor=${dead}&limit=5`);
		expect([refused.status, refused.body.error.code]).toEqual([status, 'cursor_refused']);
		const alive = cursorOf(await list('sort=updated_at&limit=5'));
		expect(alive).not.toBe(dead);
		expect((await list(`cursor=${alive}&limit=5`)).status).toBe(200);
	});

	test('after some time', async () => {
		service.sandbox.setUnkind({ cursorLifeMs: 40 });
		const cursor = cursorOf(await list('sort=updated_at&limit=5'));
		await new Promise((resolve) => setTimeout(resolve, 60));
		expect((await list(`cursor=${cursor}&limit=5`)).status).toBe(400);
		service.sandbox.setUnkind({ cursorLifeMs: 60_000 });
		const longer = cursorOf(await list('sort=updated_at&limit=5'));
		expect((await list(`cursor=${longer}&limit=5`)).status).toBe(200);
	});

	test('with another key of the same workspace', async () => {
		service.sandbox.setUnkind({ cursorsBoundToKey: true, deadCursorStatus: 403 });
		const cursor = cursorOf(await list('sort=updated_at&limit=5'));
		const { v2Regular } = sandboxCredentials;
		expect((await list(`cursor=${cursor}&limit=5`, v2Regular)).status).toBe(403);
		expect((await list('sort=updated_at&limit=5', v2Regular)).status).toBe(200);
		expect((await list(`cursor=${cursor}&limit=5`)).status).toBe(200);
		service.sandbox.setUnkind({});
		expect((await list(`cursor=${cursor}&limit=5`, v2Regular)).status).toBe(200);
	});

	test('the same place has the same cursor where nothing of this is set', async () => {
		const cursors = [await list('sort=updated_at&limit=5'), await list('sort=updated_at&limit=5')];
		expect(cursorOf(cursors[0] as ClientAnswer)).toBe(cursorOf(cursors[1] as ClientAnswer));
	});
});

test('a limit that does nothing', async () => {
	const whole = await readAll(service.sandbox, companies, 'updated_at', 40);
	service.sandbox.setUnkind({ pageSizeAlways: 15 });
	for (const limit of [1, 15, 100]) {
		const { body } = await list(`sort=updated_at&limit=${limit}`);
		expect(body.data.items).toEqual(whole.slice(0, 15));
		expect(body.meta.pagination).toMatchObject({ page_size: 15, total: 40 });
	}
	expect(await readAll(service.sandbox, companies, 'updated_at', 3)).toEqual(whole);
});
