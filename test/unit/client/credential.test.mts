import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { WorkspaceDataApi } from '../../../credentials/WorkspaceDataApi.credentials.ts';
import {
	authenticationHeaders,
	cleanSecret,
	CredentialProblem,
	normaliseBaseUrl,
	readCredential,
} from '../../../nodes/client/credential.ts';

const BASE_URL = 'https://api.example.com';
const KEY = 'fake-v2-full-access-key';
const TOKEN = 'fake-v1-access-token';
const CODE = 'fake-workspace-code';

/** The problem that the work ends in; fails the test when it ends in anything else. */
function problemOf(work: () => unknown): CredentialProblem {
	try {
		work();
	} catch (error) {
		if (error instanceof CredentialProblem) return error;
		throw error;
	}
	throw new Error('expected a CredentialProblem');
}

describe('normaliseBaseUrl', () => {
	it.each([
		['https://api.example.com', BASE_URL],
		['  https://api.example.com/ \n', BASE_URL],
		['https://api.example.com///', BASE_URL],
		['HTTPS://API.example.com', BASE_URL],
		['http://localhost:8080/data/', 'http://localhost:8080/data'],
		['https://api.example.com:443', BASE_URL],
		['http://[::1]:3000', 'http://[::1]:3000'],
	])('takes %j', (typed, expected) => {
		expect(normaliseBaseUrl(typed)).toBe(expected);
	});

	it.each([
		['', /is empty/],
		['   ', /is empty/],
		[undefined, /is empty/],
		[null, /is empty/],
		[42, /is empty/],
		['api.example.com', /web address|must start with/],
		['//api.example.com', /web address/],
		['ftp://api.example.com', /must start with https/],
		['javascript:alert(1)', /must start with https/],
		['https://someone@api.example.com', /user name or password/],
		['https://someone:word@api.example.com', /user name or password/],
		['https://:word@api.example.com', /user name or password/],
		['https://api.example.com?a=1', /"\?" or "#"/],
		['https://api.example.com/#part', /"\?" or "#"/],
	])('refuses %j', (typed, words) => {
		const { problem, fix } = problemOf(() => normaliseBaseUrl(typed));
		expect(problem).toMatch(words);
		expect(fix).toMatch(/https:\/\/api.example.com$|own field/);
	});

	it('gives the same for what it gave, and otherwise only a CredentialProblem', () => {
		const start = fc.constantFrom('http://', ' HTTPS://', 'ftp://', '//', '');
		const host = fc.constantFrom('a.example', 'A.example:443/', '[::1]:80', 'me@a.example', '');
		const typed = fc.tuple(start, host, fc.string()).map((parts) => parts.join(''));
		fc.assert(
			fc.property(typed, (value) => {
				try {
					const normal = normaliseBaseUrl(value);
					expect(normal).toMatch(/^https?:\/\/[^?#]*[^/?#]$/);
					expect(normaliseBaseUrl(normal)).toBe(normal);
				} catch (error) {
					expect(error).toBeInstanceOf(CredentialProblem);
				}
			}),
		);
	});
});

describe('cleanSecret', () => {
	it.each([
		[KEY, KEY],
		[`  ${KEY}\n`, KEY],
		[`Bearer ${KEY}`, KEY],
		[` bearer   ${KEY} `, KEY],
		['fake-bearer -key', 'fake-bearer -key'],
		[undefined, ''],
		[7, ''],
	])('makes %j into %j', (typed, expected) => {
		expect(cleanSecret(typed)).toBe(expected);
	});
});

describe('readCredential', () => {
	it('reads a v2 key and nothing of the v1 fields', () => {
		const data = {
			baseUrl: `${BASE_URL}/`,
			apiVersion: 'v2',
			apiKey: `Bearer ${KEY}`,
			accessToken: TOKEN,
			workspaceCode: CODE,
		};
		expect(readCredential(data)).toEqual({
			baseUrl: BASE_URL,
			apiVersion: 'v2',
			bearer: KEY,
			workspaceCode: '',
			secrets: [KEY],
		});
	});

	it('takes v2 where no version is stored', () => {
		expect(readCredential({ baseUrl: BASE_URL, apiKey: KEY }).apiVersion).toBe('v2');
	});

	it('reads a v1 token with and without a workspace code, and a code alone', () => {
		const v1 = { baseUrl: BASE_URL, apiVersion: 'v1' };
		expect(readCredential({ ...v1, accessToken: TOKEN }).secrets).toEqual([TOKEN]);
		expect(readCredential({ ...v1, accessToken: TOKEN, workspaceCode: CODE }).secrets).toEqual([
			TOKEN,
			CODE,
		]);
		expect(readCredential({ ...v1, workspaceCode: CODE })).toMatchObject({
			bearer: '',
			workspaceCode: CODE,
		});
	});

	it.each([
		[{ apiVersion: 'v2', accessToken: TOKEN }, 'API Key'],
		[{ apiVersion: 'v2', apiKey: ' ' }, 'API Key'],
		[{ apiVersion: 'v1', apiKey: KEY }, 'Access Token'],
		[{ apiVersion: 'v2', apiKey: 'fake key' }, 'API Key'],
		[{ apiVersion: 'v2', apiKey: 'fake-kéy' }, 'API Key'],
		[{ apiVersion: 'v1', accessToken: 'fake\r\nX-Other: 1' }, 'Access Token'],
		[{ apiVersion: 'v1', accessToken: TOKEN, workspaceCode: 'fake\u0000code' }, 'Workspace Code'],
	])('refuses %j and names the field', (data, field) => {
		const { message, fix } = problemOf(() => readCredential({ baseUrl: BASE_URL, ...data }));
		expect(message).toContain(field);
		expect(fix).toMatch(/developer settings|set API Version to/);
		for (const value of [KEY, TOKEN, CODE, 'fake']) expect(message).not.toContain(value);
	});
});

it.each(['Bearer ', '', undefined])('takes %j for no key at all', (apiKey) => {
	expect(problemOf(() => readCredential({ baseUrl: BASE_URL, apiKey })).message).toBe(
		'The API Key of the credential is empty. Create one in the workspace developer settings and paste it here.',
	);
});

describe('authenticationHeaders', () => {
	const v1 = readCredential({
		baseUrl: `${BASE_URL}/data`,
		apiVersion: 'v1',
		accessToken: TOKEN,
		workspaceCode: CODE,
	});

	it('sends a bearer header, and no code with a v2 key', () => {
		const credential = readCredential({ baseUrl: BASE_URL, apiKey: KEY, workspaceCode: CODE });
		expect(authenticationHeaders(credential, `${BASE_URL}/v1/enrich`)).toEqual({
			Authorization: `Bearer ${KEY}`,
		});
	});

	it.each(['/v1/enrich', '/v1/score', '/v1/score?trace=1', '/v1/enrich#part'])(
		'adds the workspace code for %s',
		(path) => {
			expect(authenticationHeaders(v1, `${BASE_URL}/data${path}`)).toEqual({
				Authorization: `Bearer ${TOKEN}`,
				'X-Workspace-Code': CODE,
			});
		},
	);

	it.each([
		`${BASE_URL}/data/v1/public/auth/whoami`,
		`${BASE_URL}/data/v1/enrichment`,
		`${BASE_URL}/data/v1/score/`,
		`${BASE_URL}/data/v2/enrich`,
		`${BASE_URL}/v1/enrich`,
		'https://other.example.com/v1/enrich',
		'https://other.example.com/?https://api.example.com/data/v1/enrich',
		`${BASE_URL}/data/../data/v1/enrich`,
	])('keeps the workspace code from %s', (url) => {
		expect(authenticationHeaders(v1, url)).toEqual({ Authorization: `Bearer ${TOKEN}` });
	});

	it('sends no empty bearer header with a workspace code alone', () => {
		const credential = readCredential({
			baseUrl: BASE_URL,
			apiVersion: 'v1',
			workspaceCode: CODE,
		});
		expect(authenticationHeaders(credential, `${BASE_URL}/v1/score`)).toEqual({
			'X-Workspace-Code': CODE,
		});
	});
});

describe('a key in the field of the other version', () => {
	it.each([
		['v2', { accessToken: TOKEN }, 'API Key', 'Access Token', 'V1 – Developer Access Token'],
		['v1', { apiKey: KEY }, 'Access Token', 'API Key', 'V2 – Developer API Key'],
	])('of %s is named', (apiVersion, given, empty, filled, title) => {
		const read = () => readCredential({ baseUrl: BASE_URL, apiVersion, ...given });
		const { problem, fix } = problemOf(read);
		expect(problem).toBe(`The ${empty} of the credential is empty, but its ${filled} is not`);
		expect(fix).toContain(`set API Version to "${title}"`);
	});

	it('are added to a request of the HTTP Request node, which has other names for the address and redirects', async () => {
		const data = { baseUrl: BASE_URL, apiVersion: 'v1', accessToken: TOKEN, workspaceCode: CODE };
		const options = { uri: `${BASE_URL}/v1/enrich?a=1`, followAllRedirects: true };
		await new WorkspaceDataApi().authenticate(data, options as never);
		expect(options).toMatchObject({
			headers: { Authorization: `Bearer ${TOKEN}`, 'X-Workspace-Code': CODE },
			followRedirect: false,
			followAllRedirects: false,
		});
	});
});
