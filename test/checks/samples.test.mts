/** What test/samples.mts and the sandbox must know of each operation of the node, so that all suites can loop over it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { titleOf, idOf } from '../../nodes/WorkspaceData/operation-row.ts';
import { findOperation, operations } from '../../nodes/WorkspaceData/operations.ts';
import { everyOperation, sampleCases, samples } from '../samples.mts';
import { sandboxCredentials, startSandbox, type Sandbox } from '../sandbox/server.mts';
import { send } from '../sandbox/test-client.mts';

test.each(operations.map(idOf))('%s has its sample', (id) => {
	if (!(id in samples)) throw new Error(`test/samples.mts has no sample '${id}'.`);
});

test.each(everyOperation)('$title is what its row says', (sample) => {
	const { resource, operation } = sample.chosen;
	const row = findOperation(resource, operation);
	if (row === undefined) throw new Error(`operations.ts has no row ${resource}:${operation}.`);
	expect(titleOf(row)).toBe(sample.title);
	expect(row.repeat).toBe(sample.repeat);
	expect(Object.keys(row.endpoints).sort()).toEqual(Object.keys(sample.requests).sort());
	expect(operations.find((one) => one.resource === resource) === row).toBe(sample.isFirst ?? false);
	for (const [version, text] of Object.entries(sample.needs ?? {})) {
		expect(row.permission[version as 'v1' | 'v2']).toContain(text);
	}
});

describe('the sandbox', () => {
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox({ companies: 20, orders: 5, items: 5, deals: 5 });
	});
	afterAll(() => sandbox.stop());

	const cases = sampleCases.flatMap((sample) =>
		(['v1', 'v2'] as const).flatMap((version) => {
			const request = sample.requests[version];
			return request
				? [{ ...sample, version, request, sent: `${request.method} ${request.path}` }]
				: [];
		}),
	);

	// Who may do it, and what an error tells those who may not, is among the engine tests.
	test.each(cases)('has $sent of $name, and keeps what acts', async (sample) => {
		sample.prepare?.(sandbox);
		sandbox.clearRequests();
		const { method, path, query, body } = sample.request;
		const address = query ? `${path}?${new URLSearchParams(query)}` : path;
		const name = sample.allowed.find((one) => one.startsWith(sample.version));
		const credential = name === undefined ? null : sandboxCredentials[name];
		const { status } = await send(sandbox, address, { method, credential, body });
		if (status === 404 || status === 405) {
			throw new Error(
				`The sandbox has no ${sample.sent}: add it to test/sandbox/routes-calls.mts, or as \`list\` to test/sandbox/object-types.mts.`,
			);
		}
		expect(status).toBe(200);
		const isKept = Object.values(sandbox.calls).flat().length > 0;
		if (isKept === (sample.repeat === 'safe')) {
			throw new Error(
				`test/sandbox/routes-calls.mts: ${sample.sent} belongs ${isKept ? 'not ' : ''}into \`calls\`, so that tests see how often ${sample.title} was done.`,
			);
		}
	});
});
