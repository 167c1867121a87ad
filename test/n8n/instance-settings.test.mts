/** An n8n whose administrator has set what few others set: who may call workflows, a proxy, files among the fields. */
import { expect, test } from 'vitest';
import { credentialFile } from './imports.mts';
import { useOwnN8n } from './lab.mts';
import { fieldsOf, itemsOf } from './rest.mts';
import { companiesNamed, domainsOf, idsHeld } from './service.mts';
import { confirm, getChanges, idsOf } from './sync-workflows.mts';
import { chain, dataNode, enrichNode, manualTrigger, n8nNode } from './workflows.mts';

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
