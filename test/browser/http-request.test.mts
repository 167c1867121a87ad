/**
 * Tests this package's credential in n8n's HTTP Request node, and the choice Custom API Call, which n8n adds to this
 * package's node.
 */
import { expect, test } from 'vitest';
import { sandboxCredential } from '../n8n/imports.mts';
import { chain, manualTrigger, n8nNode } from '../n8n/workflows.mts';
import { takePicture } from './artifacts.mts';
import { useEditorLab } from './editor-lab.mts';
import { nodeName, workflowWithNode } from './fixtures.mts';
import { choose, itemsShown, parameter, runStep } from './panel.mts';

const lab = useEditorLab({ name: 'http-request' });

const name = 'Another request';
const credentials = { workspaceDataApi: sandboxCredential };
const requestOf = (parameters: Record<string, unknown>, more: object = {}) =>
	chain('Another request', [
		{ ...manualTrigger(), name: 'When clicking ‘Execute workflow’' },
		{ ...n8nNode(name, 'httpRequest', 4.2, { ...parameters, options: {} }), ...more },
	]);

test("offers this package's credential in HTTP Request, and reads companies with the credential", async () => {
	const url = `${lab.sandbox.url}/v2/public/companies?limit=5`;
	const page = await lab.openNodeOf(requestOf({ url }), name);
	await choose(page, 'authentication', 'Predefined Credential Type');
	const search = parameter(page, 'nodeCredentialType').locator('input');
	await search.click();
	await page.keyboard.type('workspace');
	const found = page.getByText('Workspace Data API', { exact: true }).filter({ visible: true });
	await found.waitFor();
	await takePicture(page, 'http request', 'search');
	await found.click();
	const credential = page.getByTestId('node-credentials-select').locator('input').first();
	await expect.poll(() => credential.inputValue()).toBe(sandboxCredential.name);
	lab.sandbox.clearRequests();
	await runStep(page);
	expect(await itemsShown(page)).toContain('1 item');
	expect(lab.sandbox.requests).toMatchObject([
		{ path: '/v2/public/companies', credential: 'v2-full', status: 200 },
	]);
});

test("updates a record with HTTP Request and this package's credential", async () => {
	const [{ id }] = lab.sandbox.records('company');
	const workflow = requestOf(
		{
			method: 'PATCH',
			url: `${lab.sandbox.url}/v2/public/companies/${String(id)}`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'workspaceDataApi',
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '{ "name": "Changed" }',
		},
		{ credentials },
	);
	const page = await lab.openNodeOf(workflow, name);
	await runStep(page);
	const changed = [...lab.sandbox.records('company')].find((record) => record.id === id);
	expect(changed).toMatchObject({ name: 'Changed' });
});

test('explains what to do if the user chooses Custom API Call in Operation', async () => {
	const page = await lab.openNodeOf(workflowWithNode({}), nodeName);
	await choose(page, 'operation', 'Custom API Call');
	await takePicture(page, 'custom api call', 'chosen');
	lab.sandbox.clearRequests();
	await runStep(page);
	const output = page.getByTestId('output-panel');
	expect(await output.getByTestId('node-error-message').innerText()).toBe(
		'For a custom API call, use the HTTP Request node',
	);
	const description = await output.getByTestId('node-error-description').innerText();
	expect(description).toContain("'Credential Type' to Workspace Data API");
	expect(lab.sandbox.requests).toEqual([]);
});
