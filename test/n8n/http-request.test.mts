/** n8n's HTTP Request node with this package's credential, as README tells to set it up. */
import { expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import { sandboxCredential } from './imports.mts';
import { useLab } from './lab.mts';
import { chain, manualTrigger, n8nNode } from './workflows.mts';
import type { RunnableWorkflow } from './workflows.mts';

const path = '/v2/public/companies/123';

let workflow: RunnableWorkflow;

/** Changes a company, for which this package has no operation. */
function request(baseUrl: string): RunnableWorkflow {
	const parameters = {
		method: 'PATCH',
		url: `${baseUrl}${path}`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'workspaceDataApi',
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '{"name":"New name"}',
		options: {},
	};
	const credentials = { workspaceDataApi: sandboxCredential };
	const node = n8nNode('HTTP Request', 'httpRequest', 4.2, parameters, { credentials });
	return chain('HTTP Request', [manualTrigger(), node]);
}

const lab = useLab({
	name: 'http-request',
	sandbox: { companies: 10 },
	workflows: (url) => [(workflow = request(url))],
});

test('the key is added for a path and method that this package has no operation for, and stored nowhere', async () => {
	const body = { success: true, data: { id: '123' } };
	lab.sandbox.addFault({ method: 'PATCH', path, status: 200, body });
	const execution = await lab.succeed(workflow);
	expect(lab.sandbox.requests).toMatchObject([
		{ method: 'PATCH', path, body: { name: 'New name' }, credential: 'v2-full' },
	]);
	expect(JSON.stringify(execution)).not.toContain(sandboxCredentials.v2Full);
});
