import { describe, expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import type { Fault } from '../sandbox/server.mts';
import { useLab } from './lab.mts';

const v2 = {
	apiVersion: 'v2',
	apiKey: sandboxCredentials.v2Full,
	accessToken: '',
	workspaceCode: '',
};
const v1 = { ...v2, apiVersion: 'v1', apiKey: '', accessToken: sandboxCredentials.v1AllScopes };
const wrongKey = { ...v2, apiKey: 'fake-unknown-key' };

const lab = useLab({ name: 'credential', sandbox: { companies: 10 } });

/** Stores a credential through n8n's REST API, as the editor does, and presses "Test". */
async function storeAndTest(data: Record<string, unknown>) {
	const { id } = await lab.client.request<{ id: string }>('POST', '/credentials', {
		name: 'Workspace Data account',
		type: 'workspaceDataApi',
		data: { baseUrl: lab.sandbox.url, ...data },
	});
	try {
		return await lab.client.testCredential(id);
	} finally {
		await lab.client.request('DELETE', `/credentials/${id}`);
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
		expect(lab.sandbox.requests).toHaveLength(1);
		expect(lab.sandbox.requests[0]).toMatchObject({ path, credential: label, status: 200 });
	});

	test('a slash after the base URL does no harm', async () => {
		const result = await storeAndTest({ ...v2, baseUrl: `${lab.sandbox.url}/` });
		expect(result).toMatchObject({ status: 'OK' });
		expect(lab.sandbox.requests.map(({ path }) => path)).toEqual(['/v2/public/auth/whoami']);
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
		if (fault) lab.sandbox.addFault(fault);
		const result = await storeAndTest(data);
		expect(result.status).toBe('Error');
		expect(result.message).toContain(words);
		// After a 401 n8n itself asks once more, in case a credential can renew itself.
		expect(lab.sandbox.requests).toHaveLength(lab.sandbox.requests[0].status === 401 ? 2 : 1);
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
		expect(lab.sandbox.requests).toEqual([]);
		console.log(`${baseUrl || '(empty)'}: ${result.message}`);
	});

	test('no message repeats the key', async () => {
		const { message } = await storeAndTest(wrongKey);
		expect(message).not.toContain(wrongKey.apiKey);
	});
});
