import { expect, test } from 'vitest';
import { idsOf, useSandbox } from '../../harness/support.mts';

const bench = useSandbox({ companies: 2503, orders: 420, items: 130, deals: 60 });

const companies = { resource: 'company', operation: 'getAll' };

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
