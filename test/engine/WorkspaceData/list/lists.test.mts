import { describe, expect, test } from 'vitest';
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

describe('Return All over 2,503 records', () => {
	const cursors = ['updated_at', 'created_at'].flatMap((sort) =>
		[100, 5000].map((pageSize) => ({ pageSize, sort })),
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
			'No record has the fields Domain, umsatz. Names are case-sensitive.',
		]);
	},
);

test('parameters are read for each input item, and each record is paired with its item', async () => {
	const of = { objectType: '={{ $json.type }}', limit: '={{ $json.limit }}' };
	const limits = { deal: 3, order: 2, item: 1 };
	const items = Object.entries(limits).map(([type, limit]) => ({ type, limit }));
	const run = await bench.succeed({ resource: 'record', operation: 'query', ...of }, { items });
	const pairs = run.outputs[0]?.map(({ pairedItem }) => pairedItem);
	expect(pairs).toEqual([0, 0, 0, 1, 1, 2].map((item) => ({ item })));
	expect(idsOf(run).map((id) => id[0])).toEqual(['d', 'd', 'd', 'o', 'o', 'i']);
});
