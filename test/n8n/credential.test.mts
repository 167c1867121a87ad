import { expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import type { Fault } from '../sandbox/server.mts';
import { credentialFile } from './imports.mts';
import { useLab } from './lab.mts';
import { storeCredentials } from './rest-setup.mts';

const { v2Full, v1AllScopes } = sandboxCredentials;
const v2 = { apiKey: v2Full };
const v1 = { apiVersion: 'v1', accessToken: v1AllScopes };
const wrongKey = { apiKey: 'fake-unknown-key' };

const lab = useLab({ name: 'credential', sandbox: { companies: 10 } });

/** Stores a credential through n8n's REST API, as the editor does, and presses "Test". */
async function storeAndTest(data: Record<string, string>) {
	const file = credentialFile('tested', 'Tested', { baseUrl: lab.sandbox.url, ...data });
	const { tested } = await storeCredentials(lab.client, [file]);
	try {
		return await lab.client.testCredential(tested.id);
	} finally {
		await lab.client.request('DELETE', `/credentials/${tested.id}`);
	}
}

test.each([
	['v2 API key', v2, 'v2-full'],
	['v1 access token', v1, 'v1-all-scopes'],
	['key pasted with Bearer', { apiKey: ` Bearer ${v2Full} ` }, 'v2-full'],
])('%s is OK and was sent once', async (_name, data, credential) => {
	const path = `/${credential.slice(0, 2)}/public/auth/whoami`;
	expect(await storeAndTest(data)).toMatchObject({ status: 'OK' });
	expect(lab.sandbox.requests).toMatchObject([{ path, credential, status: 200 }]);
});

test('a slash after the base URL does no harm', async () => {
	const result = await storeAndTest({ ...v2, baseUrl: `${lab.sandbox.url}/` });
	expect(result).toMatchObject({ status: 'OK' });
	expect(lab.sandbox.requests.map(({ path }) => path)).toEqual(['/v2/public/auth/whoami']);
});

test.each<[string, Record<string, string>, Fault | undefined, string]>([
	['an unknown key (401)', wrongKey, undefined, 'Key or token not recognized'],
	['a v1 token as v2 (401)', { apiKey: v1AllScopes }, undefined, 'API Version fits it'],
	['a refusal (403)', v2, { status: 403 }, 'recognizes this key or token but refuses it'],
	['no service there (404)', v2, { status: 404 }, 'everything before /v1 or /v2'],
	['too many requests (429)', v2, { status: 429 }, 'receiving too many requests'],
	['success: false', v2, { transform: 'successFalse' }, 'says that the check failed'],
])('%s is told in words of its own, without the key', async (_name, data, fault, words) => {
	if (fault) lab.sandbox.addFault(fault);
	const { status, message } = await storeAndTest(data);
	expect(status).toBe('Error');
	expect(message).toContain(words);
	expect(message).not.toContain(data.apiKey);
	// After a 401 n8n itself asks once more, in case a credential can renew itself.
	expect(lab.sandbox.requests).toHaveLength(lab.sandbox.requests[0].status === 401 ? 2 : 1);
});

test.each([
	['an address where nothing listens', 'http://127.0.0.1:1', 'ECONNREFUSED'],
	['a name that does not exist', 'http://workspace-data.invalid', 'ENOTFOUND'],
	['something that is no address', 'my workspace', 'is not a web address'],
	['no address', '', 'Base URL of the credential is empty'],
])('%s', async (_name, baseUrl, words) => {
	const { status, message } = await storeAndTest({ ...v2, baseUrl });
	expect(status).toBe('Error');
	expect(message).toContain(words);
	expect(lab.sandbox.requests).toEqual([]);
});
