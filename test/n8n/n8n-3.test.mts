/**
 * Settings of which n8n 3 changes the defaults, tried on the pinned n8n: docs/compatibility.md tells what was found. n8n 3
 * itself runs in containers only.
 */
import { describe, expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import { sandboxCredentialFile } from './imports.mts';
import { useOwnN8n } from './lab.mts';
import { createTestRuntime } from './n8n-under-test.mts';
import { itemsOf } from './rest.mts';
import { storeAll } from './rest-setup.mts';
import type { Execution } from './rest.mts';
import { startServer } from './server.mts';
import { chain, companiesNode, manualTrigger } from './workflows.mts';

test(
	'packages that environment variables name need a checksum where unverified ones are off',
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

describe('a service at a private address, with protection against requests to such', () => {
	const lab = useOwnN8n(
		{ name: 'n8n-3', sandbox: { companies: 10 } },
		{ N8N_SSRF_PROTECTION_ENABLED: 'true', N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost,127.0.0.1' },
	);

	async function runWith(host: string): Promise<Execution> {
		const baseUrl = `http://${host}:${lab.sandbox.port}`;
		const credential = sandboxCredentialFile(baseUrl, sandboxCredentials.v2Full);
		const workflow = chain('Companies', [manualTrigger(), companiesNode()]);
		await storeAll(lab.client, [credential], [workflow]);
		return await lab.run(workflow);
	}

	const expectRefusal = async (host: string): Promise<void> => {
		const { status, error } = await runWith(host);
		expect(status).toBe('error');
		expect(error?.description).toContain('blocked because it resolves to a restricted IP address');
		expect(lab.sandbox.requests).toEqual([]);
	};
	const expectCompanies = async (host: string): Promise<void> =>
		expect(itemsOf(await runWith(host), 'Workspace Data')).toHaveLength(10);

	test('is reached by its name, not by its address, when N8N_SSRF_ALLOWED_HOSTNAMES has both', async () => {
		await expectRefusal('127.0.0.1');
		await expectCompanies('localhost');
	});

	test(
		'is reached by its address when N8N_SSRF_ALLOWED_IP_RANGES has it, and no other is',
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
