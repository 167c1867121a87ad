/** An n8n whose administrator has set what few others set: who may call workflows, a proxy, files among the fields, which addresses. */
import { expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import { credentialFile, sandboxCredentialFile } from './imports.mts';
import { useOwnN8n } from './lab.mts';
import { storeAll } from './rest-setup.mts';
import { fieldsOf, itemsOf } from './rest.mts';
import { companiesNamed, domainsOf, idsHeld } from './service.mts';
import { confirm, getChanges, idsOf } from './sync-workflows.mts';
import {
	chain,
	companiesNode,
	dataNode,
	enrichNode,
	manualTrigger,
	n8nNode,
} from './workflows.mts';

const companies = companiesNamed('company', 3);
const jsCode = `return ${JSON.stringify(companies)}.map((json) => ({
	json,
	binary: { file: { data: 'aGk=', mimeType: 'text/plain', fileName: 'hi.txt' } },
}));`;
const paid = chain('Pays once', [
	manualTrigger(),
	n8nNode('With files', 'code', 2, { jsCode }),
	enrichNode({ reuseResultsFor: 30 }),
]);
paid.settings.binaryMode = 'combined';
const sync = chain('Syncs', [manualTrigger(), getChanges(), confirm]);
const outside = credentialFile('outside', 'Outside', {
	baseUrl: 'http://service.example.com',
	apiKey: 'fake-key-of-a-service-behind-the-proxy',
});
const proxied = chain('Through the proxy', [
	manualTrigger(),
	dataNode(
		{ resource: 'workspace', operation: 'whoAmI', options: { maxWait: 0 } },
		{ credentials: { workspaceDataApi: { id: outside.id, name: outside.name } } },
	),
]);

const deadProxy = 'http://127.0.0.1:1';
const lab = useOwnN8n(
	{
		name: 'instance-settings',
		sandbox: { companies: 5 },
		credentials: () => [outside],
		workflows: () => [paid, sync, proxied],
	},
	{
		N8N_WORKFLOW_CALLER_POLICY_DEFAULT_OPTION: 'none',
		HTTP_PROXY: deadProxy,
		HTTPS_PROXY: deadProxy,
	},
);

test('no workflow may call another, and files are fields: paid once, and no file is sent', async () => {
	const first = await lab.succeed(paid);
	const files = itemsOf(first, 'With files').map(({ json }) => json._files);
	expect(files).toEqual(
		companies.map(() => ({ file: expect.objectContaining({ id: expect.any(String) }) })),
	);
	expect(lab.sandbox.calls.enrich).toEqual(companies);
	lab.sandbox.clearRequests();
	expect(domainsOf(fieldsOf(await lab.succeed(paid)))).toEqual(domainsOf(companies));
	expect(lab.sandbox.requests).toEqual([]);
});

test('no workflow may call another: a sync returns what changed, and confirms it', async () => {
	expect(idsOf(await lab.succeed(sync)).toSorted()).toEqual(idsHeld(lab.sandbox).toSorted());
	expect(idsOf(await lab.succeed(sync))).toEqual([]);
});

test('a proxy that is dead is named', async () => {
	const { error } = await lab.run(proxied);
	expect(error?.message).toMatch(/proxy/i);
});

/** As docs/compatibility.md says. */
test('with protection against requests to private addresses, a service is reached by what is allowed, and refused in words', async () => {
	await lab.n8n.stop();
	await lab.n8n.startAgain({
		...{ HTTP_PROXY: '', HTTPS_PROXY: '', N8N_SSRF_PROTECTION_ENABLED: 'true' },
		...{ N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost', N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.2/32' },
	});
	const runWith = async (host: string) => {
		const baseUrl = `http://${host}:${lab.sandbox.port}`;
		const credential = sandboxCredentialFile(baseUrl, sandboxCredentials.v2Full);
		const workflow = chain(host, [manualTrigger(), companiesNode({ maxWait: 0 })]);
		await storeAll(lab.client, [credential], [workflow]);
		return await lab.run(workflow);
	};
	const { error } = await runWith('127.0.0.1');
	expect(error?.description).toContain('blocked because it resolves to a restricted IP address');
	// Nothing listens there, but it may be asked.
	expect((await runWith('127.0.0.2')).error?.description).not.toContain('restricted');
	expect(lab.sandbox.requests).toEqual([]);
	expect(fieldsOf(await runWith('localhost'))).toHaveLength(5);
});
