/**
 * Checks that test/samples.mts and the sandbox (a simulated service) cover every operation, because other suites loop
 * over these samples.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { WorkspaceDataApi } from '../../credentials/WorkspaceDataApi.credentials.ts';
import { CREDENTIAL_KINDS, DEFAULT_VERSION } from '../../nodes/shared/client/credential.ts';
import { titleOf, idOf } from '../../nodes/WorkspaceData/operation-row.ts';
import { findOperation, operations } from '../../nodes/WorkspaceData/operations.ts';
import { credentialNames, everyOperation, sampleCases, samples } from '../samples.mts';
import { headerOf, type Kind } from '../sandbox/authentication.mts';
import { sandboxCredentials, startSandbox, type Sandbox } from '../sandbox/server.mts';
import { send } from '../sandbox/test-client.mts';

/** Kinds of credential in the panel, such as v2. */
const kinds = new WorkspaceDataApi().properties
	.flatMap(({ name, options = [] }) => (name === 'apiVersion' ? options : []))
	.map((option) => String('value' in option && option.value)) as Kind[];

test.each(kinds)('has samples and sandbox credentials for the kind of credential %s', (kind) => {
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
				`test/sandbox/authentication.mts: \`SANDBOX_CREDENTIAL_KINDS\` has a different header for ${kind} than \`CREDENTIAL_KINDS\`.`,
			);
	}
	if (!everyOperation.some(({ requests }) => Object.hasOwn(requests, kind)))
		throw new Error(`test/samples.mts: no sample has a request for the kind ${kind}.`);
});

test.each(operations.map(idOf))('has a sample request for the operation %s', (id) => {
	if (!(id in samples)) throw new Error(`test/samples.mts has no sample '${id}'.`);
});

test.each(operations)('has a v2 endpoint for the operation $resource:$operation', (row) => {
	// Fail early. Otherwise only suites that run for minutes would show the missing endpoint.
	if (row.kind === 'confirm' || DEFAULT_VERSION in row.endpoints) return;
	throw new Error(
		`operations.ts: ${idOf(row)} has no endpoint for ${DEFAULT_VERSION}, whose credential all suites use. Only operations that send no request need none.`,
	);
});

test.each(everyOperation)(
	'finds the same facts about $title in test/samples.mts and in operations.ts',
	(sample) => {
		const { resource, operation } = sample.chosen;
		const row = findOperation(resource, operation);
		if (row === undefined) throw new Error(`operations.ts has no row ${resource}:${operation}.`);
		expect(titleOf(row)).toBe(sample.title);
		expect(row.repeat).toBe(sample.repeat);
		expect(Object.keys(row.endpoints).sort()).toEqual(Object.keys(sample.requests).sort());
		expect(operations.find((other) => other.resource === resource) === row).toBe(
			sample.isFirst ?? false,
		);
		for (const [version, text] of Object.entries(sample.needs ?? {})) {
			expect(row.permission[version as Kind]).toContain(text);
		}
	},
);

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

	/** Prepares the sandbox, sends the request of a sample, and returns the HTTP status. */
	async function statusOf({ prepare, request }: Case, credential: string | null): Promise<number> {
		prepare?.(sandbox);
		const { method, path, query, body } = request;
		const address = query ? `${path}?${new URLSearchParams(query)}` : path;
		return (await send(sandbox, address, { method, credential, body })).status;
	}

	/** Returns the parameter values of a sample that become part of the URL path. */
	function inPath({ chosen, parameters }: Case): string[] {
		const own = findOperation(chosen.resource, chosen.operation)?.parameters ?? [];
		const names = own.flatMap(({ name, goesInto }) => (goesInto === 'path' ? name : []));
		return names.map((name) => encodeURIComponent(String(parameters[name])));
	}

	/**
	 * Throws an error with this message if a condition is false. Used instead of `expect`, which would add a diff that
	 * hides the message.
	 */
	function expectThat(condition: boolean, message: string): void {
		if (!condition) throw new Error(message);
	}

	test.each(cases)('accepts $sent for $name only with a permitted credential', async (sample) => {
		const statusWithoutCredential = await statusOf(sample, null);
		expectThat(
			![404, 405].includes(statusWithoutCredential),
			`The sandbox has no ${sample.sent}: add it to test/sandbox/routes-calls.mts, or as \`list\` to test/sandbox/object-types.mts.`,
		);
		expect([statusWithoutCredential, await statusOf(sample, 'fake-unknown')]).toEqual([401, 401]);
		for (const name of credentialNames) {
			const statusOfKind = sample.allowed.includes(name) ? 200 : 403;
			const expected = name.startsWith(sample.version) ? statusOfKind : 401;
			sandbox.clearRequests();
			const status = await statusOf(sample, sandboxCredentials[name]);
			expectThat(
				status === expected,
				`${sample.sent} of ${sample.title}: the sandbox returns ${status} to ${name}, but \`allowed\` in test/samples.mts expects ${expected}.`,
			);
			expectThat(
				expected !== 403 || sample.needs?.[sample.version] !== undefined,
				`test/samples.mts: ${sample.title} lacks \`needs.${sample.version}\`: add the permission that the error for ${name} must name.`,
			);
			const isRecorded = Object.values(sandbox.calls).flat().length > 0;
			const acts = sample.repeat !== 'safe' && expected === 200;
			expectThat(
				isRecorded === acts,
				`test/sandbox/routes-calls.mts: ${isRecorded ? 'remove' : 'add'} ${sample.sent} ${isRecorded ? 'from' : 'to'} \`calls\`, which records how often ${sample.title} was processed.`,
			);
			for (const value of inPath(sample)) {
				const path = sample.request.path.replace(value, 'no-such-record');
				const request = { ...sample.request, path };
				const statusOfMissing = await statusOf({ ...sample, request }, sandboxCredentials[name]);
				expectThat(
					expected !== 200 || statusOfMissing === 404,
					`test/sandbox/routes-calls.mts: ${sample.sent} of ${sample.title} returns ${statusOfMissing} if the record does not exist. It must return 404.`,
				);
			}
			if (!acts) continue;
			const secondStatus = await statusOf(sample, sandboxCredentials[name]);
			expectThat(
				secondStatus === 200,
				`test/samples.mts: ${sample.title} lacks \`prepare\`: its second request gets ${secondStatus}.`,
			);
		}
	});
});
