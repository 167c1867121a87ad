import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sandboxCredentials, startSandbox } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/types.mts';
import { readExamples, sandboxCredentialFile } from './imports.mts';
import type { WorkflowFile } from './imports.mts';
import { startN8nUnderTest } from './n8n-under-test.mts';
import type { N8nUnderTest } from './n8n-under-test.mts';
import { itemsOf } from './rest.mts';
import type { Execution } from './rest.mts';
import { chain, items, manualTrigger, startName } from './workflows.mts';

const node = 'Enrich the company';
const aged = 2;

/** Ends the time of two of the kept results, as a month does. */
const age = chain('Age results', [
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

let sandbox: Sandbox;
let n8n: N8nUnderTest;
let example: WorkflowFile;

beforeAll(async () => {
	sandbox = await startSandbox({ companies: 10 });
	example = (await readExamples())['paid-once-kept'];
	n8n = await startN8nUnderTest({
		name: 'paid-once-example',
		credentials: [sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Full)],
		workflows: [example, age],
	});
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

beforeEach(() => {
	sandbox.clearRequests();
	sandbox.clearFaults();
});

async function run(): Promise<Execution> {
	const execution = await n8n.client.runWorkflow(example.id, 'When clicking "Execute workflow"');
	expect(execution.error?.message).toBeUndefined();
	expect(execution.status).toBe('success');
	return execution;
}

/** The domains that were paid for since the last look. */
function paid(): string[] {
	const domains = sandbox.calls.enrich.map((body) => (body as { domain: string }).domain);
	sandbox.clearRequests();
	return domains.toSorted();
}

function domainsOf(execution: Execution, name: string): unknown[] {
	return itemsOf(execution, name).map(({ json }) => json.domain);
}

test('paid-once-kept pays for each company once, and again only for what has become old', async () => {
	// The first run cannot enrich one of them.
	sandbox.addFault({ path: '/v2/enrich', skip: 2, status: 500 });
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
		expect(json.enrichment).toMatchObject({ domain: json.domain, enriched_at: expect.any(String) });
	}

	const third = await run();
	expect(sandbox.requests).toEqual([]);
	expect(itemsOf(third, node)).toEqual(itemsOf(second, node));

	expect((await n8n.client.runWorkflow(age.id, startName)).status).toBe('success');
	const fourth = await run();
	expect(paid()).toHaveLength(aged);
	expect(domainsOf(fourth, node)).toEqual(list);

	await run();
	expect(paid()).toEqual([]);
});
