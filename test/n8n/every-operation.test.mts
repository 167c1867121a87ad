import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sandboxCredentials, startSandbox } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/server.mts';
import { keepEvidenceOfFailures } from './artifacts.mts';
import { sandboxCredential, sandboxCredentialFile } from './imports.mts';
import { startN8nUnderTest } from './n8n-under-test.mts';
import type { N8nUnderTest } from './n8n-under-test.mts';
import { itemsOf } from './rest.mts';
import { chain, dataNode, manualTrigger, startName } from './workflows.mts';

const v1Credential = { id: 'workspaceDataSandboxV1', name: 'Workspace Data sandbox v1' };
const send = { dataToSend: 'json', jsonBody: '{ "domain": "example.com" }' };

/** Every row of the README's operation table, with the path for each credential kind. */
const rows = [
	{
		parameters: { resource: 'company', operation: 'enrich', ...send },
		v2: '/v2/enrich',
		v1: '/v1/enrich',
	},
	{
		parameters: { resource: 'company', operation: 'getAll', returnAll: true },
		v2: '/v2/public/companies',
	},
	{
		parameters: { resource: 'company', operation: 'prospect', ...send },
		v2: '/v2/prospect/companies',
	},
	{
		parameters: { resource: 'company', operation: 'score', ...send },
		v2: '/v2/score',
		v1: '/v1/score',
	},
	{
		parameters: { resource: 'deal', operation: 'score', ...send },
		v2: '/v2/score',
		v1: '/v1/score',
	},
	{ parameters: { resource: 'item', operation: 'getAll', limit: 7 }, v2: '/v2/public/items' },
	{ parameters: { resource: 'order', operation: 'getAll', limit: 7 }, v2: '/v2/public/orders' },
	{
		parameters: { resource: 'record', operation: 'query', objectType: 'deal', limit: 7 },
		v2: '/v2/public/records/query',
	},
	{
		parameters: { resource: 'workspace', operation: 'whoAmI' },
		v2: '/v2/public/auth/whoami',
		v1: '/v1/public/auth/whoami',
	},
];

const cases = rows.flatMap(({ parameters, v2, v1 }) => {
	const name = `${parameters.resource} ${parameters.operation}`;
	const v1Case = { name: `${name} v1`, parameters, path: v1, credential: v1Credential };
	return [{ name: `${name} v2`, parameters, path: v2, credential: sandboxCredential }, v1Case];
});
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
		async ({ id, path, parameters }) => {
			const execution = await n8n.client.runWorkflow(id, startName);
			if (path === undefined) {
				expect(execution.status).toBe('error');
				expect(execution.error?.message).toContain('needs a developer API key (v2)');
				expect(sandbox.requests).toHaveLength(0);
				return;
			}
			expect(execution.error?.message).toBeUndefined();
			expect(execution.status).toBe('success');
			expect(new Set(sandbox.requests.map((request) => request.path))).toEqual(new Set([path]));
			const results = itemsOf(execution, 'Workspace Data');
			expect(results.length).toBeGreaterThan(0);
			if ('returnAll' in parameters) {
				expect(new Set(results.map(({ json }) => json.id)).size).toBe(2_503);
			}
			if ('limit' in parameters) expect(results).toHaveLength(7);
		},
	);
});
