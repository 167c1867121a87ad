/** The editor's "Test" button on a stored credential; all that it can say is among the engine tests. */
import { expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import type { Fault } from '../sandbox/server.mts';
import { credentialFile } from './imports.mts';
import { useLab } from './lab.mts';
import { storeCredentials } from './rest-setup.mts';

const { v2Full, v1AllScopes } = sandboxCredentials;
const v2 = { apiKey: v2Full };
const v1 = { apiVersion: 'v1', accessToken: v1AllScopes };

const lab = useLab({ name: 'credential', sandbox: { companies: 10 } });

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

// After a 401 n8n itself asks once more, in case a credential can renew itself.
test.each<[string, Record<string, string>, Fault | undefined, number, string]>([
	['a v1 token as v2 (401)', { apiKey: v1AllScopes }, undefined, 2, 'API Version fits it'],
	['a refusal (403)', v2, { status: 403 }, 1, 'recognizes this key or token but refuses it'],
	['success: false', v2, { transform: 'successFalse' }, 1, 'says that the check failed'],
	['nothing there', { ...v2, baseUrl: 'http://127.0.0.1:1' }, undefined, 0, 'ECONNREFUSED'],
])('%s is told in words of its own, without the key', async (_name, data, fault, count, words) => {
	if (fault) lab.sandbox.addFault(fault);
	const { status, message } = await storeAndTest(data);
	expect(status).toBe('Error');
	expect(message).toContain(words);
	expect(message).not.toContain(data.apiKey);
	expect(lab.sandbox.requests).toHaveLength(count);
});
