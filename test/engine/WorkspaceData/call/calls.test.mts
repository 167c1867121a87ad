import { describe, expect, test } from 'vitest';
import { sandboxCredentials } from '../../../sandbox/server.mts';
import { oneCasePerOperation } from '../../../samples.mts';
import { jsonOf, useSandbox } from '../../harness/support.mts';

const bench = useSandbox({ companies: 20, orders: 5, items: 5, deals: 5 });

describe('prospect', () => {
	const prospect = { resource: 'company', operation: 'prospect' };
	const filters = { fields: { values: [{ name: 'industry', value: 'Energy' }] } };

	test('sends a POST and gives one item per company', async () => {
		const run = await bench.run({ ...prospect, ...filters });
		expect(run.error).toBeUndefined();
		expect((run.outputs[0] ?? []).length).toBeGreaterThan(1);
		expect(run.outputs[0]?.every((item) => JSON.stringify(item.pairedItem) === '{"item":0}')).toBe(
			true,
		);
		expect(bench.sandbox.requests).toMatchObject([
			{ method: 'POST', path: '/v2/prospect/companies', body: { industry: 'Energy' } },
		]);
	});

	test('sends the fields in the address with GET', async () => {
		const run = await bench.run({ ...prospect, ...filters, options: { httpMethod: 'GET' } });
		expect(run.error).toBeUndefined();
		expect(bench.sandbox.requests).toMatchObject([
			{ method: 'GET', path: '/v2/prospect/companies', query: { industry: 'Energy' }, body: null },
		]);
	});

	test('leaves null out of the address with GET', async () => {
		const jsonBody = '{"industry":"Energy","country":null}';
		const data = { dataToSend: 'json', jsonBody };
		await bench.run({ ...prospect, ...data, options: { httpMethod: 'GET' } });
		expect(bench.sandbox.requests.map(({ query }) => query)).toEqual([{ industry: 'Energy' }]);
	});

	test('refuses a nested field with GET before anything is sent', async () => {
		const run = await bench.run({
			...prospect,
			dataToSend: 'json',
			jsonBody: '{"where":{"country":"FR"}}',
			options: { httpMethod: 'GET' },
		});
		expect(run.error?.message).toContain('"where"');
		expect(bench.sandbox.requests).toHaveLength(0);
	});
});

describe('data to send', () => {
	const enrich = { resource: 'company', operation: 'enrich' };

	test('maps the input, keeps types of expressions, and takes JSON as text or object', async () => {
		const items = [{ id: 'c-1', employees: 12, tags: ['a', 'b'], address: { city: 'Köln' } }];
		await bench.run({ ...enrich, dataToSend: 'autoMapInputData' }, { items });
		await bench.run(
			{
				...enrich,
				fields: {
					values: [
						{ name: 'id', value: '={{ $json.id }}' },
						{ name: 'employees', value: '={{ $json.employees }}' },
						{ name: 'tags', value: '={{ $json.tags }}' },
						{ name: 'address', value: '={{ $json.address }}' },
					],
				},
			},
			{ items },
		);
		await bench.run({ ...enrich, dataToSend: 'json', jsonBody: JSON.stringify(items[0]) });
		await bench.run({ ...enrich, dataToSend: 'json', jsonBody: '={{ $json }}' }, { items });
		expect(bench.sandbox.requests.map((request) => request.body)).toEqual([
			items[0],
			items[0],
			items[0],
			items[0],
		]);
	});

	test('each item is sent once, in order, and paired', async () => {
		const items = Array.from({ length: 12 }, (_, index) => ({
			domain: `company-${index}.example`,
		}));
		const run = await bench.run({ ...enrich, dataToSend: 'autoMapInputData' }, { items });
		expect(jsonOf(run).map((json) => json.domain)).toEqual(items.map((item) => item.domain));
		expect(run.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(
			items.map((_, item) => ({ item })),
		);
		expect(bench.sandbox.calls.enrich).toHaveLength(12);
	});
});

describe('the workspace code', () => {
	test('goes to the two v1 AI paths and nowhere else', async () => {
		const credential = bench.v1(sandboxCredentials.v1AllScopes, sandboxCredentials.workspaceCode);
		const forV1 = oneCasePerOperation.filter(({ requests }) => requests.v1);
		for (const { parameters } of forV1) {
			const run = await bench.run(parameters, { credential });
			expect(run.error).toBeUndefined();
		}
		const withCode = bench.sandbox.requests.filter(
			(request) => 'x-workspace-code' in request.headers,
		);
		expect(withCode.map((request) => request.path)).toEqual([
			'/v1/enrich',
			'/v1/score',
			'/v1/score',
		]);
		expect(bench.sandbox.requests).toHaveLength(forV1.length);
	});
});
