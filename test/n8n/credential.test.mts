import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { sandboxCredentials, startSandbox, type Fault } from '../sandbox/server.mts';
import { credentialFile } from './imports.mts';
import { useLab } from './lab.mts';
import { storeCredentials } from './rest-setup.mts';

const { v2Full, v1AllScopes } = sandboxCredentials;
const v2 = { apiKey: v2Full };
const v1 = { apiVersion: 'v1', accessToken: v1AllScopes };
const wrongKey = { apiKey: 'fake-unknown-key' };

const page = {
	status: 200,
	body: '<!doctype html><title>Welcome</title>',
	contentType: 'text/html',
};

const lab = useLab({ name: 'credential', sandbox: { companies: 10 } });

/** Stores a credential through n8n's REST API, runs its credential test as the editor does, and deletes it. */
async function storeAndTest({ baseUrl = 'SANDBOX', ...data }: Record<string, unknown>) {
	const address = String(baseUrl).replace('SANDBOX', lab.sandbox.url);
	const file = credentialFile('tested', 'Tested', { baseUrl: address, ...data });
	const { tested } = await storeCredentials(lab.client, [file]);
	try {
		return await lab.client.testCredential(tested.id);
	} finally {
		await lab.client.request('DELETE', `/credentials/${tested.id}`);
	}
}

test.each([
	['a v2 API key', v2, 'v2-full'],
	['a v1 access token', v1, 'v1-all-scopes'],
	['a key that was pasted with "Bearer"', { apiKey: ` Bearer ${v2Full} ` }, 'v2-full'],
	['spaces and slashes around the base URL', { ...v2, baseUrl: '  SANDBOX//  ' }, 'v2-full'],
])('passes the credential test with %s, and sends one request', async (_name, data, credential) => {
	const path = `/${credential.slice(0, 2)}/public/auth/whoami`;
	expect(await storeAndTest(data)).toMatchObject({ status: 'OK' });
	expect(lab.sandbox.requests).toMatchObject([{ path, credential, status: 200 }]);
});

test.each<[string, Record<string, string>, Fault | undefined, string]>([
	['an unknown key (HTTP 401)', wrongKey, undefined, 'Key or token not recognized'],
	['a v1 token used as v2 (HTTP 401)', { apiKey: v1AllScopes }, undefined, "'API Version' fits it"],
	['a rejected request (HTTP 400)', v2, { status: 400 }, 'did not accept the request'],
	['a missing permission (HTTP 403)', v2, { status: 403 }, 'refuses this request (HTTP 403)'],
	['a wrong address (HTTP 404)', v2, { status: 404 }, 'everything before /v1 or /v2'],
	['throttling (HTTP 429)', v2, { status: 429 }, 'receiving too many requests'],
	['a service outage (HTTP 503)', v2, { status: 503 }, 'could not process the request (HTTP 503)'],
	['a web page instead of JSON', v2, page, "This 'Base URL' leads to a web page"],
	[
		'a web page that begins with a line break',
		v2,
		{ ...page, body: `\n${page.body}` },
		'leads to a web page',
	],
	['a response with success: false', v2, { transform: 'successFalse' }, 'did not accept the test'],
])('explains %s in a credential test, and hides the key', async (_name, data, fault, words) => {
	if (fault) lab.sandbox.addFault(fault);
	const { status, message } = await storeAndTest(data);
	expect(status).toBe('Error');
	expect(message).toContain(words);
	expect(message).not.toContain(data.apiKey);
	// After HTTP 401, n8n repeats the test request, because some credential types can renew their token.
	expect(lab.sandbox.requests).toHaveLength(lab.sandbox.requests[0].status === 401 ? 2 : 1);
});

test.each([301, 302, 303, 307, 308])(
	'does not follow a redirect with HTTP %i, so that no other server receives the key',
	async (status) => {
		const other = await startSandbox({ companies: 1 });
		const location = `${other.url}/v2/public/auth/whoami`;
		lab.sandbox.addFault({ status, headers: { location } });
		const { message } = await storeAndTest(v2);
		expect(message).toContain("redirects requests to this 'Base URL'");
		expect(other.requests).toEqual([]);
		await other.stop();
	},
);

test.each([
	['not a web address', () => 'my workspace', 'is not a web address'],
	['empty', () => '', "'Base URL' of the credential is not a web address"],
	['an address without a server', () => 'http://127.0.0.1:1', 'ECONNREFUSED'],
	['a host name that does not exist', () => 'http://workspace-data.invalid', 'ENOTFOUND'],
	[
		'an HTTPS address of an HTTP server',
		() => lab.sandbox.url.replace('http:', 'https:'),
		'EPROTO',
	],
])('explains the problem if the base URL of a credential is %s', async (_name, baseUrl, words) => {
	const { status, message } = await storeAndTest({ ...v2, baseUrl: baseUrl() });
	expect(status).toBe('Error');
	expect(message).toContain(words);
	expect(lab.sandbox.requests).toEqual([]);
	// If the message is only an error code, docs/troubleshooting.md must explain the code, because the credential's
	// form links to this page.
	const page = await readFile('docs/troubleshooting.md', 'utf8');
	if (/^E[A-Z]+$/.test(words)) expect(page).toContain(`\`${message}\``);
});
