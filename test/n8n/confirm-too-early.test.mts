/**
 * Tests Confirm Changes in a real n8n if some changes may not have reached every destination, because a part of the
 * workflow did not run.
 */
import { beforeAll, expect, test } from 'vitest';
import { useLab } from './lab.mts';
import { idsHeld } from './service.mts';
import {
	confirm,
	getChanges,
	hintOf,
	idsOf,
	newExecution,
	runByWebhook,
	syncBy,
} from './sync-workflows.mts';
import { chain, manualTrigger, n8nNode, startName } from './workflows.mts';
import type { RunnableWorkflow, WorkflowNode } from './workflows.mts';

const work = n8nNode('Work', 'noOp', 1);
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

/**
 * Returns a workflow with two branches after Get Changes. n8n first runs the branch with the node Load. Confirm Changes
 * is in the second branch.
 */
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
	apart: chain('apart', [manualTrigger(), work, confirm]),
};

const lab = useLab({
	name: 'confirm-too-early',
	sandbox: { companies: 30 },
	workflows: () => Object.values(workflows),
});

beforeAll(async () => await lab.client.activate(workflows.published.id));

const whole = 'Run the whole workflow, with \\"Load\\"';

// Other ways to connect the nodes are tested in test/engine/WorkspaceData/sync/wirings.test.mts.
test.each([
	['if "Execute step" leaves out a branch', 'step', whole],
	['if a node before Confirm Changes has pinned data', 'pinned', whole],
	['if a node before Confirm Changes is deactivated', 'deactivated', whole],
	[
		'if the workflow does not wait for its sub-workflow',
		'notWaitedFor',
		'Turn on Wait For Sub-Workflow Completion in \\"Load\\"',
	],
] as const)(
	'refuses to confirm changes of an execution in the editor %s',
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

test('confirms changes in the editor if the whole workflow runs', async () => {
	const execution = await lab.succeed(workflows.step);
	expect(hintOf(execution, 'Confirm')).toContain(`Confirmed ${idsOf(execution).length} changes.`);
	expect(idsOf(await lab.run(workflows.step))).toEqual([]);
});

test('confirms changes in a published workflow with a deactivated node, and shows a hint about the node', async () => {
	const execution = await runByWebhook(lab.n8n, workflows.published);
	expect(hintOf(execution, 'Confirm')).toMatch(/Confirmed \d+ changes.*Load.* is deactivated/);
	expect(idsOf(await runByWebhook(lab.n8n, workflows.published))).toEqual([]);
});

test.each(['pinned', 'deactivated'] as const)(
	'refuses to confirm changes if a user retries an execution of the editor with a %s node',
	async (name) => {
		const { id } = workflows[name];
		const failed = await lab.run(workflows[name]);
		expect(JSON.stringify(failed.error)).toContain(whole);
		const retryId = await newExecution(lab.client, id, 'retry', async () => {
			await lab.client.request('POST', `/executions/${failed.id}/retry`, { loadWorkflow: false });
		});
		const retried = await lab.client.waitForExecution(retryId);
		expect(JSON.stringify(retried.error)).toContain(whole);
		expect(idsOf(await lab.run(workflows[name]))).not.toEqual([]);
	},
);

test('refuses to run Confirm Changes in a workflow without Get Changes', async () => {
	const execution = await lab.run(workflows.apart);
	expect(JSON.stringify(execution.error)).toContain(
		'Put Get Changes and Confirm Changes into one workflow',
	);
});
