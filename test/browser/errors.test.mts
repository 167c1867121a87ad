import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import { openNode, openWorkflow } from './canvas.mts';
import { credentialForm, openNewCredential, saveCredential } from './credential-form.mts';
import { useEditorLab } from './editor-lab.mts';
import { credentialFile, nodeName, workflowWithNode } from './fixtures.mts';
import { runStep } from './panel.mts';
import { takePicture } from './artifacts.mts';
import { areaOf, mostPictureBytes, takeDocumentPicture } from './pictures.mts';

const companiesPath = '/v2/public/companies';
/** Where nothing listens. */
const deadPort = 9;
const quick = { maxRetries: 0, maxWait: 2 };

/** A mistake of a person, as one node; `heading` is what the editor says, `fix` its first sentence. */
interface Mistake {
	name: string;
	credential: string;
	parameters: Record<string, unknown>;
	heading: string;
	fix: string;
	/** False where docs/errors.md has no picture of it. */
	isInDocs?: false;
	/** Statuses that the service answered with; none where nothing came to it. */
	statuses: number[];
}

const mistakes: Mistake[] = [
	{
		name: 'wrong-key',
		credential: 'wrong',
		parameters: {},
		heading: 'Key or token not recognized',
		fix: 'In the credential, enter an API key (v2)',
		statuses: [401],
	},
	{
		name: 'token-as-key',
		isInDocs: false,
		credential: 'tokenAsKey',
		parameters: {},
		heading: 'Key or token not recognized',
		fix: 'In the credential, enter an API key (v2)',
		statuses: [401],
	},
	{
		name: 'needs-api-key',
		credential: 'token',
		parameters: {},
		heading:
			'Company: Get Many needs a developer API key (v2), but the credential holds a v1 access token',
		fix: 'In the credential, set API Version to "V2 – Developer API Key"',
		statuses: [],
	},
	{
		name: 'missing-permission',
		credential: 'regular',
		parameters: {
			operation: 'prospect',
			fields: { assignments: [{ id: '1', name: 'industry', type: 'string', value: 'Toys' }] },
		},
		heading: 'This API key is not allowed to use Company: Prospect',
		fix: 'In the credential, enter an API key with Full access.',
		statuses: [403],
	},
	{
		name: 'object-type',
		credential: 'full',
		parameters: {
			resource: 'record',
			operation: 'query',
			objectType: { __rl: true, mode: 'name', value: 'contcats' },
		},
		heading: 'Object type "contcats" not found',
		fix: 'Choose another Object Type in this node, or correct its name.',
		statuses: [404],
	},
	{
		name: 'invalid-json',
		credential: 'full',
		parameters: { operation: 'enrich', dataToSend: 'json', jsonBody: '{ "domain": 1, }' },
		heading: 'Invalid JSON at line 1, column 16',
		fix: 'Correct the parameter JSON there: "}" cannot follow.',
		statuses: [],
	},
	{
		name: 'start-cursor',
		credential: 'full',
		parameters: { options: { startCursor: 'bWlzdHlwZWQ', pageSize: 50 } },
		heading: 'The service refused this Start Cursor',
		fix: 'Clear the option Start Cursor to read from the beginning',
		statuses: [400],
	},
	{
		name: 'host-not-found',
		credential: 'noHost',
		parameters: { options: quick },
		heading: 'Host "api.exmaple.invalid" not found',
		fix: 'Check the spelling of the Base URL in the credential.',
		statuses: [],
	},
	{
		name: 'connection-refused',
		credential: 'noPort',
		parameters: { options: quick },
		heading: `Connection refused by 127.0.0.1:${deadPort}`,
		fix: 'Check the port of the Base URL in the credential, and that the service is running.',
		statuses: [],
	},
	{
		name: 'no-secure-connection',
		isInDocs: false,
		credential: 'noTls',
		parameters: { options: quick },
		heading: 'No secure connection to 127.0.0.1',
		fix: 'Check whether the Base URL in the credential has to start with http:// in place of https://.',
		statuses: [],
	},
];

const lab = useEditorLab({
	name: 'errors',
	credentials: (baseUrl) => {
		const { v2Full: apiKey, v2Regular, v1AllScopes } = sandboxCredentials;
		return [
			credentialFile('wrong', 'A mistyped key', { baseUrl, apiKey: 'fake-mistyped-key' }),
			credentialFile('tokenAsKey', 'A token as a key', { baseUrl, apiKey: v1AllScopes }),
			credentialFile('token', 'A token', {
				baseUrl,
				apiVersion: 'v1',
				accessToken: v1AllScopes,
			}),
			credentialFile('regular', 'Regular access', { baseUrl, apiKey: v2Regular }),
			credentialFile('full', 'Full access', { baseUrl, apiKey }),
			credentialFile('noHost', 'No host', { baseUrl: 'http://api.exmaple.invalid', apiKey }),
			credentialFile('noPort', 'No port', { baseUrl: `http://127.0.0.1:${deadPort}`, apiKey }),
			credentialFile('noTls', 'No TLS', { baseUrl: baseUrl.replace('http:', 'https:'), apiKey }),
		];
	},
	workflows: () => [
		...mistakes.map(({ name, credential, parameters }) => ({
			id: idOf(name),
			...workflowWithNode(credential, parameters),
		})),
		{
			id: idOf('list'),
			...workflowWithNode('full', { options: { maxRetries: 0, maxWait: 0, pageSize: 20 } }),
		},
		{ id: idOf('fault'), ...workflowWithNode('full', { options: { maxRetries: 0, maxWait: 0 } }) },
	],
});

function idOf(name: string): string {
	return `error-${name}`;
}

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

describe('a mistake has its own heading, and its description begins with the fix', () => {
	test.each(mistakes)('$name', async ({ name, heading, fix, statuses, isInDocs = true }) => {
		const page = await lab.openPage({ size });
		const { message, description } = await failIn(page, idOf(name));

		expect(message.startsWith(heading), message).toBe(true);
		expect(description.startsWith(fix), description).toBe(true);
		expect(`${message}${description}`).not.toMatch(/fake-mistyped-key|bWlzdHlwZWQ/);
		expect(lab.sandbox.requests.map(({ status }) => status)).toEqual(statuses);
		if (isInDocs) await pictureError(page, idOf(name));
		else await takePicture(page.getByTestId('output-panel'), idOf(name));
	});
});

test("the credential's form says what the codes of n8n's test mean", async () => {
	const page = await lab.openPage({ size: { width: 1280, height: 1000 } });
	await openNewCredential(page);
	const baseUrl = `http://127.0.0.1:${deadPort}`;
	await saveCredential(page, { baseUrl, apiKey: sandboxCredentials.v2Full });
	const notice = credentialForm(page).locator('[data-test-id*=notice], .notice').first();
	await takePicture(page, 'credential', 'code');
	expect(await notice.innerText()).toMatch(/ECONNREFUSED: its port is wrong/);
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
	const { message, description } = await failIn(page, idOf('fault'));

	expect(message).toBe('The service is receiving too many requests');
	expect(description).toContain('raise Max Wait');
	expect(description).toContain('Too many requests.');
	expect(description).toContain('ctx_rate_limit');
	expect(lab.sandbox.requests).toHaveLength(1);
	await pictureError(page, 'error-rate-limit');
});

test('an export that broke off: its cursor is a line of its own, and is copied whole', async () => {
	lab.sandbox.addFault({ path: companiesPath, status: 503, skip: 2 });
	const page = await lab.openPage({ size });
	const { message, description } = await failIn(page, idOf('list'));

	expect(message).toBe('The service failed to answer (HTTP 503)');
	expect(description.startsWith('Run this again in a while.')).toBe(true);
	const cursor = String(lab.sandbox.requests[2]?.query.cursor);
	expect(description.split('\n').at(-1)).toBe(cursor);
	const text = page.getByTestId('output-panel').getByTestId('node-error-description');
	const { height = 0 } = (await text.boundingBox()) ?? {};
	await text.click({ clickCount: 3, position: { x: 40, y: height - 8 } });
	const selected = await page.evaluate<string>('window.getSelection().toString()');
	expect(selected.trim()).toBe(cursor);
	await page.evaluate('window.getSelection().removeAllRanges()');
	await pictureError(page, 'error-export-broke-off');
});

/** Every other failure: what the service does, and how the error begins that a person reads. */
const otherFailures: Array<[string, object, string]> = [
	['400', { status: 400 }, 'The service did not accept the request'],
	['402', { status: 402 }, 'The workspace has no credit left for this'],
	['404', { status: 404 }, 'Address not found at the service'],
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
	['no items', { transform: 'dropItems' }, 'The API response holds no list of records'],
	['no pagination', { transform: 'dropPagination' }, 'The API response does not say how'],
];

describe('every other failure, as it is read in the editor', () => {
	test.each(otherFailures)('%s', async (name, fault, beginning) => {
		lab.sandbox.clearFaults();
		// Where a size of pages may be what is refused, smaller ones are asked for.
		lab.sandbox.addFault({ path: companiesPath, times: 3, ...fault });
		const page = await lab.openPage({ size });
		const { message, description } = await failIn(page, idOf('fault'));
		await takePicture(page.getByTestId('output-panel'), 'error', name.replace(/\W+/g, '-'));

		expect(message.startsWith(beginning), message).toBe(true);
		expect(description.length).toBeGreaterThan(20);
		expect(description).not.toMatch(/undefined|\[object|NaN/);
	});
});
