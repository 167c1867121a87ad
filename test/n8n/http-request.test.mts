/** n8n's HTTP Request node with this package's credential, as README tells to set it up. */
import { expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import { credentialFile, sandboxCredential } from './imports.mts';
import { useLab } from './lab.mts';
import { chain, manualTrigger, n8nNode } from './workflows.mts';
import type { RunnableWorkflow } from './workflows.mts';

const path = '/v2/public/companies/123';
const codeCredential = { id: 'workspaceCode', name: 'Workspace code' };

let withKey: RunnableWorkflow;
let withCode: RunnableWorkflow;

/** A request with a JSON body. */
function request(method: string, url: string, jsonBody: string, credential = sandboxCredential) {
	const parameters = {
		method,
		url,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'workspaceDataApi',
		sendBody: true,
		specifyBody: 'json',
		jsonBody,
		options: {},
	};
	const credentials = { workspaceDataApi: credential };
	const node = n8nNode('HTTP Request', 'httpRequest', 4.2, parameters, { credentials });
	return chain(`${method} ${url}`, [manualTrigger(), node]);
}

const lab = useLab({
	name: 'http-request',
	sandbox: { companies: 10 },
	credentials: (baseUrl) => [
		credentialFile(codeCredential.id, codeCredential.name, {
			baseUrl,
			apiVersion: 'v1',
			accessToken: sandboxCredentials.v1AllScopes,
			workspaceCode: sandboxCredentials.workspaceCode,
		}),
	],
	workflows: (url) => {
		withKey = request('PATCH', `${url}${path}`, '{"name":"New name"}');
		withCode = request('POST', `${url}/v1/enrich`, '{"domain":"example.com"}', codeCredential);
		return [withKey, withCode];
	},
});

test('the key is added for a path and method that this package has no operation for, and stored nowhere', async () => {
	const body = { success: true, data: { id: '123' } };
	lab.sandbox.addFault({ method: 'PATCH', path, status: 200, body });
	const execution = await lab.succeed(withKey);
	expect(lab.sandbox.requests).toMatchObject([
		{ method: 'PATCH', path, body: { name: 'New name' }, credential: 'v2-full' },
	]);
	expect(JSON.stringify(execution)).not.toContain(sandboxCredentials.v2Full);
});

test('the workspace code goes where it belongs', async () => {
	await lab.succeed(withCode);
	expect(lab.sandbox.requests).toMatchObject([
		{ path: '/v1/enrich', credential: 'workspace-code', status: 200 },
	]);
});
