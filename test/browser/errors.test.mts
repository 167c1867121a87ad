import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import { openNode, openWorkflow } from './canvas.mts';
import { useEditorLab } from './editor-lab.mts';
import { credentialFile, nodeName, workflowWithNode } from './fixtures.mts';
import { runStep } from './panel.mts';
import { takePicture } from './artifacts.mts';
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
				fields: { assignments: [{ id: '1', name: 'industry', type: 'string', value: 'Toys' }] },
			}),
		},
		{ id: ids.rateLimit, ...workflowWithNode('full', { options: { maxRetries: 0, maxWait: 0 } }) },
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
	expect(description).toContain('API Version');
	expect(lab.sandbox.requests.map(({ path, status }) => [path, status])).toEqual([
		[companiesPath, 401],
	]);
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
	expect(description).toContain('raise Max Wait');
	expect(description).toContain('Too many requests.');
	expect(description).toContain('ctx_rate_limit');
	expect(lab.sandbox.requests).toHaveLength(1);
	await pictureError(page, 'error-rate-limit');
});

/** Every other failure: what the service does, and how the error begins that a person reads. */
const otherFailures: Array<[string, object, string]> = [
	['400', { status: 400 }, 'The service did not accept the request'],
	['402', { status: 402 }, 'The workspace has no credit left for this'],
	['404', { status: 404 }, 'The service does not know this address'],
	['408', { status: 408 }, 'The service gave up waiting for the request'],
	['409', { status: 409 }, 'The request conflicts with something in the workspace'],
	['413', { status: 413 }, 'The request is too large for the service'],
	['418', { status: 418 }, 'The service refused the request (HTTP 418)'],
	['422', { status: 422 }, 'The service could not work with the data that was sent'],
	['500', { status: 500 }, 'The service failed to answer (HTTP 500)'],
	['503', { status: 503 }, 'The service failed to answer (HTTP 503)'],
	['a broken connection', { action: 'reset' }, 'The connection to 127.0.0.1'],
	['half an answer', { action: 'truncate' }, 'The connection to 127.0.0.1'],
	[
		'a web page',
		{ status: 200, body: '<title>Hello</title>' },
		'The service answered with something',
	],
	['success: false', { transform: 'successFalse' }, 'The service reports that the request failed'],
	['no items', { transform: 'dropItems' }, 'The answer of the service holds no list of records'],
	['no pagination', { transform: 'dropPagination' }, 'The answer of the service does not say how'],
];

describe('every other failure, as it is read in the editor', () => {
	test.each(otherFailures)('%s', async (name, fault, beginning) => {
		lab.sandbox.clearFaults();
		// Where a size of pages may be what is refused, smaller ones are asked for.
		lab.sandbox.addFault({ path: companiesPath, times: 3, ...fault });
		const page = await lab.openPage({ size });
		const { message, description } = await failIn(page, ids.rateLimit);
		await takePicture(page.getByTestId('output-panel'), 'error', name.replace(/\W+/g, '-'));

		expect(message.startsWith(beginning), message).toBe(true);
		expect(description.length).toBeGreaterThan(20);
		expect(description).not.toMatch(/undefined|\[object|NaN/);
	});
});
