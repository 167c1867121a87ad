import { expect, it } from 'vitest';

import { listSizes } from '../../../nodes/lists/page-size.ts';
import { readList as read, upTo, type CursorOptions } from './any-service.mts';
import type { ListModel } from './list-model.mts';

const KIND: ListModel = { records: 5_000 };

/** How many requests lists of so many records take, by what the service accepts: of a first list, and of a later one. */
it.each([
	[250, [3, 3, 3], [2, 1, 1]],
	[600, [8, 3, 2], [3, 1, 1]],
	[3_000, [19, 5, 3], [15, 3, 2]],
	[20_000, [104, 22, 11], [100, 20, 10]],
])('a list of %i records takes few requests', async (records, first, later) => {
	for (const [index, size] of [200, 1_000, 5_000].entries()) {
		const model: ListModel = { records, refusePageSizeAbove: { size, status: 422 } };
		const { places, asked } = await read(model);
		expect([places.length, asked.length]).toEqual([records, first[index]]);
		const sizes = listSizes();
		await read({ ...model, records: 20_000 }, { sizes });
		expect((await read(model, { sizes })).asked).toHaveLength(later[index]);
	}
});

it.each<[string, Partial<ListModel>, number[]]>([
	['accepts up to 2,000', {}, [100, 2_000, 2_000, 2_000]],
	['refuses above 50', { refusePageSizeAbove: { size: 50, status: 422 } }, [100, 50, 50]],
	['refuses above 20', { refusePageSizeAbove: { size: 20, status: 400 } }, [100, 50, 20]],
	['hangs above 500', { hangPageSizeAbove: 500 }, [100, 2_000, 1_000, 500, 500]],
	['caps silently at 50', { silentPageCap: 50 }, [100, 2_000, 1_000, 500, 200, 100]],
	['caps silently at 250', { silentPageCap: 250 }, [100, 2_000, 2_000]],
	['says no more at 250', { rowCap: 250, total: 'absent' }, [100, 2_000, 200, 200]],
	['gives nothing above 500', { nothingAbove: 500 }, [100, 2_000, 1_000, 500, 500]],
	['has cursors that count pages', { cursors: 'pageCount' }, [100, 2_000, 2_000, 2_000]],
])('the limit of a list is chosen on its first page: %s', async (_name, model, expected) => {
	const { places, asked } = await read({ ...KIND, ...model });
	expect(places).toEqual(upTo(5_000));
	expect(asked.slice(0, expected.length)).toEqual(expected);
	expect(new Set(asked.slice(expected.length - 1)).size).toBe(1);
});

it('a maximum is read in equal pages, and a Page Size is sent as it is', async () => {
	const limitsFor = async (maximum: number, more: CursorOptions = {}) =>
		(await read(KIND, { maximum, ...more })).asked;
	expect(await limitsFor(50)).toEqual([50]);
	expect(await limitsFor(150)).toEqual([75, 75]);
	expect(await limitsFor(3_000)).toEqual([100, 1_500, 1_500]);
	expect(await limitsFor(900, { mostPerPage: 250 })).toEqual([100, 225, 225, 225, 225]);
	expect(await limitsFor(250, { pageSize: 100 })).toEqual([100, 100, 100]);
	const { asked, failure } = await read(
		{ ...KIND, refusePageSizeAbove: { size: 50, status: 422 } },
		{ pageSize: 60 },
	);
	expect([asked, failure?.facts.statusCode]).toEqual([[60], 422]);
});

it('a smaller maximum than the service accepts is asked for as 50 records and truncated', async () => {
	const { places, asked } = await read({ ...KIND, refusePageSizeBelow: 10 }, { maximum: 5 });
	expect([places, asked]).toEqual([upTo(5), [5, 50]]);
});
