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
