import type { INodeType } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { WorkspaceData } from '../../../../nodes/WorkspaceData/WorkspaceData.node.ts';
import { NODE_TYPE } from '../../harness/harness.mts';
import { idsOf, jsonOf, useSandbox } from '../../harness/support.mts';

const bench = useSandbox({
	companies: 25,
	orders: 0,
	items: 0,
	deals: 25,
	quirks: { furtherParameters: ['status', 'min', 'tag', 'nested'] },
});

const rows = (values: Record<string, unknown>) => ({
	values: Object.entries(values).map(([name, value]) => ({ name, value })),
});
const companies = { resource: 'company', operation: 'getAll', returnAll: true };
const query = { resource: 'record', operation: 'query', objectType: 'deal', returnAll: true };

test('sends Filters in the query of every page, with cursors and with page numbers', async () => {
	const additionalParameters = rows({
		status: 'open & new',
		min: '={{ 5 }}',
		tag: '={{ ["a", "b"] }}',
	});
	for (const page of [0, 1]) {
		bench.sandbox.clearRequests();
		const options = { additionalParameters, pagination: { values: { page, pageSize: 10 } } };
		const run = await bench.succeed({ ...companies, options });
		expect(new Set(idsOf(run)).size).toBe(25);
		expect(bench.sandbox.requests).toHaveLength(3);
		for (const { query: sent } of bench.sandbox.requests) {
			// The request log of the sandbox joins the values of a repeated parameter with a comma.
			expect(sent).toMatchObject({ status: 'open & new', min: '5', tag: 'a,b' });
			// A request has either a page number or a cursor. With a cursor, the request has no sort order
			// (docs/maintainers/api.md, Paging).
			const places = ['page', 'cursor', 'sort'].filter((name) => name in sent);
			const byNumber = 'page' in sent;
			expect(byNumber).toBe(page > 0);
			expect(places).toHaveLength(byNumber ? 2 : 1);
			if (byNumber) expect(sent.sort).toBe('updated_at');
		}
	}
});

test.each([companies, query])(
	'names a filter that the service rejects, and advises to check Filters: %j',
	async (list) => {
		const run = await bench.run({
			...list,
			options: { additionalParameters: rows({ stage: 'won' }) },
		});
		expect(run.error?.message).toMatch(
			/^The service refused the request \(HTTP 400\): "Unknown .*"stage"/,
		);
		expect(run.error?.description).toMatch(
			/^Check ('Object Type', )?'Filters' and 'Page Size' against the message of the service\. If .* remove it, and put n8n's Filter after/,
		);
	},
);

test('sends Filters of Query in the body, with the types of their values', async () => {
	const additionalParameters = rows({
		status: 'open',
		min: '={{ 5 }}',
		tag: '={{ ["a", "b"] }}',
		nested: '={{ ({ a: true }) }}',
	});
	const options = {
		additionalParameters,
		sort: 'updated_at:desc',
		pagination: { values: { pageSize: 10 } },
	};
	const run = await bench.succeed({ ...query, returnAll: false, limit: 12, options });
	expect(jsonOf(run)).toHaveLength(12);
	expect(bench.sandbox.requests.length, 'requests').toBeGreaterThan(2);
	for (const { body } of bench.sandbox.requests) {
		expect(body).toMatchObject({ status: 'open', min: 5, tag: ['a', 'b'], nested: { a: true } });
	}
});

const NOTHING = ['', ' ', null, undefined];

test.each(NOTHING)(
	'omits a filter of an AI tool if the model gives the filter no value: %j',
	async (value) => {
		const type = `${NODE_TYPE}Tool`;
		const tool = { type, extraNodeTypes: { [type]: new WorkspaceData() as INodeType } };
		const additionalParameters = rows({ status: '={{ $json.status }}', tag: 'a' });
		const options = { additionalParameters, fields: 'id' };
		for (const list of [companies, query]) {
			bench.sandbox.clearRequests();
			await bench.succeed({ ...list, options }, { ...tool, items: [{ status: value }] });
			const [{ query: sent, body }] = bench.sandbox.requests;
			const all = { ...sent, ...(body as object) };
			expect(all).toMatchObject({ tag: 'a' });
			expect(all).not.toHaveProperty('status');
		}
	},
);

test.each(NOTHING)(
	'rejects an empty filter value unless the node runs as an AI tool: %j',
	async (value) => {
		const options = { additionalParameters: rows({ status: '={{ $json.status }}' }) };
		for (const list of [companies, query]) {
			const run = await bench.run({ ...list, options }, { items: [{ status: value }] });
			expect(run.error?.message).toBe('The filter "status" has a value that cannot be sent');
			expect(run.error?.description).toContain('or remove it');
		}
		expect(bench.sandbox.requests).toEqual([]);
	},
);
