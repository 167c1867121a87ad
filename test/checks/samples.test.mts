/** What test/samples.mts and the sandbox must know of each operation of the node, so that all suites can loop over it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { titleOf, valueOf } from '../../nodes/WorkspaceData/operation.ts';
import { findOperation, rows } from '../../nodes/WorkspaceData/operations.ts';
import { credentialNames, everyOperation, sampleCases, samples } from '../samples.mts';
import { sandboxCredentials, startSandbox, type Sandbox } from '../sandbox/server.mts';
import { send } from '../sandbox/test-client.mts';

test.each(rows.map(valueOf))('%s has its sample', (id) => {
	if (!(id in samples)) throw new Error(`test/samples.mts has no sample '${id}'.`);
});

test.each(everyOperation)('$title is what its row says', (sample) => {
	const { resource, operation } = sample.chosen;
	const row = findOperation(resource, operation);
	if (row === undefined) throw new Error(`operations.ts has no row ${resource}:${operation}.`);
	expect(titleOf(row)).toBe(sample.title);
	expect(row.repeat).toBe(sample.repeat);
	expect(Object.keys(row.endpoints).sort()).toEqual(Object.keys(sample.requests).sort());
	expect(row.startsResource).toBe(sample.isFirst);
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

	const processed = (): number => Object.values(sandbox.calls).flat().length;
	const cases = sampleCases.flatMap((sample) =>
		(['v1', 'v2'] as const).flatMap((version) => {
			const request = sample.requests[version];
			return request
				? [{ ...sample, version, request, sent: `${request.method} ${request.path}` }]
				: [];
		}),
	);
	type Case = (typeof cases)[number];

	/** Each request finds the state that the operation needs, as in every suite. */
	async function statusOf({ prepare, request }: Case, credential: string | null): Promise<number> {
		prepare?.(sandbox);
		const { method, path, query, body } = request;
		const address = query ? `${path}?${new URLSearchParams(query)}` : path;
		return (await send(sandbox, address, { method, credential, body })).status;
	}

	test.each(cases)('has $sent of $name, for those who may', async (sample) => {
		const stranger = await statusOf(sample, null);
		if ([404, 405].includes(stranger)) {
			throw new Error(
				`The sandbox has no ${sample.sent}: add it to test/sandbox/routes-calls.mts, or as \`list\` to test/sandbox/object-types.mts.`,
			);
		}
		expect([stranger, await statusOf(sample, 'fake-unknown')]).toEqual([401, 401]);
		for (const name of credentialNames) {
			const mayAsk = sample.allowed.includes(name) ? 200 : 403;
			const expected = name.startsWith(sample.version) ? mayAsk : 401;
			expect([name, await statusOf(sample, sandboxCredentials[name])]).toEqual([name, expected]);
		}
	});

	test.each(cases)('answers $sent of $name again, and keeps it where it acts', async (sample) => {
		const name = sample.allowed.find((allowed) => allowed.startsWith(sample.version));
		if (name === undefined) throw new Error(`test/samples.mts: nobody may do ${sample.name}.`);
		for (const time of ['first', 'second']) {
			sandbox.clearRequests();
			const status = await statusOf(sample, sandboxCredentials[name]);
			if (status !== 200) {
				throw new Error(
					`test/samples.mts: ${sample.title} needs a \`prepare\`, as the ${time} ${sample.sent} is answered ${status}.`,
				);
			}
			const kept = processed();
			if (kept !== (sample.repeat === 'safe' ? 0 : 1)) {
				throw new Error(
					`test/sandbox/routes-calls.mts: ${sample.sent} belongs ${kept === 0 ? '' : 'not '}into \`calls\`, as ${sample.title} ${sample.repeat === 'safe' ? 'only reads' : 'acts'}.`,
				);
			}
		}
	});
});
