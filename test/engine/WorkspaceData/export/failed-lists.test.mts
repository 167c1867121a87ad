import { describe, expect, test } from 'vitest';
import { FILES } from '../../../../nodes/WorkspaceData/export/file-options.ts';
import { hintsOf, jsonOf, useSandbox } from '../../harness/support.mts';
import { filesOf } from './reading.mts';

const bench = useSandbox({ companies: 1_000, deals: 1_000 });

const path = '/v2/public/companies';
const companies = { resource: 'company', operation: 'getAll', returnAll: true };
const quick = {
	requests: { values: { retryFor: 0 } },
	pagination: { values: { pageSize: 100 } },
};
const onError = 'continueRegularOutput';

describe('a list that fails after some records', () => {
	test.each<[outputAs: string, options: object, records: number]>([
		['items', {}, 200],
		['pages', {}, 200],
		...Object.keys(FILES).map((kind) => [kind, {}, 200] as [string, object, number]),
		['csv', { recordsPerFile: 100 }, 200],
		['csv', { pagination: { values: { page: 1, pageSize: 100 } } }, 200],
		['items', { changedAfter: '2000-01-01' }, 200],
	])(
		'shows in a hint that a list stopped: Output As %s, options %j',
		async (outputAs, more, records) => {
			bench.sandbox.addFault({ path, skip: 2, status: 500, times: Infinity });
			const options = { ...quick, ...more };
			const run = await bench.run({ ...companies, outputAs, options }, { onError });
			const said = `The list stopped after ${records} records; the last item shows the reason`;
			expect(hintsOf(run).filter((hint) => !hint.startsWith('Long numbers'))).toEqual([said]);
			expect(jsonOf(run).at(-1)).toHaveProperty('error');
		},
	);

	test('shows a hint for each list that failed after some records, but not for other lists', async () => {
		const post = { path: '/v2/public/records/query', status: 500, times: Infinity };
		bench.sandbox.addFault({ ...post, bodyHas: '"object_type":"deal","limit":500,"cursor"' });
		bench.sandbox.addFault({ ...post, bodyHas: '"order"' });
		const objectType = { __rl: true, mode: 'name', value: '={{ $json.type }}' };
		const run = await bench.run(
			{
				...{ resource: 'record', operation: 'query', objectType, returnAll: true },
				options: { ...quick, pagination: { values: { pageSize: 500 } } },
			},
			{ onError, items: [{ type: 'company' }, { type: 'deal' }, { type: 'order' }] },
		);
		const said = 'The list of [item 1] stopped after 500 records; its last item shows the reason';
		// At the end of the run, one hint about long numbers is shown for all lists together.
		const onDigits = expect.stringMatching(/^Long numbers in "external_number" .* CSV Files\.$/);
		expect(hintsOf(run)).toEqual([said, onDigits]);
		expect(run.logs.map(({ message }) => message)).toContain(`Workspace Data: ${said}`);
		const errors = jsonOf(run).flatMap(({ error }, index) => (error === undefined ? [] : [index]));
		expect(errors).toEqual([1_500, 1_501]);
	});

	test.each([
		['continueErrorOutput', ['The list stopped after 1 record; the error branch shows the reason']],
		['stopWorkflow', []],
	] as const)(
		'shows a hint on a stopped list only if the workflow continues: On Error %s',
		async (onError, said) => {
			bench.sandbox.addFault({ path, skip: 1, status: 500 });
			const options = { ...quick, pagination: { values: { pageSize: 1 } } };
			const run = await bench.run({ ...companies, options }, { onError });
			expect(hintsOf(run)).toEqual(said);
			const logged = run.logs.filter(({ message }) => message.includes('stopped after'));
			expect(logged).toHaveLength(said.length);
		},
	);
});

// Unit tests in test/unit/shared/errors/explain.test.mts check the messages of all errors.
test('reports the cursor to continue from if the service rejects a page, and does not blame the Base URL', async () => {
	bench.sandbox.addFault({ path, skip: 2, status: 404, times: Infinity });
	const parameters = { ...companies, outputAs: 'ndjson', options: quick };
	const run = await bench.run(parameters, { onError });
	const { error, message: hint, details } = jsonOf(run).at(-1) as Record<string, string>;
	expect(error).toMatch(/^The service refused page 3 \(HTTP 404\): "/);
	expect(hint).toMatch(/^1\. Read fewer records at once/);
	expect(hint).not.toMatch(/Base URL/);
	const [{ facts }] = await filesOf(run);
	expect(facts).toMatchObject({ records: 200, nextCursor: expect.any(String), isLast: false });
	expect(details).toMatchObject({ nextCursor: facts.nextCursor, pageSize: 100, recordsRead: 200 });
});
