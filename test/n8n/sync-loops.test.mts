/** Sync in loops of a real n8n: two workspaces by a key from the item, and portions that nothing confirms. */
import { beforeAll, expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import { useLab } from './lab.mts';
import { itemsOf, type Execution } from './rest.mts';
import { idsHeld } from './service.mts';
import { confirm, getChanges, runByWebhook } from './sync-workflows.mts';
import { chain, items, n8nNode, webhook } from './workflows.mts';
import type { RunnableWorkflow, WorkflowNode } from './workflows.mts';

const byItem = { id: 'keyOfItem', name: 'Key of the item' };
const keys = [sandboxCredentials.v2Regular, sandboxCredentials.v2OtherWorkspace];
const tenants = keys.map((key, index) => ({ key, tenant: `tenant ${index}` }));

/** Loop Over Items: each item is a run of the nodes of the round, which come back to it. */
function loopOver(name: string, ...round: WorkflowNode[]): RunnableWorkflow {
	const loop = n8nNode('Loop', 'splitInBatches', 3, { options: {} });
	const workflow = chain(name, [webhook(name, 'onReceived'), items(tenants), loop]);
	const rest = chain(name, round);
	const to = (node: string) => [{ node, type: 'main', index: 0 }];
	const connections = {
		...workflow.connections,
		...rest.connections,
		Loop: { main: [[], to(round[0].name)] },
		[round.at(-1)?.name ?? '']: { main: [to('Loop')] },
	};
	return { ...workflow, nodes: [...workflow.nodes, ...rest.nodes], connections };
}

const ofTenant = (options: object, startFrom = 'beginning'): WorkflowNode => ({
	...getChanges({ startFrom, options }),
	alwaysOutputData: true,
	credentials: { workspaceDataApi: byItem },
});

/** Back to Get Changes after each portion, and Confirm Changes only once there is none. */
function neverConfirms(): RunnableWorkflow {
	const options = { maxRecords: 10 };
	const work = n8nNode('Work', 'limit', 1);
	const workflow = chain('portions', [webhook('portions', 'onReceived'), getChanges({ options })]);
	const rest = chain('', [work, confirm]);
	const to = (...nodes: string[]) => ({
		main: [nodes.map((node) => ({ node, type: 'main', index: 0 }))],
	});
	const connections = {
		...workflow.connections,
		'Get Changes': to('Work'),
		Work: to('Get Changes'),
	};
	return { ...workflow, nodes: [...workflow.nodes, ...rest.nodes], connections };
}

const workflows = {
	shared: loopOver('shared', ofTenant({}, 'now'), confirm),
	named: loopOver('named', ofTenant({ syncName: '={{ $json.tenant }}' }), confirm),
	portions: neverConfirms(),
};

const lab = useLab({
	name: 'sync-loops',
	sandbox: { companies: 30 },
	key: 'v2Regular',
	credentials: (baseUrl) => [
		{
			...byItem,
			type: 'workspaceDataApi',
			data: { baseUrl, apiVersion: 'v2', apiKey: '={{ $json.key }}' },
		},
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
	expect(idsHeld(lab.sandbox).length).toBeGreaterThan(10);
});
