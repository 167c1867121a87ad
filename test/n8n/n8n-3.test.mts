/**
 * Settings of which n8n 3 changes the defaults, tried on the pinned n8n: docs/compatibility.md tells what was found. n8n 3
 * itself runs in containers only.
 */
import { expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import { sandboxCredentialFile } from './imports.mts';
import { useOwnN8n } from './lab.mts';
import { itemsOf } from './rest.mts';
import { storeAll } from './rest-setup.mts';
import type { Execution } from './rest.mts';
import { chain, companiesNode, manualTrigger } from './workflows.mts';

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

test('a service at a private address is reached by its name, not by its address, when N8N_SSRF_ALLOWED_HOSTNAMES has both', async () => {
	await expectRefusal('127.0.0.1');
	await expectCompanies('localhost');
});

test(
	'a service at a private address is reached by its address when N8N_SSRF_ALLOWED_IP_RANGES has it, and no other is',
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
