/** What test/samples.mts and the sandbox must know of each operation of the node, so that all suites can loop over it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { WorkspaceDataApi } from '../../credentials/WorkspaceDataApi.credentials.ts';
import { CREDENTIAL_KINDS, DEFAULT_VERSION } from '../../nodes/shared/client/credential.ts';
import { titleOf, idOf } from '../../nodes/WorkspaceData/operation-row.ts';
import { findOperation, operations } from '../../nodes/WorkspaceData/operations.ts';
import { credentialNames, everyOperation, sampleCases, samples } from '../samples.mts';
import { headerOf, type Kind } from '../sandbox/authentication.mts';
import { sandboxCredentials, startSandbox, type Sandbox } from '../sandbox/server.mts';
import { send } from '../sandbox/test-client.mts';

/** The kinds of credential that the panel offers, such as v2. */
const kinds = new WorkspaceDataApi().properties
	.flatMap(({ name, options = [] }) => (name === 'apiVersion' ? options : []))
	.map((option) => String('value' in option && option.value)) as Kind[];

test.each(kinds)('a credential of the kind %s is known to the samples and the sandbox', (kind) => {
	const isOfKind = (name: string): boolean => name.startsWith(kind);
	if (!credentialNames.some(isOfKind))
		throw new Error(`test/samples.mts: \`credentialNames\` has no credential of the kind ${kind}.`);
	if (!Object.keys(sandboxCredentials).some(isOfKind))
		throw new Error(`test/sandbox/authentication.mts has no credential of the kind ${kind}.`);
	const [header, before] = CREDENTIAL_KINDS[kind].header;
	for (const name of credentialNames.filter(isOfKind)) {
		const value = sandboxCredentials[name];
		if (headerOf(value)[header.toLowerCase()] !== before + value)
			throw new Error(
				`test/sandbox/authentication.mts: \`SANDBOX_CREDENTIAL_KINDS\` has another header for ${kind} than \`CREDENTIAL_KINDS\`.`,
			);
	}
	if (!everyOperation.some(({ requests }) => Object.hasOwn(requests, kind)))
		throw new Error(`test/samples.mts: no sample has a request for the kind ${kind}.`);
});

test.each(operations.map(idOf))('%s has its sample', (id) => {
	if (!(id in samples)) throw new Error(`test/samples.mts has no sample '${id}'.`);
});

test.each(operations)('$resource:$operation can be asked with v2', (row) => {
	// Without, it shows first in suites that run for minutes.
	if (row.kind === 'confirm' || DEFAULT_VERSION in row.endpoints) return;
	throw new Error(
		`operations.ts: ${idOf(row)} has no endpoint for ${DEFAULT_VERSION}, whose credential all suites use. Only what sends nothing needs none.`,
	);
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
		expect(row.permission[version as Kind]).toContain(text);
	}
});

describe('the sandbox', () => {
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox({ companies: 20, orders: 5, items: 5, deals: 5 });
	});
	afterAll(() => sandbox.stop());

	const cases = sampleCases.flatMap((sample) =>
		kinds.flatMap((version) => {
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

	/** What a sample gives for the parameters that go into the path. */
	function inPath({ chosen, parameters }: Case): string[] {
		const own = findOperation(chosen.resource, chosen.operation)?.parameters ?? [];
		const names = own.flatMap(({ name, goesInto }) => (goesInto === 'path' ? name : []));
		return names.map((name) => encodeURIComponent(String(parameters[name])));
	}

	/** What a row of operations.ts asks of the sandbox, said in one line where it is not so. */
	function expectThat(isSo: boolean, what: string): void {
		if (!isSo) throw new Error(what);
	}

	test.each(cases)('has $sent of $name, for those who may', async (sample) => {
		const stranger = await statusOf(sample, null);
		expectThat(
			![404, 405].includes(stranger),
			`The sandbox has no ${sample.sent}: add it to test/sandbox/routes-calls.mts, or as \`list\` to test/sandbox/object-types.mts.`,
		);
		expect([stranger, await statusOf(sample, 'fake-unknown')]).toEqual([401, 401]);
		for (const name of credentialNames) {
			const mayAsk = sample.allowed.includes(name) ? 200 : 403;
			const expected = name.startsWith(sample.version) ? mayAsk : 401;
			sandbox.clearRequests();
			const status = await statusOf(sample, sandboxCredentials[name]);
			expectThat(
				status === expected,
				`${sample.sent} of ${sample.title}: the sandbox answers ${status} to ${name}, and by \`allowed\` of test/samples.mts it is ${expected}.`,
			);
			expectThat(
				expected !== 403 || sample.needs?.[sample.version] !== undefined,
				`test/samples.mts: ${sample.title} lacks \`needs.${sample.version}\`: ${name} may not do it, and an error says what it takes.`,
			);
			const isKept = Object.values(sandbox.calls).flat().length > 0;
			const acts = sample.repeat !== 'safe' && expected === 200;
			expectThat(
				isKept === acts,
				`test/sandbox/routes-calls.mts: ${sample.sent} belongs ${isKept ? 'not ' : ''}into \`calls\`, so that tests see how often ${sample.title} was done.`,
			);
			for (const value of inPath(sample)) {
				const path = sample.request.path.replace(value, 'no-such-record');
				const request = { ...sample.request, path };
				const elsewhere = await statusOf({ ...sample, request }, sandboxCredentials[name]);
				expectThat(
					expected !== 200 || elsewhere === 404,
					`test/sandbox/routes-calls.mts: ${sample.sent} of ${sample.title} answers ${elsewhere} where there is no such record: it should be 404.`,
				);
			}
			if (!acts) continue;
			const again = await statusOf(sample, sandboxCredentials[name]);
			expectThat(
				again === 200,
				`test/samples.mts: ${sample.title} lacks \`prepare\`: done a second time, it gets ${again}.`,
			);
		}
	});
});
