import { expect, test } from 'vitest';
import { filesOf } from './reading.mts';
import { jsonOf, useSandbox } from '../../harness/support.mts';

const bench = useSandbox({ companies: 10, orders: 0 });

const companies = { resource: 'company', operation: 'getAll', returnAll: true };

test.each([
	['ndjson', {}, ''],
	['csv', {}, '""\r\n'],
	['csv', { fields: 'id, number' }, 'id,number\r\n'],
])(
	'writes one file for an empty list, with Output As %s and options %o',
	async (outputAs, options, text) => {
		const orders = { resource: 'order', operation: 'getAll', returnAll: true };
		const run = await bench.succeed({ ...orders, outputAs, options });
		const fileName = `order-0001.${outputAs}`;
		expect(jsonOf(run)).toMatchObject([{ records: 0, fileName, part: 1, isLast: true }]);
		expect((await filesOf(run))[0]?.text).toBe(text);
	},
);

test.each([
	[{ returnAll: true }, true],
	[{ returnAll: false, limit: 2 }, false],
])('sets isLast to true only in the last file of the whole list: %j', async (limit, isLast) => {
	const options = { pagination: { values: { pageSize: 1 } } };
	const run = await bench.succeed({ ...companies, ...limit, outputAs: 'ndjson', options });
	const { nextCursor, ...last } = jsonOf(run).at(-1) ?? {};
	expect(last).toMatchObject({ isLast });
	expect(nextCursor === null).toBe(isLast);
});

test('ends each file after a whole page, without sending additional requests', async () => {
	const options = { recordsPerFile: 5, pagination: { values: { pageSize: 2 } } };
	const files = await filesOf(await bench.succeed({ ...companies, outputAs: 'csv', options }));
	const facts = files.map((file) => [file.facts.records, file.facts.pageSize]);
	expect(facts).toEqual([...[4, 4].map((records) => [records, 2]), [2, null]]);
	expect(bench.sandbox.requests.map(({ query }) => query.limit)).toEqual(Array(5).fill('2'));
});

test('names the files after the option File Name', async () => {
	const options = { fileName: "all 'companies'.csv" };
	const run = await bench.run({ ...companies, outputAs: 'csv', options });
	const fileName = "all 'companies'-0001.csv";
	expect((await filesOf(run)).map(({ facts }) => facts.fileName)).toEqual([fileName]);
	expect(run.outputs[0]?.[0]?.binary?.data).toMatchObject({ fileName, mimeType: 'text/csv' });
});
