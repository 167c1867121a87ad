import { describe, expect, it } from 'vitest';

import { WorkspaceDataApi } from '../../../../credentials/WorkspaceDataApi.credentials.ts';
import {
	authenticationHeaders,
	CredentialProblem,
	readCredential,
	webAddressOf,
} from '../../../../nodes/shared/client/credential.ts';
import { thrown } from '../../thrown.mts';

const BASE_URL = 'https://api.example.com';
const KEY = 'fake-v2-full-access-key';
const TOKEN = 'fake-v1-access-token';
const CODE = 'fake-workspace-code';
const V1 = { baseUrl: `${BASE_URL}/data`, apiVersion: 'v1', accessToken: TOKEN };

const baseUrlOf = (baseUrl: unknown): string => readCredential({ baseUrl, apiKey: KEY }).baseUrl;

const problemOf = (data: Record<string, unknown>): CredentialProblem =>
	thrown(CredentialProblem, () => readCredential({ baseUrl: BASE_URL, ...data }));

describe('the base URL', () => {
	it.each([
		['  https://api.example.com/ \n', BASE_URL],
		['https://api.example.com///', BASE_URL],
		['HTTPS://API.example.com:443', BASE_URL],
		['http://localhost:8080/data/', 'http://localhost:8080/data'],
		['http://[::1]:3000', 'http://[::1]:3000'],
		['https://api.example.com/v9', 'https://api.example.com/v9'],
		['https://api.example.com/v2/data', 'https://api.example.com/v2/data'],
		['https://v2', 'https://v2'],
	])('reads the base URL %j as %j', (typed, expected) => {
		expect(baseUrlOf(typed)).toBe(expected);
	});

	it.each([
		...['', '   ', 42].map((typed): [unknown, RegExp] => [typed, /is not a web address/]),
		['api.example.com', /not a web address/],
		['//api.example.com', /not a web address/],
		['ftp://api.example.com', /not a web address/],
		['git+https://api.example.com', /not a web address/],
		['javascript:alert(1)', /not a web address/],
		['https://someone@api.example.com', /user name, a password/],
		['https://:word@api.example.com', /user name, a password/],
		['https://api.example.com?a=1', /"\?" or "#"/],
		['https://api.example.com/#part', /"\?" or "#"/],
		...['v1', 'v1/', 'v2', 'V2', ' v2// '.trim()].map((version): [unknown, RegExp] => [
			`https://api.example.com/${version}`,
			/must not end in \/v1 or \/v2/,
		]),
	])('rejects the base URL %j and names the fix', (baseUrl, words) => {
		const { problem, fix } = problemOf({ baseUrl, apiKey: KEY });
		expect(problem).toMatch(words);
		expect(fix).toMatch(/https:\/\/api.example.com$|own field/);
	});
});

describe('the API key or access token', () => {
	it.each([`  ${KEY}\n`, `Bearer ${KEY}`, ` bearer   ${KEY} `])(
		'reads the API key from %j without spaces and "Bearer"',
		(apiKey) => {
			// The fields of a v1 credential are ignored, because the API version is v2 if none is stored.
			const others = { accessToken: TOKEN, workspaceCode: CODE };
			expect(readCredential({ baseUrl: BASE_URL, apiKey, ...others })).toEqual({
				baseUrl: BASE_URL,
				apiVersion: 'v2',
				bearer: KEY,
				workspaceCode: '',
				secrets: [KEY],
			});
		},
	);

	it('accepts a v1 token with or without a workspace code, and a workspace code alone', () => {
		expect(readCredential(V1).secrets).toEqual([TOKEN]);
		expect(readCredential({ ...V1, workspaceCode: CODE }).secrets).toEqual([TOKEN, CODE]);
		const none = authenticationHeaders(readCredential(V1), `${V1.baseUrl}/v1/score`);
		expect(Object.keys(none)).toEqual(['Authorization']);
		expect(readCredential({ ...V1, accessToken: 'a-bearer' }).bearer).toBe('a-bearer');
		const codeAlone = readCredential({ ...V1, accessToken: '', workspaceCode: CODE });
		expect(codeAlone).toMatchObject({ bearer: '', workspaceCode: CODE });
		expect(authenticationHeaders(codeAlone, `${V1.baseUrl}/v1/score`)).toEqual({
			'X-Workspace-Code': CODE,
		});
	});

	it.each([
		[{ apiVersion: 'v2', apiKey: 'fake key' }, 'API Key'],
		[{ apiVersion: 'v2', apiKey: 'fake-kéy' }, 'API Key'],
		[{ apiVersion: 'v1', accessToken: 'fake\r\nX-Other: 1' }, 'Access Token'],
		[{ apiVersion: 'v1', accessToken: TOKEN, workspaceCode: 'fake\u0000code' }, 'Workspace Code'],
	])('rejects the credential %j and names the invalid field', (data, field) => {
		const { message, fix } = problemOf(data);
		expect(message).toContain(field);
		expect(fix).toContain('developer settings');
		expect(message).not.toContain('fake');
	});

	it.each(['Bearer ', ' ', '', 7])(
		'reports that the API key is empty if its value is %j',
		(apiKey) => {
			expect(problemOf({ apiKey }).message).toBe(
				'The API Key of the credential is empty. Create one in the workspace developer settings and paste it here.',
			);
		},
	);
});

describe('the authentication headers of a request', () => {
	const credential = readCredential({ ...V1, workspaceCode: CODE });
	const bearer = { Authorization: `Bearer ${TOKEN}` };

	it.each(['/v1/enrich', '/v1/score', '/v1/score?trace=1', '/v1/enrich#part'])(
		'sends the workspace code to %s',
		(path) => {
			const headers = { ...bearer, 'X-Workspace-Code': CODE };
			expect(authenticationHeaders(credential, `${V1.baseUrl}${path}`)).toEqual(headers);
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
	])('sends no workspace code to %s', (url) => {
		expect(authenticationHeaders(credential, url)).toEqual(bearer);
	});

	it('rejects a list of addresses as a web address', () => {
		expect(webAddressOf([BASE_URL])).toBeUndefined();
	});

	it('keeps `authenticate` in a copy of the credential type, because n8n makes a copy for the HTTP Request node', () => {
		const copy: Partial<WorkspaceDataApi> = { ...new WorkspaceDataApi() };
		expect(copy.authenticate).toBeTypeOf('function');
		expect(Object.getOwnPropertyNames(WorkspaceDataApi.prototype)).toEqual(['constructor']);
	});

	it('adds the authentication headers to a request of the HTTP Request node, which uses different option names', async () => {
		const options = { uri: `${V1.baseUrl}/v1/enrich?a=1`, followAllRedirects: true };
		const given = { ...V1, workspaceCode: CODE, ignoreSslIssues: true };
		await new WorkspaceDataApi().authenticate(given, options as never);
		expect(options).toMatchObject({
			headers: { ...bearer, 'X-Workspace-Code': CODE },
			followRedirect: false,
			followAllRedirects: false,
			rejectUnauthorized: false,
		});
	});
});
