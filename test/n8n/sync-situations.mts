/** Workflows in which executions wait, overlap, call each other, or share a workflow with others that remember. */
import { randomUUID } from 'node:crypto';
import { confirm, getChanges } from './sync-workflows.mts';
import { chain, pollingTrigger, webhook } from './workflows.mts';
import type { RunnableWorkflow, WorkflowNode } from './workflows.mts';

/** n8n puts the execution into its database at once, as it does with a wait of more than 65 seconds. */
const untilCalled: WorkflowNode = {
	name: 'Wait',
	type: 'n8n-nodes-base.wait',
	typeVersion: 1.1,
	webhookId: randomUUID(),
	parameters: { resume: 'webhook', options: {} },
};

export const trigger = pollingTrigger();

const called: WorkflowNode = {
	name: 'Called',
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	typeVersion: 1.1,
	parameters: { inputSource: 'passthrough' },
};

const call = ({ id }: RunnableWorkflow): WorkflowNode => ({
	name: 'Call',
	type: 'n8n-nodes-base.executeWorkflow',
	typeVersion: 1.2,
	executeOnce: true,
	parameters: { workflowId: { __rl: true, mode: 'id', value: id }, options: {} },
});

/** Adds a connection to a node that stands elsewhere in the chain, or adds a node of its own. */
function withBranch(workflow: RunnableWorkflow, from: string, to: WorkflowNode): RunnableWorkflow {
	const { id, nodes, connections, ...rest } = workflow;
	const branch = { id: randomUUID(), position: [224, 448], ...to };
	const [next = []] = (connections as Record<string, { main: object[][] }>)[from]?.main ?? [];
	const main = [[...next, { node: to.name, type: 'main', index: 0 }]];
	return {
		id,
		...rest,
		nodes: [...nodes, branch],
		connections: { ...connections, [from]: { main } },
	};
}

/**
 * The workflows, each started by a webhook or by another of them.
 *
 * @param load what the changes go through
 */
export function situations(load: WorkflowNode) {
	const reads = chain('Sync reads', [called, getChanges()]);
	const loads = chain('Sync loads', [called, load]);
	const whole = chain('Sync whole', [called, getChanges(), confirm]);
	const beside = chain('Sync beside', [webhook('beside', 'onReceived'), getChanges(), confirm]);
	return {
		reads,
		loads,
		whole,
		waits: chain('Sync waits', [
			webhook('waits', 'onReceived'),
			getChanges(),
			load,
			untilCalled,
			confirm,
		]),
		copied: withBranch(
			chain('Sync copied', [webhook('copied', 'onReceived'), getChanges(), confirm]),
			'Webhook',
			getChanges({}, 'Get Changes1'),
		),
		callsReads: chain('Sync calls 1', [webhook('calls1', 'onReceived'), call(reads), confirm]),
		callsLoads: chain('Sync calls 2', [
			webhook('calls2', 'onReceived'),
			getChanges(),
			call(loads),
			confirm,
		]),
		callsWhole: chain('Sync calls 3', [webhook('calls3', 'onReceived'), call(whole)]),
		overlaps: chain('Sync overlaps', [
			webhook('overlaps', 'onReceived'),
			getChanges(),
			load,
			confirm,
		]),
		beside: {
			...beside,
			nodes: [...beside.nodes, { id: randomUUID(), position: [0, 448], ...trigger }],
		},
	};
}
