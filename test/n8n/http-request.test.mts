/** n8n's HTTP Request node with this package's credential, as README tells to set it up. */
import { expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import { credentialFile, sandboxCredential } from './imports.mts';
import { useLab } from './lab.mts';
import { itemsOf } from './rest.mts';
import { chain, manualTrigger, n8nNode } from './workflows.mts';
import type { RunnableWorkflow } from './workflows.mts';

const nodeName = 'HTTP Request';
const path = '/v2/public/companies/123';
const codeCredential = { id: 'workspaceCode', name: 'Workspace code' };

let known: RunnableWorkflow;
let unknown: RunnableWorkflow;
let withCode: RunnableWorkflow;

/** A request, with a JSON body where there is one. */
function request(method: string, url: string, jsonBody = '', credential = sandboxCredential) {
	const parameters = {
		method,
		url,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'workspaceDataApi',
		...(jsonBody && { sendBody: true, specifyBody: 'json', jsonBody }),
		options: {},
	};
	const credentials = { workspaceDataApi: credential };
	const node = n8nNode(nodeName, 'httpRequest', 4.2, parameters, { credentials });
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
		known = request('GET', `${url}/v2/public/companies?limit=3`);
		unknown = request('PATCH', `${url}${path}`, '{"name":"New name"}');
		withCode = request('POST', `${url}/v1/enrich`, '{"domain":"example.com"}', codeCredential);
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
