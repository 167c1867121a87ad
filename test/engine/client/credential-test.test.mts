import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.mts';
import type { Fault } from '../../sandbox/types.mts';
import { callCredentialTest } from '../harness/harness.mts';
import { loadBuiltPackage } from '../harness/runtime.mts';
import { useSandbox } from '../harness/support.mts';

const bench = useSandbox({ companies: 1 });

const whoAmI = '/v2/public/auth/whoami';

describe('the credential test, as n8n runs it', () => {
	test('passes for both kinds, and calls who am I of that version', async () => {
		expect(await callCredentialTest(bench.v2())).toMatchObject({ status: 'OK' });
		expect(await callCredentialTest(bench.v1())).toMatchObject({ status: 'OK' });
		expect(bench.sandbox.requests.map((request) => request.path)).toEqual([
			'/v2/public/auth/whoami',
			'/v1/public/auth/whoami',
		]);
	});

	test('takes a base URL with spaces and slashes around it', async () => {
		const baseUrl = `  ${bench.sandbox.url}//  `;
		expect(await callCredentialTest({ ...bench.v2(), baseUrl })).toMatchObject({ status: 'OK' });
	});

	test.each<[string, Fault, RegExp]>([
		['HTTP 401', { status: 401 }, /^Key or token not recognized/],
		['HTTP 403', { status: 403 }, /refuses it/],
		['HTTP 404', { status: 404 }, /Address not found.*everything before \/v1 or \/v2/],
		['HTTP 429', { status: 429 }, /too many requests/],
		['HTTP 400', { status: 400 }, /did not accept/],
		['HTTP 503', { status: 503 }, /failed to answer \(HTTP 503\)/],
		['a 200 that says success: false', { transform: 'successFalse' }, /check failed/],
		[
			'a website that answers everything with a page',
			{ status: 200, body: '<!doctype html><title>Welcome</title>', contentType: 'text/html' },
			/web page/,
		],
	])('says its own words for %s', async (_name, fault, words) => {
		bench.sandbox.addFault({ path: whoAmI, ...fault, times: 5 });
		const message: unknown = expect.stringMatching(words);
		expect(await callCredentialTest(bench.v2())).toMatchObject({ status: 'Error', message });
	});

	test.each([301, 302, 303, 307, 308])(
		'says that the service redirects, and takes the key nowhere else: HTTP %i',
		async (status) => {
			const other = await startSandbox({ companies: 1 });
			const headers = { location: `${other.url}${whoAmI}` };
			bench.sandbox.addFault({ path: whoAmI, status, headers });
			const result = await callCredentialTest(bench.v2());
			expect(result).toMatchObject({
				status: 'Error',
				message: expect.stringMatching(/answers at this Base URL with a redirect/),
			});
			expect(other.requests).toHaveLength(0);
			await other.stop();
		},
	);

	test('fails for a v1 token entered as a v2 key', async () => {
		const { accessToken } = bench.v1() as { accessToken: string };
		const result = await callCredentialTest(bench.v2(accessToken));
		expect(result.message).toMatch(/API Version fits it/);
	});

	test.each([
		['a name that does not exist', () => 'http://service.invalid'],
		['a port where nothing listens', () => 'http://127.0.0.1:9'],
		['https to a service that speaks http', () => bench.sandbox.url.replace('http:', 'https:')],
	])('says a code that the form puts in words for %s', async (_name, baseUrl) => {
		const { message } = await callCredentialTest({ ...bench.v2(), baseUrl: baseUrl() });
		const { properties } = (await loadBuiltPackage()).credentialTypes.workspaceDataApi;
		const notice = properties.find(({ type }) => type === 'notice')?.displayName;
		expect(message).toMatch(/^E[A-Z_]+$/);
		expect(notice).toMatch(new RegExp(`\\b${message}\\b`));
	});

	test.each([
		['', /Base URL.*empty/],
		['example', /not a web address/],
		['ftp://example.com', /must start with https/],
	])('refuses the base URL %j with the fix', async (baseUrl, words) => {
		const result = await callCredentialTest({ ...bench.v2(), baseUrl });
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(words);
	});
});
