/** Sync in loops of a real n8n: two workspaces by a key from the item, and portions that nothing confirms. */
import { beforeAll, expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import { credentialFile } from './imports.mts';
import { useLab } from './lab.mts';
import { itemsOf, type Execution } from './rest.mts';
import { idsHeld } from './service.mts';
import { confirm, getChanges, runByWebhook, syncBy } from './sync-workflows.mts';
import { items, loopOver, n8nNode, webhook } from './workflows.mts';
import type { RunnableWorkflow, WorkflowNode } from './workflows.mts';

const byItem = { id: 'keyOfItem', name: 'Key of the item' };
const keys = [sandboxCredentials.v2Regular, sandboxCredentials.v2OtherWorkspace];
const tenants = keys.map((key, index) => ({ key, tenant: `tenant ${index}` }));

const ofTenant = (options: object, startFrom = 'beginning'): WorkflowNode => ({
	...getChanges({ startFrom, options }),
	alwaysOutputData: true,
	credentials: { workspaceDataApi: byItem },
});

const overTenants = (path: string, read: WorkflowNode): RunnableWorkflow =>
	loopOver(path, [webhook(path, 'onReceived'), items(tenants)], [read, confirm]);

/** Back to Get Changes after each portion, and Confirm Changes only once there is none. */
function neverConfirms(): RunnableWorkflow {
	const read = getChanges({ options: { maxRecords: 10 } });
	const work = n8nNode('Work', 'limit', 1);
	const workflow = syncBy('portions', read, work, confirm);
	workflow.connections.Work = { main: [[{ node: read.name, type: 'main', index: 0 }]] };
	return workflow;
}

const workflows = {
	shared: overTenants('shared', ofTenant({}, 'now')),
	named: overTenants('named', ofTenant({ syncName: '={{ $json.tenant }}' })),
	portions: neverConfirms(),
};

const lab = useLab({
	name: 'sync-loops',
	sandbox: { companies: 30 },
	key: 'v2Regular',
	credentials: (baseUrl) => [
		credentialFile(byItem.id, byItem.name, { baseUrl, apiKey: '={{ $json.key }}' }),
	],
	workflows: () => Object.values(workflows),
});

beforeAll(async () => {
	for (const { id } of Object.values(workflows)) await lab.client.activate(id);
});

const run = async (workflow: RunnableWorkflow): Promise<Execution> =>
	await runByWebhook(lab.n8n, workflow);

/** How many records each run of Get Changes has returned. */
const countsOf = ({ runs }: Execution): number[] =>
	(runs['Get Changes'] ?? []).map(
		({ data }) => (data?.main?.[0] ?? []).filter(({ json }) => json.id !== undefined).length,
	);

test('two workspaces of one sync are an error that names Sync Name, and the first one keeps its place', async () => {
	for (let rounds = 0; rounds < 2; rounds++) {
		const execution = await run(workflows.shared);
		expect(execution.error?.message).toMatch(/^This sync belongs to the .* "wsp_0+1"/);
		expect(JSON.stringify(execution.error)).toContain('Sync Name');
		for (const key of keys) expect(JSON.stringify(execution.error)).not.toContain(key);
	}
	lab.sandbox.create('company', 3);
	expect(countsOf(await run(workflows.shared))[0]).toBe(3);
});

test('two workspaces, each with a Sync Name by an expression, each have all of theirs, and then what is new', async () => {
	const all = [lab.sandbox.count('company'), lab.sandbox.otherWorkspace.count('company')];
	const first = await run(workflows.named);
	expect(first.error?.message).toBeUndefined();
	expect(countsOf(first)).toEqual(all);
	lab.sandbox.create('company', 2);
	lab.sandbox.otherWorkspace.create('company', 1);
	expect(countsOf(await run(workflows.named))).toEqual([2, 1]);
});

test('a loop that never confirms ends in an error that says where Confirm Changes belongs, not in the same portion for ever', async () => {
	const execution = await run(workflows.portions);
	expect(execution.status).toBe('error');
	expect(execution.error?.message).toBe(
		'Put Confirm Changes inside the loop, before Get Changes runs again',
	);
	expect(itemsOf(execution, 'Get Changes')).toHaveLength(10);
	expect(idsHeld(lab.sandbox).length, 'requests held').toBeGreaterThan(10);
});
