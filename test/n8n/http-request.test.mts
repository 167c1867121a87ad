import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sandboxCredentials, startSandbox } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/server.mts';
import { keepEvidenceOfFailures } from './artifacts.mts';
import { sandboxCredential, sandboxCredentialFile } from './imports.mts';
import { startN8nUnderTest } from './n8n-under-test.mts';
import type { N8nUnderTest } from './n8n-under-test.mts';
import { itemsOf } from './rest.mts';
import { chain, manualTrigger, startName } from './workflows.mts';
import type { RunnableWorkflow } from './workflows.mts';

const nodeName = 'HTTP Request';

let sandbox: Sandbox;
let n8n: N8nUnderTest;
let known: RunnableWorkflow;
let unknown: RunnableWorkflow;

/** n8n's HTTP Request node with this package's credential, as README tells to set it up. */
function requestWorkflow(name: string, parameters: Record<string, unknown>): RunnableWorkflow {
	return chain(name, [
		manualTrigger(),
		{
			name: nodeName,
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: {
				authentication: 'predefinedCredentialType',
				nodeCredentialType: 'workspaceDataApi',
				options: {},
				...parameters,
			},
			credentials: { workspaceDataApi: sandboxCredential },
		},
	]);
}

beforeAll(async () => {
	sandbox = await startSandbox({ companies: 10 });
	known = requestWorkflow('Known path', { url: `${sandbox.url}/v2/public/companies?limit=3` });
	unknown = requestWorkflow('Unknown path', {
		method: 'PATCH',
		url: `${sandbox.url}/v2/public/companies/123`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '{"name":"New name"}',
	});
	n8n = await startN8nUnderTest({
		name: 'http-request',
		credentials: [sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Full)],
		workflows: [known, unknown],
	});
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

beforeEach(() => sandbox.clearRequests());
keepEvidenceOfFailures('http-request', () => ({
	logFiles: n8n ? [n8n.server.logFile] : [],
	sandbox,
}));

test('the key is added to a request of the HTTP Request node', async () => {
	const execution = await n8n.client.runWorkflow(known.id, startName);

	expect(execution.status, execution.error?.message).toBe('success');
	expect(sandbox.requests).toHaveLength(1);
	expect(sandbox.requests[0]).toMatchObject({ credential: 'v2-full', status: 200 });
	const [{ json }] = itemsOf(execution, nodeName);
	expect(json).toMatchObject({ success: true, data: { items: expect.any(Array) } });
});

test('also for a path and method that this package has no operation for', async () => {
	const path = '/v2/public/companies/123';
	sandbox.addFault({
		method: 'PATCH',
		path,
		status: 200,
		body: { success: true, data: { id: '123' } },
	});
	const execution = await n8n.client.runWorkflow(unknown.id, startName);

	expect(execution.status, execution.error?.message).toBe('success');
	expect(sandbox.requests[0]).toMatchObject({
		method: 'PATCH',
		path,
		body: { name: 'New name' },
		credential: 'v2-full',
	});
});

test('the execution that n8n stores holds no key', async () => {
	const execution = await n8n.client.runWorkflow(known.id, startName);
	expect(JSON.stringify(execution)).not.toContain(sandboxCredentials.v2Full);
});
