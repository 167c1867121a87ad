import { expect, test } from 'vitest';
import type { ExampleLab } from './examples-lab.mts';
import { itemsOf } from './rest.mts';
import type { Execution } from './rest.mts';
import { chain, items, manualTrigger } from './workflows.mts';

const node = 'Enrich the company';
const aged = 2;

/** Ends the time of two of the kept results, as a month does. */
export const ageResults = chain('Age results', [
	manualTrigger(),
	items(Array.from({ length: aged }, (_, index) => ({ id: index + 1 }))),
	{
		name: 'Make it old',
		type: 'n8n-nodes-base.dataTable',
		typeVersion: 1.1,
		parameters: {
			resource: 'row',
			operation: 'update',
			dataTableId: { __rl: true, mode: 'name', value: 'workspace_data_results' },
			matchType: 'allConditions',
			filters: { conditions: [{ keyName: 'id', condition: 'eq', keyValue: '={{ $json.id }}' }] },
			columns: {
				mappingMode: 'defineBelow',
				value: { expires: '={{ $now.minus({ seconds: 1 }).toISO() }}' },
				matchingColumns: [],
				schema: [],
			},
			options: {},
		},
	},
]);

/** The example that pays for each company once. */
export function testPaidOnce(example: () => ExampleLab): void {
	/** The domains that were paid for since the last look. */
	function paid(): string[] {
		const { sandbox } = example().lab;
		const domains = sandbox.calls.enrich.map((body) => (body as { domain: string }).domain);
		sandbox.clearRequests();
		return domains.toSorted();
	}

	function domainsOf(execution: Execution, name: string): unknown[] {
		return itemsOf(execution, name).map(({ json }) => json.domain);
	}

	test('pays for each company once, and again only for what has become old', async () => {
		const { lab, examples } = example();
		const run = async () =>
			await lab.succeed(examples['paid-once-kept'], 'When clicking "Execute workflow"');

		// The first run cannot enrich one of them.
		lab.sandbox.addFault({ path: '/v2/enrich', skip: 2, status: 500 });
		const first = await run();
		const list = domainsOf(first, 'A list of companies');
		const [failed] = itemsOf(first, node, 1).map(({ json }) => json.domain);
		expect(list).toContain(failed);
		const different = [...new Set(list)].toSorted();
		expect(different.length).toBeLessThan(list.length);
		expect(paid()).toEqual(different.filter((domain) => domain !== failed));
		expect(domainsOf(first, node)).toEqual(list.filter((domain) => domain !== failed));

		const second = await run();
		expect(paid()).toEqual([failed]);
		expect(domainsOf(second, node)).toEqual(list);
		for (const { json } of itemsOf(second, node)) {
			expect(json.enrichment).toMatchObject({
				domain: json.domain,
				enriched_at: expect.any(String),
			});
		}

		const third = await run();
		expect(lab.sandbox.requests).toEqual([]);
		expect(itemsOf(third, node)).toEqual(itemsOf(second, node));

		await lab.succeed(ageResults);
		const fourth = await run();
		expect(paid()).toHaveLength(aged);
		expect(domainsOf(fourth, node)).toEqual(list);

		await run();
		expect(paid()).toEqual([]);
	});
}
