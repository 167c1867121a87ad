import { expect, test } from 'vitest';
import { sampleCases } from '../samples.mts';
import { sandboxCredentials } from '../sandbox/server.mts';
import { credentialFile, sandboxCredential } from './imports.mts';
import { useLab } from './lab.mts';
import { itemsOf } from './rest.mts';
import { idsHeld } from './service.mts';
import { chain, dataNode, manualTrigger } from './workflows.mts';

const credentials = { v2: sandboxCredential, v1: { id: 'v1', name: 'Workspace Data sandbox v1' } };

const cases = (['v2', 'v1'] as const).flatMap((version) =>
	sampleCases.map((sample) => {
		const settings = { credentials: { workspaceDataApi: credentials[version] } };
		const nodes = [manualTrigger(), dataNode(sample.parameters, settings)];
		const name = `${sample.name} ${version}`;
		return { ...sample, name, expected: sample.requests[version], workflow: chain(name, nodes) };
	}),
);

const lab = useLab({
	name: 'every-operation',
	sandbox: { companies: 2_503 },
	credentials: (baseUrl) => [
		credentialFile(credentials.v1.id, credentials.v1.name, {
			baseUrl,
			apiVersion: 'v1',
			accessToken: sandboxCredentials.v1AllScopes,
		}),
	],
	workflows: () => cases.map(({ workflow }) => workflow),
});

test.each(cases)(
	'runs "$name" in n8n, or reports that this operation needs a v2 API key',
	async ({ workflow, expected, gives, title, prepare }) => {
		prepare?.(lab.sandbox);
		if (expected === undefined) {
			const { status, error } = await lab.run(workflow);
			expect(status).toBe('error');
			expect(error?.message).toContain(`${title} needs a developer API key (v2)`);
			expect(lab.sandbox.requests).toHaveLength(0);
			return;
		}
		const results = itemsOf(await lab.succeed(workflow), 'Workspace Data');
		expect(lab.sandbox.requests[0]).toMatchObject(expected);
		if (gives === 'one') expect(results).toHaveLength(1);
		if (gives === 'several') expect(results.length, 'results').toBeGreaterThan(1);
		if (typeof gives !== 'object') return;
		const ids = results.map(({ json }) => String(json.id));
		expect(ids.toSorted()).toEqual(idsHeld(lab.sandbox, gives.records).toSorted());
	},
);
