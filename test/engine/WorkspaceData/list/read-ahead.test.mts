import { expect, test } from 'vitest';
import { filesOf } from '../export/reading.mts';
import { jsonOf, useSandbox } from '../../harness/support.mts';

const RECORDS = 95;
const bench = useSandbox({ companies: RECORDS });
const path = '/v2/public/companies';
const companies = { resource: 'company', operation: 'getAll', returnAll: true };

test('files end with the last page that fits into them, and cost no further request', async () => {
	const options = { pageSize: 10, recordsPerFile: 25 };
	const run = await bench.succeed({ ...companies, outputAs: 'csv', options });
	const files = await filesOf(run);
	expect(files.map(({ facts }) => facts.records)).toEqual([20, 20, 20, 20, 15]);
	expect(files.map(({ facts }) => facts.limit)).toEqual([10, 10, 10, 10, null]);
	const limits = bench.sandbox.requests.map(({ query }) => Number(query.limit));
	expect(limits).toEqual(Array(10).fill(10));
});

const madeUp = { pagination: { page: 1, page_size: 10, total: 9, next_cursor: 'made-up' } };

test.each([
	['holds something else', { success: true, data: { items: ['not a record'] }, meta: madeUp }],
	['says no', { success: false, data: { items: [{ id: '1' }] }, meta: madeUp }],
])('nothing is asked for after a page that %s', async (_name, body) => {
	bench.sandbox.addFault({ path, skip: 1, body });
	const run = await bench.run(
		{ ...companies, options: { pageSize: 10, maxRetries: 0 } },
		{ onError: 'continueRegularOutput' },
	);
	expect(jsonOf(run)).toHaveLength(11);
	expect(jsonOf(run).at(-1)).toMatchObject({ details: { recordsRead: 10 } });
	expect(bench.sandbox.requests).toHaveLength(2);
});

test('a page that is broken in its middle is asked for again, and every other one once', async () => {
	const options = { pageSize: 10 };
	const [, second] = jsonOf(await bench.run({ ...companies, outputAs: 'pages', options }));
	bench.sandbox.clearRequests();
	const body = JSON.stringify(second).replace('},{', '} {');
	bench.sandbox.addFault({ path, skip: 1, body });
	const run = await bench.succeed({ ...companies, options });
	expect(new Set(jsonOf(run).map(({ id }) => id)).size).toBe(RECORDS);
	expect(bench.sandbox.requests).toHaveLength(11);
	const [, asked, again, ...others] = bench.sandbox.requests.map(({ query }) => query.cursor);
	expect(again).toBe(asked);
	expect(others).not.toContain(asked);
});
