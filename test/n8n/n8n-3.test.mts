import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sandboxCredentials, startSandbox } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/server.mts';
import { keepEvidenceOfFailures } from './artifacts.mts';
import { importCredentials, importWorkflows, sandboxCredentialFile } from './imports.mts';
import { createTestRuntime } from './n8n-under-test.mts';
import { itemsOf, signIn } from './rest.mts';
import type { Execution } from './rest.mts';
import type { Runtime } from './runtime.mts';
import { startServer } from './server.mts';
import type { N8nServer } from './server.mts';
import { chain, dataNode, manualTrigger, startName } from './workflows.mts';

/**
 * Settings of which n8n 3 changes the defaults, tried on the pinned n8n: docs/n8n-3.md tells what was found. n8n 3
 * itself runs in containers only.
 */

let server: N8nServer | undefined;
let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ companies: 10 });
});

afterAll(async () => {
	await sandbox?.stop();
});

afterEach(async () => {
	await server?.stop();
	server = undefined;
	sandbox.clearRequests();
});

keepEvidenceOfFailures('n8n-3', () => ({ logFiles: server ? [server.logFile] : [], sandbox }));

test('packages that environment variables name need a checksum where unverified ones are off', async () => {
	const runtime = await createTestRuntime('n8n-3-packages');
	const environment = {
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
		N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
		N8N_COMMUNITY_PACKAGES: '[{"name": "n8n-nodes-workspace-data", "version": "0.1.0"}]',
	};
	await expect(startServer(runtime, { environment })).rejects.toThrow(
		/no checksum available for 'n8n-nodes-workspace-data@0\.1\.0'/,
	);
});

describe('a service at a private address, with protection against requests to such', () => {
	let runtime: Runtime;
	const nodeName = 'Workspace Data';
	const workflow = chain('Companies', [
		manualTrigger(),
		dataNode({ resource: 'company', operation: 'getAll', returnAll: true }),
	]);

	beforeAll(async () => {
		runtime = await createTestRuntime('n8n-3-private-address');
		await importWorkflows(runtime, [workflow]);
	});

	async function runWith(host: string, settings: Record<string, string>): Promise<Execution> {
		const baseUrl = `http://${host}:${sandbox.port}`;
		await importCredentials(runtime, [sandboxCredentialFile(baseUrl, sandboxCredentials.v2Full)]);
		server = await startServer(runtime, {
			environment: { N8N_SSRF_PROTECTION_ENABLED: 'true', ...settings },
		});
		const client = await signIn(server.url, runtime);
		return await client.runWorkflow(workflow.id, startName);
	}

	const refusal = 'The request was blocked because it resolves to a restricted IP address';

	test('is refused', async () => {
		const execution = await runWith('localhost', {});
		expect(execution.status).toBe('error');
		expect(execution.error?.description).toContain(refusal);
		expect(sandbox.requests).toEqual([]);
	});

	test('is reached by its name when N8N_SSRF_ALLOWED_HOSTNAMES has it', async () => {
		const execution = await runWith('localhost', { N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost' });
		expect(itemsOf(execution, nodeName)).toHaveLength(10);
	});

	test('is not reached by its address when N8N_SSRF_ALLOWED_HOSTNAMES has it', async () => {
		const execution = await runWith('127.0.0.1', { N8N_SSRF_ALLOWED_HOSTNAMES: '127.0.0.1' });
		expect(execution.status).toBe('error');
		expect(execution.error?.description).toContain(refusal);
	});

	test('is reached by its address when N8N_SSRF_ALLOWED_IP_RANGES has it', async () => {
		const execution = await runWith('127.0.0.1', { N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.0/8' });
		expect(itemsOf(execution, nodeName)).toHaveLength(10);
	});
});
