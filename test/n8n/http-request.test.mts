/** n8n's HTTP Request node with this package's credential, as README tells to set it up. */
import { expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import { sandboxCredential } from './imports.mts';
import { useLab } from './lab.mts';
import { itemsOf } from './rest.mts';
import { chain, manualTrigger } from './workflows.mts';
import type { RunnableWorkflow } from './workflows.mts';

const nodeName = 'HTTP Request';
const path = '/v2/public/companies/123';

let known: RunnableWorkflow;
let unknown: RunnableWorkflow;
let withCode: RunnableWorkflow;

const codeCredential = { id: 'workspaceCode', name: 'Workspace code' };

function requestWorkflow(
	name: string,
	parameters: Record<string, unknown>,
	credential = sandboxCredential,
): RunnableWorkflow {
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
			credentials: { workspaceDataApi: credential },
		},
	]);
}

const lab = useLab({
	name: 'http-request',
	sandbox: { companies: 10 },
	credentials: (baseUrl) => [
		{
			...codeCredential,
			type: 'workspaceDataApi',
			data: {
				baseUrl,
				apiVersion: 'v1',
				accessToken: sandboxCredentials.v1AllScopes,
				workspaceCode: sandboxCredentials.workspaceCode,
			},
		},
	],
	workflows: (url) => {
		known = requestWorkflow('Known path', { url: `${url}/v2/public/companies?limit=3` });
		unknown = requestWorkflow('Unknown path', {
			method: 'PATCH',
			url: `${url}${path}`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '{"name":"New name"}',
		});
		const enrich = {
			method: 'POST',
			url: `${url}/v1/enrich`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '{"domain":"example.com"}',
		};
		withCode = requestWorkflow('Workspace code', enrich, codeCredential);
		return [known, unknown, withCode];
	},
});

test('the key is added to a request of the HTTP Request node, and stored nowhere', async () => {
	const execution = await lab.succeed(known);

	expect(lab.sandbox.requests).toMatchObject([{ credential: 'v2-full', status: 200 }]);
	const [{ json }] = itemsOf(execution, nodeName);
	expect(json).toMatchObject({ success: true, data: { items: expect.any(Array) } });
	expect(JSON.stringify(execution)).not.toContain(sandboxCredentials.v2Full);
});

test('also for a path and method that this package has no operation for', async () => {
	const body = { success: true, data: { id: '123' } };
	lab.sandbox.addFault({ method: 'PATCH', path, status: 200, body });
	await lab.succeed(unknown);

	expect(lab.sandbox.requests).toMatchObject([
		{ method: 'PATCH', path, body: { name: 'New name' }, credential: 'v2-full' },
	]);
});

test('the workspace code goes where it belongs', async () => {
	await lab.succeed(withCode);

	expect(lab.sandbox.requests).toMatchObject([
		{ path: '/v1/enrich', credential: 'workspace-code', status: 200 },
	]);
});
