/** Sync in two projects: each has a data table of its own. n8n's free edition knows personal projects only, as team projects need a licence. */
import { expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import { dataTables, routeOfDataTables } from './data-tables.mts';
import { sandboxCredentialFile } from './imports.mts';
import { useLab } from './lab.mts';
import { cookieOf, createClient, postJson } from './rest.mts';
import type { RestClient } from './rest.mts';
import { storeAll } from './rest-setup.mts';
import { confirm, getChanges, idsOf, runByWebhook, syncBy } from './sync-workflows.mts';

const tableName = 'workspace_data_sync';

const lab = useLab({ name: 'sync-projects', sandbox: { companies: 12 } });

/** Another person, who has a personal project as well. */
async function invite(name: string): Promise<RestClient> {
	const { client, server, runtime } = lab.n8n;
	const invitation = { email: `${name}@sandbox.example`, role: 'global:member' };
	const [{ user }] = await client.request<Array<{ user: { inviteAcceptUrl: string } }>>(
		'POST',
		'/invitations',
		[invitation],
	);
	const response = await postJson(`${server.url}/rest/invitations/accept`, {
		token: new URL(user.inviteAcceptUrl).searchParams.get('token'),
		firstName: 'Sandbox',
		lastName: name,
		password: 'Fake-password-2',
	});
	expect(response.status).toBe(200);
	return createClient(server.url, cookieOf(response), runtime);
}

/** A person with a workflow in their project: what runs it, and what looks at the project's data tables. */
async function personWithSync(name: string) {
	const client = await invite(name);
	const file = sandboxCredentialFile(lab.sandbox.url, sandboxCredentials.v2Regular);
	const workflow = syncBy(name, getChanges(), confirm);
	await storeAll(client, [file], [workflow]);
	await client.activate(workflow.id);
	return {
		project: await routeOfDataTables(client),
		run: async () => idsOf(await runByWebhook({ ...lab.n8n, client }, workflow)).toSorted(),
		tables: async () => (await dataTables(client)).map(({ name: table }) => table),
	};
}

test('the workflows of two personal projects keep their places in a data table of each project', async () => {
	const people = [await personWithSync('first-member'), await personWithSync('other-member')];
	for (const { run, tables } of people) {
		expect(await tables()).toEqual([]);
		expect(await run()).toHaveLength(12);
		expect(await tables()).toEqual([tableName]);
	}
	expect(new Set(people.map(({ project }) => project)).size).toBe(2);
	const created = lab.sandbox.create('company', 2).toSorted();
	for (const { run } of people) expect(await run()).toEqual(created);
	for (const { run } of people) expect(await run()).toEqual([]);
});
