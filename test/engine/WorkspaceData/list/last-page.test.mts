import { expect, test } from 'vitest';
import { filesOf } from '../export/reading.mts';
import { hintsOf, jsonOf, useSandbox } from '../../harness/support.mts';

const RECORDS = 250;
const bench = useSandbox({ companies: RECORDS });
const companies = {
	resource: 'company',
	operation: 'getAll',
	returnAll: true,
	options: { pagination: { values: { pageSize: 100 } } },
};

test.each(['items', 'pages', 'csv', 'ndjson'])(
	'warns if a list ends before the total of its first page is reached, and marks no file as last: %s',
	async (outputAs) => {
		bench.sandbox.setQuirks({ total: 'onFirstPage' });
		const meta = { pagination: { page: 3, page_size: 100 } };
		const body = { success: true, data: { items: [{ id: 'last' }] }, meta };
		bench.sandbox.addFault({ skip: 2, times: 2, body });
		const run = await bench.run({ ...companies, outputAs }, { items: [{}] });
		const message =
			'The list ended after 201 records, but an earlier page had a total of 250: 49 may be missing, or were deleted during the run';
		expect(run.error).toBeUndefined();
		expect(hintsOf(run)).toContain(message);
		expect(run.logs.map((line) => line.message)).toContain(`Workspace Data: ${message}`);
		const files = jsonOf(run).filter(({ fileName }) => fileName !== undefined);
		expect(files.filter(({ isLast }) => isLast === true)).toEqual([]);
	},
);

test.each(['toBeginning', 'toItself', 'toEmpty'] as const)(
	'writes each record to the file once, even if the last page has a next cursor: %s',
	async (trailingCursor) => {
		bench.sandbox.setQuirks({ trailingCursor });
		const run = await bench.run({ ...companies, outputAs: 'ndjson' });
		const [{ text }] = await filesOf(run);
		expect(jsonOf(run)[0]).toMatchObject({ records: RECORDS, isLast: true });
		const ids = text
			.trim()
			.split('\n')
			.map((line) => (JSON.parse(line) as { id: string }).id);
		expect(new Set(ids).size).toBe(RECORDS);
	},
);

test('sends only one request with a wrong API key', async () => {
	const credential = { ...bench.v2(), apiKey: 'wrong-key-0123456789' };
	const run = await bench.run(companies, { credential, onError: 'continueRegularOutput' });
	expect(jsonOf(run)[0]).toHaveProperty('error');
	expect(bench.sandbox.requests.length).toBe(1);
});
