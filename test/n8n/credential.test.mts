import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sandboxCredentials, startSandbox } from '../sandbox/server.mts';
import type { Fault, Sandbox } from '../sandbox/server.mts';
import { keepEvidenceOfFailures } from './artifacts.mts';
import { startN8nUnderTest } from './n8n-under-test.mts';
import type { N8nUnderTest } from './n8n-under-test.mts';

const v2 = {
	apiVersion: 'v2',
	apiKey: sandboxCredentials.v2Full,
	accessToken: '',
	workspaceCode: '',
};
const v1 = { ...v2, apiVersion: 'v1', apiKey: '', accessToken: sandboxCredentials.v1AllScopes };
const wrongKey = { ...v2, apiKey: 'fake-unknown-key' };

let sandbox: Sandbox;
let n8n: N8nUnderTest;

beforeAll(async () => {
	sandbox = await startSandbox({ companies: 10 });
	n8n = await startN8nUnderTest({ name: 'credential' });
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

beforeEach(() => {
	sandbox.clearFaults();
	sandbox.clearRequests();
});
keepEvidenceOfFailures('credential', () => ({
	logFiles: n8n ? [n8n.server.logFile] : [],
	sandbox,
}));

/** Stores a credential through n8n's REST API, as the editor does, and presses "Test". */
async function storeAndTest(data: Record<string, unknown>) {
	const { id } = await n8n.client.request<{ id: string }>('POST', '/credentials', {
		name: 'Workspace Data account',
		type: 'workspaceDataApi',
		data: { baseUrl: sandbox.url, ...data },
	});
	try {
		return await n8n.client.testCredential(id);
	} finally {
		await n8n.client.request('DELETE', `/credentials/${id}`);
	}
}

describe('a good credential', () => {
	test.each([
		['v2 API key', v2, '/v2/public/auth/whoami', 'v2-full'],
		['v1 access token', v1, '/v1/public/auth/whoami', 'v1-all-scopes'],
		[
			'key pasted with Bearer',
			{ ...v2, apiKey: ` Bearer ${v2.apiKey} ` },
			'/v2/public/auth/whoami',
			'v2-full',
		],
	])('%s is OK and was sent once', async (_name, data, path, label) => {
		expect(await storeAndTest(data)).toMatchObject({ status: 'OK' });
		expect(sandbox.requests).toHaveLength(1);
		expect(sandbox.requests[0]).toMatchObject({ path, credential: label, status: 200 });
	});

	test('a slash after the base URL does no harm', async () => {
		const result = await storeAndTest({ ...v2, baseUrl: `${sandbox.url}/` });
		expect(result).toMatchObject({ status: 'OK' });
		expect(sandbox.requests.map(({ path }) => path)).toEqual(['/v2/public/auth/whoami']);
	});
});

describe('each reason to fail has its own words', () => {
	test.each<[string, Record<string, unknown>, Fault | undefined, string]>([
		['an unknown key (401)', wrongKey, undefined, 'Key or token not recognized'],
		[
			'a v1 token as v2 (401)',
			{ ...v2, apiKey: sandboxCredentials.v1AllScopes },
			undefined,
			'API Version fits it',
		],
		['a refusal (403)', v2, { status: 403 }, 'recognizes this key or token but refuses it'],
		['no service there (404)', v2, { status: 404 }, 'everything before /v1 or /v2'],
		['too many requests (429)', v2, { status: 429 }, 'receiving too many requests'],
		['success: false', v2, { transform: 'successFalse' }, 'says that the check failed'],
	])('%s', async (_name, data, fault, words) => {
		if (fault) sandbox.addFault(fault);
		const result = await storeAndTest(data);
		expect(result.status).toBe('Error');
		expect(result.message).toContain(words);
		// After a 401 n8n itself asks once more, in case a credential can renew itself.
		expect(sandbox.requests).toHaveLength(sandbox.requests[0].status === 401 ? 2 : 1);
	});

	test.each([
		['an address where nothing listens', 'http://127.0.0.1:1'],
		['a name that does not exist', 'http://workspace-data.invalid'],
		['something that is no address', 'my workspace'],
		['no address', ''],
	])('%s', async (_name, baseUrl) => {
		const result = await storeAndTest({ ...v2, baseUrl });
		expect(result.status).toBe('Error');
		expect(result.message).not.toBe('');
		expect(sandbox.requests).toEqual([]);
		console.log(`${baseUrl || '(empty)'}: ${result.message}`);
	});

	test('no message repeats the key', async () => {
		const { message } = await storeAndTest(wrongKey);
		expect(message).not.toContain(wrongKey.apiKey);
	});
});
