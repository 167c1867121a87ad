/** Sync in two projects: each has a data table of its own. n8n's free edition knows personal projects only. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sandboxCredentials, startSandbox } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/types.mts';
import { keepEvidenceOfFailures } from './artifacts.mts';
import { sandboxCredentialFile } from './imports.mts';
import { startN8nUnderTest } from './n8n-under-test.mts';
import type { N8nUnderTest } from './n8n-under-test.mts';
import { cookieOf, createClient } from './rest.mts';
import type { RestClient } from './rest.mts';
import { storeCredentials, storeWorkflow } from './rest-setup.mts';
import { confirm, getChanges, idsOf, runByWebhook } from './sync-workflows.mts';
import { chain, webhook } from './workflows.mts';
import type { RunnableWorkflow } from './workflows.mts';

const tableName = 'workspace_data_sync';

let sandbox: Sandbox;
let n8n: N8nUnderTest;
let member: RestClient;
let ofOwner: RunnableWorkflow;
let ofMember: RunnableWorkflow;

beforeAll(async () => {
	sandbox = await startSandbox({ companies: 12 });
	n8n = await startN8nUnderTest({ name: 'sync-projects' });
	member = await invite();
	ofOwner = await publish(n8n.client, 'owner');
	ofMember = await publish(member, 'member');
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

keepEvidenceOfFailures('sync-projects', () => ({
	logFiles: n8n ? [n8n.server.logFile] : [],
	sandbox,
}));

/** A second person, who has a personal project as well. */
async function invite(): Promise<RestClient> {
	const { client, server, runtime } = n8n;
	const invitation = { email: 'member@sandbox.example', role: 'global:member' };
	const [{ user }] = await client.request<Array<{ user: { inviteAcceptUrl: string } }>>(
		'POST',
		'/invitations',
		[invitation],
	);
	const response = await fetch(`${server.url}/rest/invitations/accept`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({
			token: new URL(user.inviteAcceptUrl).searchParams.get('token'),
			firstName: 'Sandbox',
			lastName: 'Member',
			password: 'Fake-password-2',
		}),
	});
	expect(response.status).toBe(200);
	return createClient(server.url, cookieOf(response), runtime);
}

async function publish(client: RestClient, name: string): Promise<RunnableWorkflow> {
	const file = sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Regular);
	const credentials = await storeCredentials(client, [file]);
	const workflow = chain(`Sync ${name}`, [webhook(name, 'onReceived'), getChanges(), confirm]);
	const stored = await storeWorkflow(client, workflow, credentials);
	await client.activate(stored.id);
	return stored;
}

/** The rows of the data tables that a person can see, by project. */
async function tablesOf(client: RestClient): Promise<Array<{ project: string; name: string }>> {
	const projects = await client.request<Array<{ id: string; type: string }>>(
		'GET',
		'/projects/my-projects',
	);
	expect(projects.map(({ type }) => type)).toEqual(['personal']);
	const found = projects.map(async ({ id }) => {
		const route = `/projects/${id}/data-tables`;
		const { data } = await client.request<{ data: Array<{ name: string }> }>('GET', route);
		return data.map(({ name }) => ({ project: id, name }));
	});
	return (await Promise.all(found)).flat();
}

test('the workflows of two personal projects keep their places in a data table of each project', async () => {
	const clients = { owner: n8n.client, member };
	const runs = {
		owner: async () => await runByWebhook({ ...n8n, client: n8n.client }, ofOwner),
		member: async () => await runByWebhook({ ...n8n, client: member }, ofMember),
	};
	for (const who of ['owner', 'member'] as const) {
		expect(await tablesOf(clients[who])).toEqual([]);
		expect(idsOf(await runs[who]())).toHaveLength(12);
		expect((await tablesOf(clients[who])).map(({ name }) => name)).toEqual([tableName]);
	}
	const [owners, members] = await Promise.all(Object.values(clients).map(tablesOf));
	expect(owners[0]?.project).not.toBe(members[0]?.project);
	const created = sandbox.create('company', 2).toSorted();
	expect(idsOf(await runs.owner()).toSorted()).toEqual(created);
	expect(idsOf(await runs.member()).toSorted()).toEqual(created);
	expect(idsOf(await runs.owner())).toEqual([]);
});

// Where this fails, the edition under test knows them, and a test of them belongs here.
test('team projects cannot be tried: they need a licence', async () => {
	const making = n8n.client.request('POST', '/projects', { name: 'Team' });
	await expect(making).rejects.toMatchObject({ status: 403 });
});
