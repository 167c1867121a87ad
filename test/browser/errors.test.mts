import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import { openNode, openWorkflow } from './canvas.mts';
import { useEditorLab } from './editor-lab.mts';
import { credentialFile, nodeName, workflowWithNode } from './fixtures.mts';
import { runStep } from './panel.mts';
import { areaOf, mostPictureBytes, takeDocumentPicture } from './pictures.mts';

const ids = {
	wrongKey: 'errorWrongKey',
	permission: 'errorPermission',
	rateLimit: 'errorRateLimit',
};
const companiesPath = '/v2/public/companies';

const lab = useEditorLab({
	name: 'errors',
	credentials: (baseUrl) => [
		credentialFile('wrong', 'A mistyped key', { baseUrl, apiKey: 'fake-mistyped-key' }),
		credentialFile('regular', 'Regular access', {
			baseUrl,
			apiKey: sandboxCredentials.v2Regular,
		}),
		credentialFile('full', 'Full access', { baseUrl, apiKey: sandboxCredentials.v2Full }),
	],
	workflows: () => [
		{ id: ids.wrongKey, ...workflowWithNode('wrong', {}) },
		{
			id: ids.permission,
			...workflowWithNode('regular', {
				operation: 'prospect',
				fields: { values: [{ name: 'industry', value: 'Toys' }] },
			}),
		},
		{ id: ids.rateLimit, ...workflowWithNode('full', { options: { maxRetries: 0 } }) },
	],
});

interface ErrorShown {
	message: string;
	description: string;
}

/** Runs the node of a workflow and reads the error in its output panel. */
async function failIn(page: Page, workflowId: string): Promise<ErrorShown> {
	await openWorkflow(page, workflowId);
	await openNode(page, nodeName);
	await runStep(page);
	const output = page.getByTestId('output-panel');
	return {
		message: await output.getByTestId('node-error-message').innerText(),
		description: await output.getByTestId('node-error-description').innerText(),
	};
}

/** Pictures the whole panel: what was run on the left, the error on the right. */
async function pictureError(page: Page, name: string): Promise<void> {
	const { y, height, ...panel } = await areaOf(page.getByTestId('ndv'));
	const parameters = await areaOf(page.getByTestId('node-parameters'));
	const area = {
		x: parameters.x,
		y: y + 44,
		width: panel.x + panel.width - parameters.x,
		height: height - 46,
	};
	expect(await takeDocumentPicture(page, name, area)).toBeLessThan(mostPictureBytes);
}

const size = { width: 1900, height: 600 };

test('a wrong key: what the service refused, and where to look', async () => {
	const page = await lab.openPage({ size });
	const { message, description } = await failIn(page, ids.wrongKey);

	expect(message).toBe('The service does not know this API key');
	expect(description).toContain('Open the credential of this node');
	expect(`${message}${description}`).not.toContain('fake-mistyped-key');
	expect(lab.sandbox.requests.map(({ status }) => status)).toEqual([401]);
	await pictureError(page, 'error-wrong-key');
});

test('a missing permission: which one the operation needs', async () => {
	const page = await lab.openPage({ size });
	const { message, description } = await failIn(page, ids.permission);

	expect(message).toBe('This API key is not allowed to use Company: Prospect');
	expect(description).toContain('an API key with Full access');
	expect(lab.sandbox.requests.map(({ status }) => status)).toEqual([403]);
	await pictureError(page, 'error-missing-permission');
});

test('a rate limit that outlasted every retry: what to change', async () => {
	lab.sandbox.addFault({
		path: companiesPath,
		status: 429,
		headers: { 'retry-after': '30' },
		body: {
			success: false,
			error: { code: 'rate_limited', message: 'Too many requests.' },
			meta: { ctx_id: 'ctx_rate_limit' },
		},
	});
	const page = await lab.openPage({ size });
	const { message, description } = await failIn(page, ids.rateLimit);

	expect(message).toBe('The service is receiving too many requests');
	expect(description).toContain('raise Max Retries');
	expect(description).toContain('Too many requests.');
	expect(description).toContain('ctx_rate_limit');
	expect(lab.sandbox.requests).toHaveLength(1);
	await pictureError(page, 'error-rate-limit');
});
