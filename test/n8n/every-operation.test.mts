import { describe, expect, test } from 'vitest';
import { sampleCases } from '../samples.mts';
import { sandboxCredentials } from '../sandbox/server.mts';
import { sandboxCredential } from './imports.mts';
import { useLab } from './lab.mts';
import { itemsOf } from './rest.mts';
import { chain, dataNode, manualTrigger } from './workflows.mts';

const v1Credential = { id: 'workspaceDataSandboxV1', name: 'Workspace Data sandbox v1' };

const credentials = [
	{ version: 'v2', credential: sandboxCredential },
	{ version: 'v1', credential: v1Credential },
] as const;
const cases = sampleCases.flatMap((sample) =>
	credentials.map(({ version, credential }) => ({
		...sample,
		name: `${sample.name} ${version}`,
		credential,
		expected: sample.requests[version],
	})),
);
const workflows = cases.map(({ name, parameters, credential }) =>
	chain(name, [
		manualTrigger(),
		dataNode(parameters, { credentials: { workspaceDataApi: credential } }),
	]),
);

const lab = useLab({
	name: 'every-operation',
	sandbox: { companies: 2_503 },
	credentials: (url) => [
		{
			...v1Credential,
			type: 'workspaceDataApi',
			data: {
				baseUrl: url,
				apiVersion: 'v1',
				apiKey: '',
				accessToken: sandboxCredentials.v1AllScopes,
				workspaceCode: '',
			},
		},
	],
	workflows: () => workflows,
});

describe('every operation in a real n8n, with both kinds of credential', () => {
	test.each(cases.map((entry, index) => ({ ...entry, id: workflows[index].id })))(
		'$name',
		async ({ id, expected, gives, title, prepare }) => {
			prepare?.(lab.sandbox);
			const execution = await lab.run({ id });
			if (expected === undefined) {
				expect(execution.status).toBe('error');
				expect(execution.error?.message).toContain(`${title} needs a developer API key (v2)`);
				expect(lab.sandbox.requests).toHaveLength(0);
				return;
			}
			expect(execution.error?.message).toBeUndefined();
			expect(execution.status).toBe('success');
			expect(lab.sandbox.requests[0]).toMatchObject(expected);
			const results = itemsOf(execution, 'Workspace Data');
			if (gives === 'one') expect(results).toHaveLength(1);
			if (gives === 'several') expect(results.length).toBeGreaterThan(1);
			if (typeof gives !== 'object') return;
			const ids = [...lab.sandbox.records(gives.records)].map(({ id }) => id);
			expect(results.map(({ json }) => json.id).sort()).toEqual(ids.sort());
		},
	);
});
