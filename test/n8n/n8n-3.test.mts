/**
 * Tests the pinned version of n8n with the new default settings of n8n 3, because n8n 3 itself runs only in containers.
 * docs/compatibility.md has the results.
 */
import { describe, expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import { sandboxCredentialFile } from './imports.mts';
import { useOwnN8n } from './lab.mts';
import { createTestRuntime } from './n8n-under-test.mts';
import { fieldsOf } from './rest.mts';
import { storeAll } from './rest-setup.mts';
import type { Execution } from './rest.mts';
import { startServer } from './server.mts';
import { companiesNamed, domainsOf } from './service.mts';
import { chain, companiesNode, enrichNode, manualTrigger, n8nNode } from './workflows.mts';
import type { WorkflowNode } from './workflows.mts';

test(
	'does not start n8n if N8N_COMMUNITY_PACKAGES has no checksum and unverified packages are off',
	{ timeout: 300_000 },
	async () => {
		const runtime = await createTestRuntime('n8n-3-packages');
		const environment = {
			N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
			N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
			N8N_COMMUNITY_PACKAGES: '[{"name": "n8n-nodes-workspace-data", "version": "0.1.0"}]',
		};
		await expect(startServer(runtime, { environment })).rejects.toThrow(
			/no checksum available for 'n8n-nodes-workspace-data@0\.1\.0'/,
		);
	},
);

describe('n8n that blocks private IP addresses, and in which workflows cannot call each other', () => {
	const lab = useOwnN8n(
		{ name: 'n8n-3', sandbox: { companies: 10 } },
		{
			N8N_SSRF_PROTECTION_ENABLED: 'true',
			N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost,127.0.0.1',
			N8N_WORKFLOW_CALLER_POLICY_DEFAULT_OPTION: 'none',
		},
	);

	/** Stores a workflow and a credential whose base URL has this host name. */
	async function stored(host: string, ...nodes: WorkflowNode[]) {
		const baseUrl = `http://${host}:${lab.sandbox.port}`;
		const credential = sandboxCredentialFile(baseUrl, sandboxCredentials.v2Full);
		const workflow = chain('Test', [manualTrigger(), ...nodes]);
		workflow.settings.binaryMode = 'combined';
		await storeAll(lab.client, [credential], [workflow]);
		return workflow;
	}
	const runWith = async (...parameters: Parameters<typeof stored>): Promise<Execution> =>
		await lab.run(await stored(...parameters));

	const expectRefusal = async (host: string): Promise<void> => {
		const { status, error } = await runWith(host, companiesNode());
		expect(status).toBe('error');
		expect(error?.description).toContain('blocked because it resolves to a restricted IP address');
		expect(lab.sandbox.requests).toEqual([]);
	};
	const expectCompanies = async (host: string): Promise<void> =>
		expect(fieldsOf(await runWith(host, companiesNode()))).toHaveLength(10);

	test('reaches a service by host name but not by IP address if N8N_SSRF_ALLOWED_HOSTNAMES lists both', async () => {
		await expectRefusal('127.0.0.1');
		await expectCompanies('localhost');
	});

	test('pays for each company once with Keep Results, and sends no file in binary mode "combined"', async () => {
		const companies = companiesNamed('company', 3);
		const jsCode = `return ${JSON.stringify(companies)}.map((json) => ({
			json,
			binary: { file: { data: 'aGk=', mimeType: 'text/plain', fileName: 'hi.txt' } },
		}));`;
		const withFiles = n8nNode('With files', 'code', 2, { jsCode });
		const enrich = enrichNode({ cache: { values: { days: 30 } }, maxConcurrent: 1 });
		const workflow = await stored('localhost', withFiles, enrich);
		const first = await lab.run(workflow);
		const file = expect.objectContaining({ id: expect.any(String) });
		expect(fieldsOf(first, withFiles.name)).toEqual(
			companies.map((company) => ({ ...company, _files: { file } })),
		);
		expect(lab.sandbox.calls.enrich).toEqual(companies);
		lab.sandbox.clearRequests();
		expect(domainsOf(fieldsOf(await lab.run(workflow)))).toEqual(domainsOf(companies));
		expect(lab.sandbox.requests).toEqual([]);
	});

	test(
		'reaches a service only if N8N_SSRF_ALLOWED_IP_RANGES contains its IP address',
		{ timeout: 300_000 },
		async () => {
			await lab.n8n.stop();
			await lab.n8n.startAgain({
				N8N_SSRF_ALLOWED_HOSTNAMES: '',
				N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32',
			});
			await expectRefusal('127.0.0.2');
			await expectCompanies('127.0.0.1');
		},
	);
});
