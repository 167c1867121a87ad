import { describe, expect, test } from 'vitest';
import { oneCasePerOperation } from '../../../samples.mts';
import { jsonOf, useSandbox } from '../../harness/support.mts';

const bench = useSandbox({ companies: 20, orders: 5, items: 5, deals: 5 });

test('Prospect sends a POST and gives one item per company', async () => {
	const fields = { values: [{ name: 'industry', value: 'Energy' }] };
	const run = await bench.succeed({ resource: 'company', operation: 'prospect', fields });
	const pairs = (run.outputs[0] ?? []).map(({ pairedItem }) => pairedItem);
	expect(pairs.length, 'pairs').toBeGreaterThan(1);
	expect(pairs).toEqual(pairs.map(() => ({ item: 0 })));
	expect(bench.sandbox.requests).toMatchObject([
		{ method: 'POST', path: '/v2/prospect/companies', body: { industry: 'Energy' } },
	]);
});

// What each type accepts is in test/unit/WorkspaceData/call/fields-to-send.test.mts.
test('typed rows reach the service as what they say, expressions as what they are', async () => {
	const items = [{ employees: 12, tags: ['a'], text: '7' }];
	const row = (name: string, type: string, value: unknown) => ({ id: name, name, type, value });
	const assignments = [
		row('domain', 'string', '007'),
		row('employees', 'number', '={{ $json.employees }}'),
		row('number', 'number', '={{ $json.text }}'),
		row('active', 'boolean', 'true'),
		row('tags', 'array', '={{ $json.tags }}'),
		row('more', 'object', '{ "city": "Köln" }'),
		row('kept', 'string', '={{ $json.employees }}'),
		row('nothing', 'number', '={{ $json.missing }}'),
	];
	const enrich = { resource: 'company', operation: 'enrich', fields: { assignments } };
	await bench.succeed(enrich, { items });
	const numbers = { employees: 12, number: 7, kept: 12 };
	const sent = { domain: '007', ...numbers, active: true, tags: ['a'], more: { city: 'Köln' } };
	expect(bench.sandbox.requests[0]?.body).toEqual(sent);
});

describe('Output', () => {
	const meta = expect.objectContaining({ ctx_id: expect.any(String) });
	const whole = { success: true, data: expect.any(Object), meta };

	test.each(oneCasePerOperation.filter(({ gives }) => typeof gives === 'string'))(
		'of $title gives the whole answer as one item',
		async ({ parameters }) => {
			const run = await bench.run({ ...parameters, options: { output: 'response' } });
			expect(jsonOf(run)).toEqual([whole]);
		},
	);
});
