import { describe, expect, test } from 'vitest';
import { readAll, send, type ClientAnswer } from '../../sandbox/test-client.mts';
import { companies, useUnkindService } from './unkind-service.mts';

const service = useUnkindService();
const { list } = service;

const lengthOf = ({ body }: ClientAnswer) => body.data.items.length;
const cursorOf = ({ body }: ClientAnswer) => body.meta.pagination.next_cursor;
const totalOf = ({ body }: ClientAnswer) => body.meta.pagination.total;

describe('where a list seems to end', () => {
	test.each([
		[6, 6, true],
		[7, 7, false],
		[25, 7, false],
	])('a cap of 7 rows, limit %i: %i records, more follow: %s', async (limit, length, more) => {
		service.sandbox.setUnkind({ rowCap: 7 });
		const answer = await list(`sort=updated_at&limit=${limit}`);
		expect([lengthOf(answer), cursorOf(answer) !== undefined]).toEqual([length, more]);
		expect(answer.body.meta.pagination).toMatchObject({ page_size: limit, total: 40 });
	});

	test('pages below the cap of rows are whole, and the last one may be reached', async () => {
		const whole = await readAll(service.sandbox, companies, 'updated_at', 40);
		service.sandbox.setUnkind({ rowCap: 7 });
		expect(await readAll(service.sandbox, companies, 'updated_at', 6)).toEqual(whole);
		expect(await readAll(service.sandbox, companies, 'updated_at', 7)).toEqual(whole.slice(0, 7));
	});

	test('by number, what the database does not give of a page is missing', async () => {
		const whole = (await list('page=1&limit=40')).body.data.items;
		service.sandbox.setUnkind({ rowCap: 7 });
		const second = await list('page=2&limit=10');
		expect(second.body.data.items).toEqual(whole.slice(10, 17));
		expect(second.body.meta.pagination).toEqual({ page: 2, page_size: 10, total: 40 });
	});

	test.each(['sort=updated_at', 'page=1'])('nothing above a limit, %s', async (mode) => {
		service.sandbox.setUnkind({ nothingAbove: 20 });
		expect(lengthOf(await list(`${mode}&limit=20`))).toBe(20);
		const empty = await list(`${mode}&limit=21`);
		expect(empty.status).toBe(200);
		expect([lengthOf(empty), cursorOf(empty), totalOf(empty)]).toEqual([0, undefined, 40]);
	});

	test.each(['sort=updated_at', 'page=2'])(
		'the total is absent, or an estimate, %s',
		async (mode) => {
			const total = async () => (await list(`${mode}&limit=7`)).body.meta.pagination;
			service.sandbox.setUnkind({ total: 'absent' });
			expect(await total()).not.toHaveProperty('total');
			service.sandbox.setUnkind({ total: { factor: 0.61 } });
			expect(await total()).toMatchObject({ total: 24 });
			service.sandbox.setUnkind({ total: { factor: 1.1 } });
			expect(await total()).toMatchObject({ total: 44 });
		},
	);

	test('another total, in pages only', async () => {
		service.sandbox.setUnkind({ totalInPages: 5 });
		expect(totalOf(await list('page=1&limit=7'))).toBe(5);
		expect(totalOf(await list('sort=updated_at&limit=7'))).toBe(40);
	});
});

describe('empty pages', () => {
	/** The number of records of each page by cursor, and every cursor that was given. */
	async function pages(limit: number): Promise<{ lengths: number[]; cursors: string[] }> {
		const lengths: number[] = [];
		const cursors: string[] = [];
		for (let query = 'sort=updated_at'; ; query = `cursor=${cursors.at(-1)}`) {
			const answer = await list(`${query}&limit=${limit}`);
			lengths.push(lengthOf(answer));
			const cursor = cursorOf(answer);
			if (cursor === undefined) return { lengths, cursors };
			cursors.push(cursor);
		}
	}

	test.each([{}, { cursorsCountPages: true }])('come where they should, with %o', async (more) => {
		for (const [at, lengths] of [
			[0, [0, 0, 0, 15, 15, 10]],
			[20, [15, 0, 0, 0, 15, 10]],
			[39, [15, 15, 0, 0, 0, 10]],
			[40, [15, 15, 10]],
		] as const) {
			service.sandbox.setUnkind({ ...more, emptyPages: { count: 3, at } });
			const found = await pages(15);
			expect(found.lengths).toEqual(lengths);
			expect(new Set(found.cursors).size).toBe(lengths.length - 1);
		}
	});

	test('change nothing of the records', async () => {
		const whole = await readAll(service.sandbox, companies, 'created_at', 40);
		service.sandbox.setUnkind({ emptyPages: { count: 3, at: 8 } });
		expect(await readAll(service.sandbox, companies, 'created_at', 7)).toEqual(whole);
	});
});

describe('other ways', () => {
	test.each(['updated_at', 'created_at'])('newest first by %s', async (sort) => {
		const newest = (await readAll(service.sandbox, companies, sort, 40)).toReversed();
		for (const more of [{}, { cursorsCountPages: true }, { silentPageCap: 4 }]) {
			service.sandbox.setUnkind({ descending: true, ...more });
			expect(await readAll(service.sandbox, companies, sort, 9)).toEqual(newest);
		}
		service.sandbox.setUnkind({ descending: true });
		const last = await list(`sort=${sort}&page=5&limit=9`);
		expect(last.body.data.items).toEqual(newest.slice(36));
	});

	test('newest first continues after a record that is gone', async () => {
		const newest = (await readAll(service.sandbox, companies, 'updated_at', 40)).toReversed();
		service.sandbox.setUnkind({ descending: true });
		const cursor = cursorOf(await list('sort=updated_at&limit=3'));
		const gone = newest.slice(1, 3).map(({ id }) => String(id));
		service.sandbox.remove('company', gone);
		const next = await list(`cursor=${cursor}&limit=2`);
		service.sandbox.restore('company', gone);
		expect(next.body.data.items).toEqual(newest.slice(3, 5));
	});

	test('a cursor is refused with another limit', async () => {
		service.sandbox.setUnkind({ cursorsBoundToLimit: true });
		const cursor = cursorOf(await list('sort=updated_at&limit=9'));
		const refused = await list(`cursor=${cursor}&limit=8`);
		expect(refused.status).toBe(400);
		expect(refused.body.error.message).toBe('The cursor is for a limit of 9, not of 8.');
		expect(lengthOf(await list(`cursor=${cursor}&limit=9`))).toBe(9);
		const body = { object_type: 'company', cursor };
		expect((await send(service.sandbox, '/v2/public/records/query', { body })).status).toBe(400);
	});

	test.each([false, true])(
		'a field that no answer repeats, numeric ids: %s',
		async (numericIds) => {
			service.sandbox.setUnkind({ numericIds });
			const kind = (await list('limit=2')).body.data.items;
			service.sandbox.setUnkind({ numericIds, changingField: true });
			const answers = [await list('limit=2'), await list('limit=2')];
			const logos = answers.map(({ body }) => body.data.items.map(({ logo_url: logo }) => logo));
			expect(logos[0]?.[0]).toMatch(/^https:\/\/logos\.example\/logo\.png\?signature=ctx_/);
			expect(logos[1]?.[0]).not.toBe(logos[0]?.[0]);
			for (const { body } of answers) {
				const items = body.data.items.map((record) => ({ ...record, logo_url: undefined }));
				expect(items).toEqual(kind);
			}
		},
	);
});
