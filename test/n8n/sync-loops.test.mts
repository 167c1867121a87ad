/** Sync in loops of a real n8n: two workspaces by a key from the item, and Confirm Changes where it is too early. */
import { beforeAll, expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import { credentialFile } from './imports.mts';
import { useLab } from './lab.mts';
import type { Execution } from './rest.mts';
import { idsHeld } from './service.mts';
import { confirm, getChanges, hintOf, idsOf, runByWebhook, syncBy } from './sync-workflows.mts';
import {
	chain,
	dataNode,
	items,
	loopOver,
	manualTrigger,
	n8nNode,
	startName,
	webhook,
} from './workflows.mts';
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

const work = n8nNode('Work', 'noOp', 1);

/** Two rounds of which the first finds nothing. */
const query = { resource: 'record', operation: 'query', objectType: 'deal', returnAll: true };
const findsNothing = dataNode(query, { name: 'Query' });

const load = n8nNode('Load', 'noOp', 1);
const deactivated = { ...load, disabled: true };
const begin = n8nNode('Called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
const failing = chain('Fails', [
	begin,
	n8nNode('Fail', 'stopAndError', 1, { errorMessage: 'down' }),
]);
const calling = n8nNode('Load', 'executeWorkflow', 1.2, {
	workflowId: { __rl: true, mode: 'id', value: failing.id },
	options: { waitForSubWorkflow: false },
});

const byHand = (name: string, ...nodes: WorkflowNode[]): RunnableWorkflow =>
	chain(name, [manualTrigger(), getChanges(), ...nodes, confirm]);

/** With a load on a branch of its own, which has its turn first. */
function branching(): RunnableWorkflow {
	const workflow = byHand('step', work);
	const node = { id: 'load', position: [448, -224], ...load };
	const [{ name }] = [getChanges()];
	const to = [load, work].map((next) => ({ node: next.name, type: 'main', index: 0 }));
	workflow.nodes.push(node);
	workflow.connections[name] = { main: [to] };
	return workflow;
}

const workflows = {
	failing,
	step: branching(),
	pinned: { ...byHand('pinned', load), pinData: { Load: [{ json: { loaded: true } }] } },
	deactivated: byHand('deactivated', deactivated),
	notWaitedFor: byHand('not waited for', calling),
	published: syncBy('published', getChanges(), deactivated, confirm),
	inLoop: loopOver(
		'in the loop',
		[webhook('in-loop', 'onReceived'), getChanges()],
		[work, confirm],
	),
	empty: loopOver('empty', [webhook('empty', 'onReceived'), items(tenants)], [findsNothing]),
	shared: overTenants('shared', ofTenant({}, 'now')),
	named: overTenants('named', ofTenant({ syncName: '={{ $json.tenant }}' })),
};

const lab = useLab({
	name: 'sync-loops',
	sandbox: { companies: 30, deals: 0 },
	key: 'v2Regular',
	credentials: (baseUrl) => [
		credentialFile(byItem.id, byItem.name, { baseUrl, apiKey: '={{ $json.key }}' }),
	],
	workflows: () => Object.values(workflows),
});

beforeAll(async () => {
	for (const { id, nodes } of Object.values(workflows))
		if (nodes.some(({ name }) => name === 'Webhook')) await lab.client.activate(id);
});

const run = async (workflow: RunnableWorkflow): Promise<Execution> =>
	await runByWebhook(lab.n8n, workflow);

/** How many records each run of Get Changes has returned. */
const countsOf = ({ runs }: Execution): number[] =>
	(runs['Get Changes'] ?? []).map(
		({ data }) => (data?.main?.[0] ?? []).filter(({ json }) => json.id !== undefined).length,
	);

test('two keys of one sync are an error that names Sync Name, and the first one keeps its place', async () => {
	for (let rounds = 0; rounds < 2; rounds++) {
		const execution = await run(workflows.shared);
		expect(execution.error?.message).toMatch(/^This sync belongs to another credential/);
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

// Other places are in test/engine/WorkspaceData/sync/wirings.test.mts.
test('Confirm Changes in a loop is an error, and all changes come again', async () => {
	for (let runs = 0; runs < 2; runs++) {
		const execution = await run(workflows.inLoop);
		const message = 'Put Confirm Changes at the Done branch of "Loop"';
		expect(execution.error?.message).toContain(message);
		expect(idsOf(execution).toSorted()).toEqual(idsHeld(lab.sandbox).toSorted());
	}
});

test('a loop in which nothing is found ends after one round, and a hint says why', async () => {
	const execution = await run(workflows.empty);
	expect(execution.status).toBe('success');
	expect(execution.runs.Query).toHaveLength(1);
	expect(hintOf(execution, 'Query')).toContain('turn on Always Output Data');
});

const whole = 'Run the whole workflow, with \\"Load\\"';

test.each([
	['as a step that leaves a branch out', 'step', whole],
	['where data are pinned in between', 'pinned', whole],
	['where a node in between is deactivated', 'deactivated', whole],
	[
		'where nobody waits for a sub-workflow',
		'notWaitedFor',
		'Turn on Wait For Sub-Workflow Completion in \\"Load\\"',
	],
] as const)(
	'Confirm Changes in the editor, %s, is an error, and all changes come again',
	async (_where, name, message) => {
		const { id } = workflows[name];
		const body = {
			triggerToStartFrom: { name: startName },
			...(name === 'step' && { destinationNode: { nodeName: confirm.name, mode: 'inclusive' } }),
		};
		for (let runs = 0; runs < 2; runs++) {
			const route = `/workflows/${id}/run`;
			const begun = await lab.client.request<{ executionId: string }>('POST', route, body);
			const execution = await lab.client.waitForExecution(begun.executionId);
			expect(JSON.stringify(execution.error)).toContain(message);
			expect(idsOf(execution).toSorted()).toEqual(idsHeld(lab.sandbox).toSorted());
		}
	},
);

test('Confirm Changes in the editor confirms a run of the whole workflow, with what a step leaves out', async () => {
	const execution = await lab.succeed(workflows.step);
	expect(hintOf(execution, 'Confirm')).toContain(`Confirmed ${idsOf(execution).length} changes.`);
	expect(idsOf(await lab.run(workflows.step))).toEqual([]);
});

test('Confirm Changes of a published workflow with a deactivated node confirms, and names the node', async () => {
	const execution = await run(workflows.published);
	expect(hintOf(execution, 'Confirm')).toMatch(/Confirmed \d+ changes.*Load.* is deactivated/);
	expect(idsOf(await run(workflows.published))).toEqual([]);
});
