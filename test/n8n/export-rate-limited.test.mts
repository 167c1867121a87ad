import { afterAll, beforeAll, expect, test } from 'vitest';
import { sandboxCredentials, startSandbox } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/server.mts';
import { keepEvidenceOfFailures } from './artifacts.mts';
import { sandboxCredentialFile } from './imports.mts';
import { startN8nUnderTest } from './n8n-under-test.mts';
import type { N8nUnderTest } from './n8n-under-test.mts';
import { itemsOf } from './rest.mts';
import { chain, dataNode, manualTrigger, startName } from './workflows.mts';

const companies = 2_503;
const minute = 60_000;
const workflow = chain('Rate limited export', [
	manualTrigger(),
	dataNode({
		resource: 'company',
		operation: 'getAll',
		returnAll: true,
		outputAs: 'ndjson',
		options: { pageSize: 100, recordsPerFile: 500 },
	}),
]);

let sandbox: Sandbox;
let n8n: N8nUnderTest;

beforeAll(async () => {
	sandbox = await startSandbox({ companies });
	n8n = await startN8nUnderTest({
		name: 'rate-limited',
		credentials: [sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Full)],
		workflows: [workflow],
	});
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

keepEvidenceOfFailures('rate-limited', () => ({ logFiles: [n8n?.server.logFile], sandbox }));

test(
	'an export that is refused for a minute waits and holds each record once',
	async () => {
		const path = '/v2/public/companies';
		sandbox.addFault({ path, skip: 22, status: 429, headers: { 'retry-after': '60' } });
		const started = Date.now();
		const execution = await n8n.client.runWorkflow(workflow.id, startName, 3 * minute);

		expect(execution.error?.message).toBeUndefined();
		expect(Date.now() - started).toBeGreaterThan(minute);
		const ids: unknown[] = [];
		for (const { binary } of itemsOf(execution, 'Workspace Data')) {
			const response = await n8n.client.readFile(binary?.data.id ?? '');
			const lines = (await response.text()).trimEnd().split('\n');
			ids.push(...lines.map((line) => (JSON.parse(line) as { id: unknown }).id));
		}
		expect(ids).toHaveLength(companies);
		expect(new Set(ids).size).toBe(companies);
		expect(sandbox.requests.filter(({ status }) => status === 429)).toHaveLength(1);
	},
	5 * minute,
);
