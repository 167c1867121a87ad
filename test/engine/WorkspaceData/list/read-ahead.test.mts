import { expect, test } from 'vitest';
import { filesOf, idOf, linesOf } from '../export/reading.mts';
import { jsonOf, useSandbox } from '../../harness/support.mts';

const RECORDS = 95;
const bench = useSandbox({ companies: RECORDS });
const path = '/v2/public/companies';
const companies = { resource: 'company', operation: 'getAll', returnAll: true };

test('each page is requested once where every file ends with a page', async () => {
	const options = { pageSize: 10, recordsPerFile: 10 };
	const run = await bench.run({ ...companies, outputAs: 'ndjson', options });
	expect(run.error).toBeUndefined();
	expect(new Set(linesOf(await filesOf(run)).map(idOf)).size).toBe(RECORDS);
	expect(bench.sandbox.requests).toHaveLength(10);
});

test('files that hold no whole number of pages cost one further request, which proves their cursors', async () => {
	const options = { pageSize: 10, recordsPerFile: 25 };
	const run = await bench.run({ ...companies, outputAs: 'csv', options });
	expect(run.error).toBeUndefined();
	const files = await filesOf(run);
	expect(files.map(({ facts }) => facts.records)).toEqual([25, 25, 25, 20]);
	// 10, 10 and 5 for each full file, 10 and 10 for the last one; after the first 5, both sizes are compared.
	const limits = bench.sandbox.requests.map(({ query }) => Number(query.limit));
	expect(limits).toEqual([10, 10, 5, 5, 10, 10, 5, 10, 10, 5, 10, 10]);
});

test.each([1, 499, 1_999, 4_001])(
	'pages that come in parts of %i bytes are read once each, and whole',
	async (bytesPerPart) => {
		const options = { pageSize: 30 };
		const whole = jsonOf(await bench.run({ ...companies, options }));
		bench.sandbox.clearRequests();
		bench.sandbox.setUnkind({ bytesPerPart });
		const run = await bench.run({ ...companies, options });
		bench.sandbox.setUnkind({});
		expect(run.error).toBeUndefined();
		expect(jsonOf(run)).toEqual(whole);
		expect(bench.sandbox.requests).toHaveLength(4);
	},
);

const madeUp = { pagination: { page: 1, page_size: 10, total: 9, next_cursor: 'made-up' } };

test.each([
	['holds something else', { success: true, data: { items: ['not a record'] }, meta: madeUp }],
	['says no', { success: false, data: { items: [{ id: '1' }] }, meta: madeUp }],
])('nothing is asked for after a page that %s', async (_name, body) => {
	bench.sandbox.addFault({ path, skip: 1, body });
	const run = await bench.run(
		{ ...companies, options: { pageSize: 10 } },
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
	const run = await bench.run({ ...companies, options });
	expect(run.error).toBeUndefined();
	expect(new Set(jsonOf(run).map(({ id }) => id)).size).toBe(RECORDS);
	expect(bench.sandbox.requests).toHaveLength(11);
	const [, asked, again, ...others] = bench.sandbox.requests.map(({ query }) => query.cursor);
	expect(again).toBe(asked);
	expect(others).not.toContain(asked);
});

type Envelope = Record<string, unknown>;

test.each<[string, (page: Envelope) => Envelope]>([
	['come in another order', ({ meta, data, success }) => ({ meta, success, data })],
	['do not say success', ({ data, meta }) => ({ data, meta })],
	['have a member more, with a meta of its own', (page) => ({ ...page, more: { meta: madeUp } })],
])('pages that %s are read like all others', async (_name, change) => {
	const options = { pageSize: 10 };
	const pages = jsonOf(await bench.run({ ...companies, outputAs: 'pages', options }));
	bench.sandbox.clearRequests();
	for (const page of pages) bench.sandbox.addFault({ path, body: change(page) });
	const run = await bench.run({ ...companies, options });
	expect(run.error).toBeUndefined();
	expect(new Set(jsonOf(run).map(({ id }) => id)).size).toBe(RECORDS);
	expect(bench.sandbox.requests).toHaveLength(pages.length);
});
