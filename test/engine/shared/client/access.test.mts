import { describe, expect, test } from 'vitest';
import { CREDENTIAL_KINDS } from '../../../../nodes/shared/client/credential.ts';
import type { Kind } from '../../../sandbox/authentication.mts';
import { countsOf } from '../../../sandbox/object-types.mts';
import { sandboxCredentials } from '../../../sandbox/server.mts';
import {
	credentialNames,
	sampleCases,
	type CredentialName,
	type SampleCase,
} from '../../../samples.mts';
import { jsonOf, useSandbox } from '../../harness/support.mts';

const bench = useSandbox(countsOf(130));

const versionOf = (name: CredentialName) => name.slice(0, 2) as Kind;

function credentialOf(name: CredentialName): Record<string, unknown> {
	const apiVersion = versionOf(name);
	const { field } = CREDENTIAL_KINDS[apiVersion];
	return { baseUrl: bench.sandbox.url, apiVersion, [field]: sandboxCredentials[name] };
}

function expectResults({ gives }: SampleCase, results: Array<Record<string, unknown>>): void {
	if (gives === 'one') expect(results).toHaveLength(1);
	if (gives === 'several') expect(results.length, 'results').toBeGreaterThan(1);
	if (typeof gives !== 'object') return;
	const ids = [...bench.sandbox.records(gives.records)].map(({ id }) => id);
	expect(results.map(({ id }) => id).sort()).toEqual(ids.sort());
}

describe.each(sampleCases)('$name', (sample) => {
	test.each(credentialNames)(
		'returns results with the credential %s, or an error that names the missing permission',
		async (name) => {
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
			const credential = CREDENTIAL_KINDS[versionOf(name)].shortWords;
			expect(run.error?.message).toContain(
				`This ${credential} is not allowed to use ${sample.title}`,
			);
			expect(run.error?.description).toContain(sample.needs?.[versionOf(name)]);
			expect(bench.sandbox.requests).toHaveLength(1);
		},
	);
});

describe('a key or token that the service does not know', () => {
	const everyAccess = sampleCases.filter(
		({ requests, title, name }) => requests.v1 && title === name,
	);

	test.each(everyAccess)(
		'advises to check API Version if the service does not know the key: $name',
		async ({ parameters }) => {
			for (const [name, credential] of [
				['access token', bench.v1(sandboxCredentials.v2Full)],
				['API key', bench.v2(sandboxCredentials.v1AllScopes)],
			] as const) {
				const { error } = await bench.run(parameters, { credential });
				expect(error?.message).toMatch(/^Key or token not recognized: "/);
				expect(error?.description).toContain(`check that the ${name} was copied whole`);
				const versions = "'API Version' fits it: V1 for an access token, V2 for an API key";
				expect(error?.description).toContain(versions);
			}
			expect(bench.sandbox.requests).toHaveLength(2);
		},
	);
});
