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

const agedDays = 31;
const aged = ['fake-brewer.example', 'fake-weaver.example'];

/** Makes two of the kept results as old as if they had been paid for a month ago. */
const age = chain('Age results', [
	manualTrigger(),
	items(aged.map((domain) => ({ domain }))),
	{
		name: 'Make it old',
		type: 'n8n-nodes-base.dataTable',
		typeVersion: 1.1,
		parameters: {
			resource: 'row',
			operation: 'update',
			dataTableId: { __rl: true, mode: 'name', value: 'Paid enrichments' },
			matchType: 'allConditions',
			filters: {
				conditions: [{ keyName: 'domain', condition: 'eq', keyValue: '={{ $json.domain }}' }],
			},
			columns: {
				mappingMode: 'defineBelow',
				value: { paid_at: `={{ $now.minus({ days: ${agedDays} }).toISO() }}` },
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

function domainsOf(execution: Execution, node: string): unknown[] {
	return itemsOf(execution, node).map(({ json }) => json.domain);
}

test('paid-once-kept pays for each company once, and again only for what has become old', async () => {
	// The first run cannot enrich one of them.
	sandbox.addFault({ path: '/v2/enrich', skip: 2, status: 500 });
	const first = await run();
	const list = domainsOf(first, 'One item per company');
	const [failed] = itemsOf(first, 'Enrich the company', 1).map(({ json }) => json.domain);
	expect(list).toContain(failed);
	const different = [...new Set(list)].toSorted();
	expect(paid()).toEqual(different.filter((domain) => domain !== failed));
	expect(domainsOf(first, 'All results')).toEqual(list.filter((domain) => domain !== failed));

	const second = await run();
	expect(paid()).toEqual([failed]);
	expect(domainsOf(second, 'All results')).toEqual(list);
	for (const { json } of itemsOf(second, 'All results')) {
		expect(json.enrichment).toMatchObject({ domain: json.domain, enriched_at: expect.any(String) });
	}

	const third = await run();
	expect(sandbox.requests).toEqual([]);
	expect(domainsOf(third, 'All results')).toEqual(list);

	expect((await n8n.client.runWorkflow(age.id, startName)).status).toBe('success');
	const fourth = await run();
	expect(paid()).toEqual(aged);
	expect(domainsOf(fourth, 'All results')).toEqual(list);

	await run();
	expect(paid()).toEqual([]);
});
