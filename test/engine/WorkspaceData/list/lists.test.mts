import { describe, expect, test } from 'vitest';
import { idsHeld } from '../../../n8n/service.mts';
import { sampleCases } from '../../../samples.mts';
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

const lists = sampleCases.filter(({ gives }) => typeof gives === 'object');
test.each(lists)('$name reads its records', async ({ parameters, gives, requests }) => {
	const run = await bench.succeed(parameters);
	const records = typeof gives === 'object' ? idsHeld(bench.sandbox, gives.records) : [];
	expect(idsOf(run).sort()).toEqual(records.sort());
	const paths = new Set(bench.sandbox.requests.map((request) => request.path));
	expect(paths).toEqual(new Set([requests.v2?.path]));
	expectProperPaging();
});

describe('Return All over 2,503 records', () => {
	const cursors = ['updated_at', 'created_at'].flatMap((sort) =>
		[7, 100, 1000, 5000].map((pageSize) => ({ pageSize, sort })),
	);
	const pages = [100, 5000].map((pageSize) => ({ pageSize, pagination: 'page' }));

	test.each<{ pageSize: number; sort?: string }>([...cursors, ...pages])(
		'gives each record once, by cursor in order: %j',
		async (options) => {
			const { pageSize, sort } = options;
			const run = await bench.succeed({ ...companies, returnAll: true, options });
			expect(new Set(idsOf(run)).size).toBe(2503);
			expect(run.outputs[0]).toHaveLength(2503);
			expect(bench.sandbox.requests).toHaveLength(Math.ceil(2503 / pageSize));
			const keys = jsonOf(run).map((json) => `${String(sort && json[sort])} ${String(json.id)}`);
			if (sort) expect(keys).toEqual([...keys].sort());
			expectProperPaging();
		},
	);

	test.each(['cursor', 'page'])('of Query gives each record once, by %s', async (pagination) => {
		const query = { resource: 'record', operation: 'query', objectType: 'company' };
		const options = { pageSize: 500, pagination };
		const run = await bench.succeed({ ...query, returnAll: true, options });
		expect(new Set(idsOf(run)).size).toBe(2503);
		expectProperPaging();
	});
});

describe('Limit is exact and reads no further than it needs', () => {
	const cursors = [1, 49, 50, 99, 100, 101, 250, 2503, 9999].map((limit) => ['cursor', limit]);
	const pages = [1, 99, 100, 101, 250].map((limit) => ['page', limit]);

	test.each([...cursors, ...pages] as Array<[string, number]>)(
		'by %s: %i',
		async (pagination, limit) => {
			const options = { pagination, pageSize: 100 };
			const run = await bench.run({ ...companies, limit, options });
			const wanted = Math.min(limit, 2503);
			expect(idsOf(run)).toHaveLength(wanted);
			expect(new Set(idsOf(run)).size).toBe(wanted);
			const asked = bench.sandbox.requests.map((request) => Number(request.query.limit));
			expect(asked).toHaveLength(Math.ceil(wanted / 100));
			if (pagination === 'cursor') expect(new Set(asked)).toEqual(new Set([100]));
		},
	);

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
		const { meta } = jsonOf(first)[0] as { meta: { pagination: Record<string, unknown> } };
		const { next_cursor: startCursor, limit: pageSize } = meta.pagination;
		bench.sandbox.clearRequests();
		const rest = await bench.run({
			...companies,
			returnAll: true,
			options: { startCursor, pageSize },
		});
		expect(idsOf(rest)).toHaveLength(2403);
		expect(bench.sandbox.requests[0]?.query).toEqual({ cursor: startCursor, limit: '100' });
	});

	test('Page and Sort Key are sent as they are in page mode', async () => {
		const options = { pagination: 'page', page: 3, pageSize: 10, sortKey: 'name' };
		await bench.run({ ...companies, limit: 10, options });
		const sent = bench.sandbox.requests.map(({ query }) => query);
		expect(sent).toEqual([{ page: '3', limit: '10', sort: 'name' }]);
	});

	test.each(['items', 'pages', 'ndjson', 'csv'])(
		'fields that no record has are named under the output once: %s',
		async (outputAs) => {
			const options = { fields: ['Domain', 'umsatz', 'name'], pageSize: 100 };
			const run = await bench.run(
				{ ...companies, limit: 200, outputAs, options },
				{ items: [{}, {}] },
			);
			expect(run.hints.map(({ message }) => message)).toEqual([
				'No record has the fields Domain, umsatz. Names are case-sensitive: did you mean domain?',
			]);
		},
	);

	test('Pages gives one item per page with the whole envelope', async () => {
		const options = { pageSize: 100 };
		const run = await bench.run({ ...companies, limit: 250, outputAs: 'pages', options });
		const pages = jsonOf(run) as Array<{ data: { items: object[] }; meta: { ctx_id: string } }>;
		expect(pages.map((page) => page.data.items.length)).toEqual([100, 100, 50]);
		expect(pages.every((page) => page.meta.ctx_id !== '')).toBe(true);
	});
});

test('parameters are read for each input item, and each record is paired with its item', async () => {
	const of = { objectType: '={{ $json.type }}', limit: '={{ $json.limit }}' };
	const limits = { deal: 3, order: 2, item: 1 };
	const items = Object.entries(limits).map(([type, limit]) => ({ type, limit }));
	const run = await bench.succeed({ resource: 'record', operation: 'query', ...of }, { items });
	const pairs = run.outputs[0]?.map(({ pairedItem }) => pairedItem);
	expect(pairs).toEqual([0, 0, 0, 1, 1, 2].map((item) => ({ item })));
	expect(idsOf(run).map((id) => id[0])).toEqual(['d', 'd', 'd', 'o', 'o', 'i']);
});
