import { afterAll, beforeAll, expect, test } from 'vitest';
import { sandboxCredentials, startSandbox } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/types.mts';
import { readExamples, sandboxCredentialFile } from './imports.mts';
import type { WorkflowFile } from './imports.mts';
import { startN8nUnderTest } from './n8n-under-test.mts';
import type { N8nUnderTest } from './n8n-under-test.mts';
import { itemsOf } from './rest.mts';
import type { Execution } from './rest.mts';

let sandbox: Sandbox;
let n8n: N8nUnderTest;
let example: WorkflowFile;

beforeAll(async () => {
	sandbox = await startSandbox({ companies: 300 });
	example = (await readExamples())['changed-companies-to-enrich'];
	n8n = await startN8nUnderTest({
		name: 'trigger-example',
		credentials: [sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Full)],
		workflows: [example],
	});
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

/** Runs the example as "Execute workflow" in the editor does: with the records of "Fetch Test Event". */
async function run(): Promise<Execution> {
	const execution = await n8n.client.runWorkflow(example.id, 'When a company changes');
	expect(execution.error?.message).toBeUndefined();
	expect(execution.status).toBe('success');
	return execution;
}

test('changed-companies-to-enrich keeps an enriched row for each company, and pays for none twice', async () => {
	const first = await run();
	const ids = itemsOf(first, 'When a company changes').map(({ json }) => json.id);
	expect(ids.length).toBeGreaterThan(0);
	const rows = itemsOf(first, 'Write its row').map(({ json }) => json);
	expect(rows.map(({ company_id }) => company_id).toSorted()).toEqual(ids.toSorted());
	for (const { enrichment } of rows) {
		expect(JSON.parse(String(enrichment))).toHaveProperty('enriched_at');
	}
	expect(sandbox.calls.enrich).toHaveLength(ids.length);

	await run();
	expect(sandbox.calls.enrich).toHaveLength(ids.length);
});
