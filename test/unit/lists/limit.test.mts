import { expect, it } from 'vitest';

import { listSizes } from '../../../nodes/lists/page-size.ts';
import { readList as read, upTo } from './any-service.mts';
import type { ListModel } from './list-model.mts';
import { envelope, readAll } from './read-pages.mts';

const KIND: ListModel = { records: 5_000 };

it.each(
	Object.entries<Partial<ListModel> & { limits: number[]; first?: number }>({
		'accepts up to 2,000': { limits: [100, 2_000, 2_000, 2_000] },
		'refuses above 50': { refusePageSizeAbove: { size: 50, status: 422 }, limits: [100, 50, 50] },
		'refuses above 20': { refusePageSizeAbove: { size: 20, status: 400 }, limits: [100, 50, 20] },
		'hangs above 500': { hangPageSizeAbove: 500, limits: [100, 2_000, 1_000, 500, 500] },
		'hangs above 500 and has done otherwise': {
			...{ hangPageSizeAbove: 500, first: 2_000 },
			limits: [2_000, 100, 2_000, 1_000, 500, 500],
		},
		'caps silently at 50': { silentPageCap: 50, limits: [100, 2_000, 100] },
		'caps silently at 250': { silentPageCap: 250, limits: [100, 2_000, 200, 200] },
		'says no more at 250': { rowCap: 250, total: 'absent', limits: [100, 2_000, 200, 200] },
		'gives nothing above 500': { nothingAbove: 500, limits: [100, 2_000, 1_000, 500, 500] },
		'has cursors that count pages': { cursors: 'pageCount', limits: [100, 2_000, 2_000, 2_000] },
	}),
)('the first page of a list finds the limit of a service that %s', async (_which, row) => {
	const { limits, first = 100, ...model } = row;
	const sizes = { ...listSizes(), first, wereTried: first > 100 };
	const { places, asked } = await read({ ...KIND, ...model }, { sizes });
	expect(places).toEqual(upTo(5_000));
	expect(asked.slice(0, limits.length)).toEqual(limits);
	expect(new Set(asked.slice(limits.length - 1)).size, 'limits from there on').toBe(1);
});

it.each([
	{ length: 500, limits: [100, 1_919, 1_919] },
	{ length: 1_900, limits: [100, 520, 520] },
	{ length: 6_000, limits: [100, 100] },
	// After short records, a limit that was learned gives pages of more than 8 million characters.
	{ length: 9_000, first: 1_000, limits: [1_000, 100, 100] },
])('pages of longer records have fewer of them: %j', async ({ length, first, limits }) => {
	const asked: number[] = [];
	const sizes = listSizes();
	if (first !== undefined) Object.assign(sizes, { first, wereTried: true });
	const options = { mode: 'cursor', sort: 'created_at', sizes } as const;
	await readAll(options, async ({ limit, ...place }) => {
		const from = 'cursor' in place ? Number(place.cursor) : 0;
		const next_cursor = asked.push(limit) < limits.length ? String(from + limit) : undefined;
		const page = envelope(from, from + limit, { next_cursor });
		for (const record of page.data.items) record.text = 'x'.repeat(length);
		return page;
	});
	expect(asked).toEqual(limits);
});

it.each([
	{ maximum: 50, limits: [50] },
	{ maximum: 150, limits: [75, 75] },
	{ maximum: 3_000, limits: [100, 1_500, 1_500] },
	{ maximum: 900, mostPerPage: 250, limits: [100, 225, 225, 225, 225] },
	{ maximum: 250, pageSize: 100, limits: [100, 100, 100] },
])('a maximum is read in equal pages, but for a Page Size: %j', async ({ limits, ...options }) => {
	expect((await read(KIND, options)).asked).toEqual(limits);
});

it('a Page Size is sent as it is, also where the service refuses it', async () => {
	const refusing: ListModel = { ...KIND, refusePageSizeAbove: { size: 50, status: 422 } };
	const list = await read(refusing, { pageSize: 60 });
	expect(list).toMatchObject({ asked: [60], failure: { facts: { statusCode: 422 } } });
});

it('a smaller maximum than the service accepts is asked for as 50 records and truncated, and caps no later list', async () => {
	const sizes = listSizes();
	const model = { ...KIND, refusePageSizeBelow: 10 };
	const { places, asked } = await read(model, { maximum: 5, sizes });
	expect({ places, asked }).toEqual({ places: upTo(5), asked: [5, 50] });
	expect((await read(model, { sizes })).asked).toEqual([100, 2_000, 2_000, 2_000]);
});
