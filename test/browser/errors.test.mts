import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { credentialFile } from '../n8n/imports.mts';
import { sandboxCredentials } from '../sandbox/server.mts';
import { useEditorLab } from './editor-lab.mts';
import { nodeName, workflowWithNode } from './fixtures.mts';
import { deadPort, mistakes } from './mistakes.mts';
import { expectWholeTexts } from './cut-texts.mts';
import { runStep } from './panel.mts';
import { takePicture } from './artifacts.mts';

const companiesPath = '/v2/public/companies';
const lab = useEditorLab({
	name: 'errors',
	credentials: (baseUrl) => {
		const { v2Full: apiKey, v2Regular, v1AllScopes: accessToken } = sandboxCredentials;
		const choices: Record<string, Record<string, string>> = {
			'A mistyped key': { apiKey: 'fake-mistyped-key' },
			'A token': { apiVersion: 'v1', accessToken },
			'Regular access': { apiKey: v2Regular },
			'No host': { baseUrl: 'http://api.exmaple.invalid', apiKey },
			'No port': { baseUrl: `http://127.0.0.1:${deadPort}`, apiKey },
		};
		return Object.entries(choices).map(([name, choice]) =>
			credentialFile(name, name, { baseUrl, ...choice }),
		);
	},
});

/** Runs the node in the open panel, and returns the error in its output. */
async function failIn(page: Page) {
	await runStep(page);
	const output = page.getByTestId('output-panel');
	return {
		message: await output.getByTestId('node-error-message').innerText(),
		description: await output.getByTestId('node-error-description').innerText(),
	};
}

const size = { width: 1900, height: 600 };

describe('errors in the editor', () => {
	test.each(mistakes)('explains the failure "$name" and how to fix it', async (mistake) => {
		const { name, credential, parameters = {}, fault, heading, fix, statuses = [] } = mistake;
		if (fault) lab.sandbox.addFault(fault);
		const workflow = workflowWithNode(parameters, credential);
		const page = await lab.openNodeOf(workflow, nodeName, { size });
		const { message, description } = await failIn(page);

		expect(message.startsWith(heading), message).toBe(true);
		expect(description.startsWith(fix), description).toBe(true);
		expect(`${message}${description}`).not.toMatch(/fake-mistyped-key|bWlzdHlwZWQ/);
		expect(lab.sandbox.requests.map(({ status }) => status)).toEqual(statuses);
		await takePicture(page.getByTestId('output-panel'), 'error', name);
	});
});

test('shows the whole error of an incomplete export, with advice on how to keep its records', async () => {
	lab.sandbox.addFault({ path: companiesPath, status: 503, skip: 2 });
	const workflow = workflowWithNode({
		options: { pagination: { values: { pageSize: 20 } }, requests: { values: { retryFor: 0 } } },
	});
	const page = await lab.openNodeOf(workflow, nodeName, { size });
	const { message, description } = await failIn(page);

	expect(message).toBe('The service could not process the request (HTTP 503)');
	expect(description.startsWith('1. Set On Error to Continue in the settings')).toBe(true);
	expect(description).not.toContain(String(lab.sandbox.requests[2]?.query.cursor));
	await expectWholeTexts(page, page.getByTestId('output-panel'));
});
