import { describe, expect, test } from 'vitest';
import { sampleCases } from '../../../samples.mts';
import type { ObjectType } from '../../../sandbox/types.mts';
import { idsOf, jsonOf, useSandbox } from '../../harness/support.mts';

const bench = useSandbox({ companies: 2503, orders: 420, items: 130, deals: 60 });

const companies = { resource: 'company', operation: 'getAll' };

/** No request may carry `page` with `cursor`, or a `sort` beside a cursor (docs/maintainers/api.md, Paging). */
function expectProperPaging(): void {
	for (const { query, body } of bench.sandbox.requests) {
		const sent = { ...query, ...(body as Record<string, unknown> | null) };
		if ('cursor' in sent) expect(Object.keys(sent)).not.toEqual(expect.arrayContaining(['page']));
		if ('cursor' in sent) expect(sent).not.toHaveProperty('sort');
	}
}

function allIds(objectType: ObjectType): string[] {
	return [...bench.sandbox.records(objectType)].map((record) => String(record.id)).sort();
}

describe('every list row reads its records', () => {
	const lists = sampleCases.filter(({ gives }) => typeof gives === 'object');
	test.each(lists)('$name', async ({ parameters, gives, requests }) => {
		const run = await bench.run(parameters);
		expect(run.error).toBeUndefined();
		if (typeof gives === 'object') expect(idsOf(run).sort()).toEqual(allIds(gives.records));
		const paths = new Set(bench.sandbox.requests.map((request) => request.path));
		expect(paths).toEqual(new Set([requests.v2?.path]));
		expectProperPaging();
	});
});

describe('Return All over 2,503 records', () => {
	const sizes = [50, 100, 1000, 5000];
	const sorts = ['updated_at', 'created_at'];
	const cases = sizes.flatMap((pageSize) => sorts.map((sort) => ({ pageSize, sort })));
	test.each([{ pageSize: 7, sort: 'created_at' }, ...cases])(
		'cursor mode gives each record once, in order: $pageSize per page by $sort',
		async ({ pageSize, sort }) => {
			const run = await bench.run({ ...companies, returnAll: true, options: { pageSize, sort } });
			expect(run.error).toBeUndefined();
			expect(new Set(idsOf(run)).size).toBe(2503);
			expect(run.outputs[0]).toHaveLength(2503);
			expect(bench.sandbox.requests).toHaveLength(Math.ceil(2503 / pageSize));
			const keys = jsonOf(run).map((json) => `${String(json[sort])} ${String(json.id)}`);
			expect(keys).toEqual([...keys].sort());
			expectProperPaging();
		},
	);

	test.each([50, 100, 1000, 5000])(
		'page mode gives each record once: %i per page',
		async (pageSize) => {
			const options = { pagination: 'page', pageSize };
			const run = await bench.run({ ...companies, returnAll: true, options });
			expect(run.error).toBeUndefined();
			expect(new Set(idsOf(run)).size).toBe(2503);
			expect(run.outputs[0]).toHaveLength(2503);
			expect(bench.sandbox.requests).toHaveLength(Math.ceil(2503 / pageSize));
			expectProperPaging();
		},
	);

	test('query in both modes gives each record once', async () => {
		const query = {
			resource: 'record',
			operation: 'query',
			objectType: 'company',
			returnAll: true,
		};
		for (const options of [{ pageSize: 500 }, { pageSize: 500, pagination: 'page' }]) {
			const run = await bench.run({ ...query, options });
			expect(run.error).toBeUndefined();
			expect(new Set(idsOf(run)).size).toBe(2503);
		}
		expectProperPaging();
	});
});

describe('Limit is exact and reads no further than it needs', () => {
	test.each([1, 49, 50, 99, 100, 101, 250, 2503, 9999])('cursor mode: %i', async (limit) => {
		const run = await bench.run({ ...companies, limit, options: { pageSize: 100 } });
		const wanted = Math.min(limit, 2503);
		expect(idsOf(run)).toHaveLength(wanted);
		expect(new Set(idsOf(run)).size).toBe(wanted);
		const asked = bench.sandbox.requests.map((request) => Number(request.query.limit));
		expect(asked).toHaveLength(Math.ceil(wanted / 100));
		expect(asked.slice(0, -1).every((size) => size === 100)).toBe(true);
		if (limit <= 2503) expect(asked.reduce((sum, size) => sum + size, 0)).toBe(limit);
	});

	test.each([1, 99, 100, 101, 250])('page mode: %i', async (limit) => {
		const run = await bench.run({ ...companies, limit, options: { pagination: 'page' } });
		expect(idsOf(run)).toHaveLength(limit);
		expect(new Set(idsOf(run)).size).toBe(limit);
		expect(bench.sandbox.requests).toHaveLength(Math.ceil(limit / 100));
	});

	test('the default is 50', async () => {
		const run = await bench.run(companies);
		expect(idsOf(run)).toHaveLength(50);
		expect(bench.sandbox.requests.map((request) => request.query)).toEqual([
			{ sort: 'updated_at', limit: '50' },
		]);
	});
});

describe('options', () => {
	test('Start Cursor goes on where another run stopped, without a sort', async () => {
		const first = await bench.run({ ...companies, limit: 100, outputAs: 'pages' });
		const page = jsonOf(first)[0] as { meta: { pagination: { next_cursor: string } } };
		const startCursor = page.meta.pagination.next_cursor;
		bench.sandbox.clearRequests();
		const rest = await bench.run({ ...companies, returnAll: true, options: { startCursor } });
		expect(idsOf(rest)).toHaveLength(2403);
		expect(bench.sandbox.requests[0]?.query).toEqual({ cursor: startCursor, limit: '100' });
	});

	test('Page and Sort Key are sent as they are in page mode', async () => {
		const options = { pagination: 'page', page: 3, pageSize: 10, sortKey: 'name' };
		const run = await bench.run({ ...companies, limit: 10, options });
		expect(run.error).toBeUndefined();
		expect(bench.sandbox.requests.map((request) => request.query)).toEqual([
			{ page: '3', limit: '10', sort: 'name' },
		]);
	});

	test('Pages gives one item per page with the whole envelope', async () => {
		const options = { pageSize: 100 };
		const run = await bench.run({ ...companies, limit: 250, outputAs: 'pages', options });
		const pages = jsonOf(run) as Array<{ data: { items: object[] }; meta: { ctx_id: string } }>;
		expect(pages.map((page) => page.data.items.length)).toEqual([100, 100, 50]);
		expect(pages.every((page) => page.meta.ctx_id !== '')).toBe(true);
	});
});

describe('input items', () => {
	test('parameters are read for each item, and each record is paired with its item', async () => {
		const run = await bench.run(
			{
				resource: 'record',
				operation: 'query',
				objectType: '={{ $json.type }}',
				limit: '={{ $json.limit }}',
			},
			{
				items: [
					{ type: 'deal', limit: 3 },
					{ type: 'order', limit: 2 },
					{ type: 'item', limit: 1 },
				],
			},
		);
		expect(run.error).toBeUndefined();
		const pairs = run.outputs[0]?.map(({ pairedItem }) => pairedItem);
		expect(pairs).toEqual([0, 0, 0, 1, 1, 2].map((item) => ({ item })));
		expect(idsOf(run).map((id) => id[0])).toEqual(['d', 'd', 'd', 'o', 'o', 'i']);
	});
});
