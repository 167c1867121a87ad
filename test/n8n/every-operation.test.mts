import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sandboxCredentials, startSandbox } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/server.mts';
import { sampleCases } from '../samples.mts';
import { keepEvidenceOfFailures } from './artifacts.mts';
import { sandboxCredential, sandboxCredentialFile } from './imports.mts';
import { startN8nUnderTest } from './n8n-under-test.mts';
import type { N8nUnderTest } from './n8n-under-test.mts';
import { itemsOf } from './rest.mts';
import { chain, dataNode, manualTrigger, startName } from './workflows.mts';

const v1Credential = { id: 'workspaceDataSandboxV1', name: 'Workspace Data sandbox v1' };

const credentials = [
	{ version: 'v2', credential: sandboxCredential },
	{ version: 'v1', credential: v1Credential },
] as const;
const cases = sampleCases.flatMap((sample) =>
	credentials.map(({ version, credential }) => ({
		...sample,
		name: `${sample.name} ${version}`,
		credential,
		expected: sample.requests[version],
	})),
);
const workflows = cases.map(({ name, parameters, credential }) =>
	chain(name, [
		manualTrigger(),
		dataNode(parameters, { credentials: { workspaceDataApi: credential } }),
	]),
);

let sandbox: Sandbox;
let n8n: N8nUnderTest;

beforeAll(async () => {
	sandbox = await startSandbox({ companies: 2_503 });
	n8n = await startN8nUnderTest({
		name: 'every-operation',
		credentials: [
			sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Full),
			{
				...v1Credential,
				type: 'workspaceDataApi',
				data: {
					baseUrl: sandbox.url,
					apiVersion: 'v1',
					apiKey: '',
					accessToken: sandboxCredentials.v1AllScopes,
					workspaceCode: '',
				},
			},
		],
		workflows,
	});
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

beforeEach(() => sandbox.clearRequests());

keepEvidenceOfFailures('every-operation', () => ({ logFiles: [n8n?.server.logFile], sandbox }));

describe('every operation in a real n8n, with both kinds of credential', () => {
	test.each(cases.map((entry, index) => ({ ...entry, id: workflows[index].id })))(
		'$name',
		async ({ id, expected, gives, title, prepare }) => {
			prepare?.(sandbox);
			const execution = await n8n.client.runWorkflow(id, startName);
			if (expected === undefined) {
				expect(execution.status).toBe('error');
				expect(execution.error?.message).toContain(`${title} needs a developer API key (v2)`);
				expect(sandbox.requests).toHaveLength(0);
				return;
			}
			expect(execution.error?.message).toBeUndefined();
			expect(execution.status).toBe('success');
			expect(sandbox.requests[0]).toMatchObject(expected);
			const results = itemsOf(execution, 'Workspace Data');
			if (gives === 'one') expect(results).toHaveLength(1);
			if (gives === 'several') expect(results.length).toBeGreaterThan(1);
			if (typeof gives !== 'object') return;
			const ids = [...sandbox.records(gives.records)].map(({ id }) => id);
			expect(results.map(({ json }) => json.id).sort()).toEqual(ids.sort());
		},
	);
});
