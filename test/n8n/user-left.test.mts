/**
 * Tests what happens after an n8n user is deleted. n8n transfers her data tables (progress of Sync, kept results) to a
 * user who already has tables with these names.
 */
import { beforeAll, expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import { dataTables } from './data-tables.mts';
import { sandboxCredentialFile } from './imports.mts';
import { useLab } from './lab.mts';
import { storeAll } from './rest-setup.mts';
import { createClient, postJson, type RestClient } from './rest.mts';
import { companiesNamed, domainsOf, idsHeld } from './service.mts';
import { confirm, getChanges, hintOf, idsOf } from './sync-workflows.mts';
import { chain, enrichNode, items, manualTrigger, startName } from './workflows.mts';

const makeWorkflows = (companies: number) => ({
	sync: chain('Sync', [manualTrigger(), getChanges(), confirm]),
	enrich: chain('Enrich', [
		manualTrigger(),
		items(companiesNamed('company', companies)),
		enrichNode({ cache: { values: {} } }),
	]),
});
const [own, ofJane] = [makeWorkflows(1), makeWorkflows(5)];
const jane = { firstName: 'Jane', lastName: 'Doe', password: 'Fake-password-1' };
const email = 'jane@sandbox.example';

const lab = useLab({
	name: 'user-left',
	sandbox: { companies: 30 },
	workflows: () => Object.values(own),
});

/** Invites a new user to n8n, and signs her in. */
async function invite(): Promise<{ id: string; client: RestClient }> {
	type Invited = { user: { id: string; inviteAcceptUrl: string } };
	const body = [{ email, role: 'global:member' }];
	const [{ user }] = await lab.client.request<[Invited]>('POST', '/invitations', body);
	const token = new URL(user.inviteAcceptUrl).searchParams.get('token');
	const { url } = lab.n8n.server;
	const accepted = await postJson(`${url}/rest/invitations/accept`, { token, ...jane });
	const cookies = accepted.headers.getSetCookie().map((line) => line.split(';')[0]);
	return { id: user.id, client: createClient(url, cookies.join('; '), lab.n8n.runtime) };
}

/** Deletes a user of n8n. Transfers her workflows, credentials and data tables to the owner. */
async function handOver(id: string): Promise<void> {
	const [project] = await lab.client.request<[{ id: string }]>('GET', '/projects/my-projects');
	await lab.client.request('DELETE', `/users/${id}?transferId=${project.id}`);
}

beforeAll(async () => {
	for (const workflow of Object.values(own)) await lab.succeed(workflow);
	const { id, client } = await invite();
	const credential = sandboxCredentialFile(lab.sandbox.url, sandboxCredentials.v2Full);
	await storeAll(client, [credential], Object.values(ofJane));
	for (const workflow of Object.values(ofJane))
		expect((await client.runWorkflow(workflow.id, startName)).status).toBe('success');
	await handOver(id);
	const names = (await dataTables(lab.client)).map(({ name }) => name);
	for (const name of ['workspace_data_sync', 'workspace_data_results'])
		expect(names).toContain(`${name} (Jane Doe <${email}>)`);
});

test("continues a deleted user's Sync workflow where its last run ended", async () => {
	const changed = idsHeld(lab.sandbox).toSorted().slice(0, 4);
	lab.sandbox.update('company', changed);
	const execution = await lab.succeed(ofJane.sync);
	expect(idsOf(execution).toSorted()).toEqual(changed);
	expect(hintOf(execution, 'Confirm')).toContain('Confirmed 4 changes.');
	expect(idsOf(await lab.succeed(ofJane.sync))).toEqual([]);
});

test('uses kept results that a deleted user has paid for', async () => {
	await lab.succeed(ofJane.enrich);
	expect(domainsOf(lab.sandbox.calls.enrich)).toEqual([]);
});
