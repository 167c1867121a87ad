import { describe, expect, test } from 'vitest';
import { countsOf } from '../../sandbox/object-types.mts';
import { sandboxCredentials } from '../../sandbox/server.mts';
import {
	credentialNames,
	sampleCases,
	type CredentialName,
	type SampleCase,
} from '../../samples.mts';
import { jsonOf, useSandbox } from '../harness/support.mts';

const bench = useSandbox(countsOf(130));

function credentialOf(name: CredentialName): Record<string, unknown> {
	const value = sandboxCredentials[name];
	return versionOf(name) === 'v1' ? bench.v1(value) : bench.v2(value);
}

const versionOf = (name: CredentialName) => (name.startsWith('v1') ? 'v1' : 'v2');

function expectResults({ gives }: SampleCase, results: Array<Record<string, unknown>>): void {
	if (gives === 'one') expect(results).toHaveLength(1);
	if (gives === 'several') expect(results.length).toBeGreaterThan(1);
	if (typeof gives !== 'object') return;
	const ids = [...bench.sandbox.records(gives.records)].map(({ id }) => id);
	expect(results.map(({ id }) => id).sort()).toEqual(ids.sort());
}

describe.each(sampleCases)('$name', (sample) => {
	test.each(credentialNames)('%s', async (name) => {
		sample.prepare?.(bench.sandbox);
		const expected = sample.requests[versionOf(name)];
		const run = await bench.run(sample.parameters, { credential: credentialOf(name) });
		if (expected === undefined) {
			expect(run.error?.message).toContain(`${sample.title} needs a developer API key (v2)`);
			expect(bench.sandbox.requests).toHaveLength(0);
			return;
		}
		expect(bench.sandbox.requests[0]).toMatchObject(expected);
		if (sample.allowed.includes(name)) {
			expect(run.error).toBeUndefined();
			expectResults(sample, jsonOf(run));
			return;
		}
		const credential = versionOf(name) === 'v1' ? 'access token' : 'API key';
		expect(run.error?.message).toBe(`This ${credential} is not allowed to use ${sample.title}`);
		expect(run.error?.description).toContain(sample.needs?.[versionOf(name)]);
		expect(bench.sandbox.requests).toHaveLength(1);
	});
});

describe('a key that was entered with the wrong API Version', () => {
	const everyAccess = sampleCases.filter(
		({ requests, title, name }) => requests.v1 && title === name,
	);

	test.each(everyAccess)('$name says which of the two it is', async ({ parameters }) => {
		const token = await bench.run(parameters, {
			credential: bench.v2(sandboxCredentials.v1AllScopes),
		});
		expect(token.error?.message).toBe(
			'The credential holds a v1 access token, but its API Version says V2',
		);
		expect(token.error?.description).toContain('"V1 – Developer Access Token"');
		const key = await bench.run(parameters, { credential: bench.v1(sandboxCredentials.v2Full) });
		expect(key.error?.message).toBe(
			'The credential holds a v2 API key, but its API Version says V1',
		);
		expect(key.error?.description).toContain('"V2 – Developer API Key"');
	});

	test('is asked about once for all items of a run, and never where the key is known', async () => {
		const enrich = { resource: 'company', operation: 'enrich', dataToSend: 'autoMapInputData' };
		const items = [{ domain: 'a.example' }, { domain: 'b.example' }];
		const more = { items, onError: 'continueRegularOutput' } as const;
		await bench.run(enrich, { credential: bench.v2('fake-unknown-key'), ...more });
		const paths = bench.sandbox.requests.map(({ path }) => path);
		expect(paths.filter((path) => path === '/v1/public/auth/whoami')).toHaveLength(1);
		bench.sandbox.clearRequests();
		await bench.run(enrich, { credential: bench.v2(sandboxCredentials.v2Regular), ...more });
		expect(bench.sandbox.requests.map(({ path }) => path)).toEqual(['/v2/enrich', '/v2/enrich']);
	});

	test('says nothing of the kind where neither knows it', async () => {
		const whoAmI = { resource: 'workspace', operation: 'whoAmI' };
		const run = await bench.run(whoAmI, { credential: bench.v2('fake-unknown-key') });
		expect(run.error?.message).toBe('The service does not know this API key');
	});
});
