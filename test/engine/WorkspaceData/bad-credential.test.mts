import { describe, expect, test } from 'vitest';
import { useSandbox } from '../harness/support.mts';

const bench = useSandbox({ companies: 10 });

const companies = { resource: 'company', operation: 'getAll' };

describe('a credential that cannot work is refused before any request', () => {
	// The others are in test/unit/client/credential.test.mts.
	test.each([
		[{ baseUrl: 'ftp://example.com' }, /Base URL.*is not a web address/],
		[{ apiKey: '  ' }, /API Key of the credential is empty/],
	])('%j', async (wrong, message) => {
		const run = await bench.run(companies, { credential: { ...bench.v2(), ...wrong } });
		expect(run.error?.message).toMatch(message);
		expect(run.error?.description).toContain('Open the credential');
		expect(bench.sandbox.requests).toHaveLength(0);
	});

	test('a key with a line break in it is refused without being shown', async () => {
		const apiKey = 'fake-v2\nfull-access-key';
		const run = await bench.run(companies, { credential: { ...bench.v2(), apiKey } });
		expect(run.error?.message).toContain('line break');
		expect(JSON.stringify(run.run)).not.toContain('full-access-key');
	});
});

test('what people paste is put right: spaces and slashes around the base URL, and a Bearer prefix', async () => {
	const { baseUrl, apiKey } = bench.v2() as { baseUrl: string; apiKey: string };
	const credential = { apiVersion: 'v2', baseUrl: ` ${baseUrl}// `, apiKey: ` Bearer ${apiKey}\n` };
	await bench.succeed({ ...companies, limit: 2 }, { credential });
	expect(bench.sandbox.requests).toMatchObject([
		{ path: '/v2/public/companies', credential: 'v2-full', status: 200 },
	]);
});
