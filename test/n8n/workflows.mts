import { randomUUID } from 'node:crypto';
import type { WorkflowFile } from './imports.mts';
import { newWorkflowId, sandboxCredential } from './imports.mts';

/** A node of a workflow, as n8n stores it; position and version are filled in where they do not matter. */
export interface WorkflowNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
	onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	[setting: string]: unknown;
}

/** A workflow with the settings that n8n needs to run it. */
export type RunnableWorkflow = WorkflowFile & { settings: Record<string, unknown> };

/** The name of the trigger that `manualTrigger` makes. */
export const startName = 'Start';

/** The node that a person starts a workflow with. */
export function manualTrigger(): WorkflowNode {
	return {
		name: startName,
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		parameters: {},
	};
}

/**
 * A webhook that answers with what the last node put out, or at once.
 *
 * @param path its address below `/webhook/`
 * @param responseMode when it answers
 */
export function webhook(
	path: string,
	responseMode: 'onReceived' | 'lastNode' = 'lastNode',
): WorkflowNode {
	return {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: randomUUID(),
		parameters: { httpMethod: 'POST', path, responseMode, options: {} },
	};
}

/**
 * Items from a list written down in the workflow.
 *
 * @param items the items' fields
 */
export function items(items: Record<string, unknown>[]): WorkflowNode {
	return {
		name: 'Items',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: { jsCode: `return ${JSON.stringify(items)}.map((json) => ({ json }));` },
	};
}

/**
 * The Workspace Data node with the sandbox's credential.
 *
 * @param parameters resource, operation and what belongs to it
 * @param settings more of the node, such as `onError`
 */
export function dataNode(
	parameters: Record<string, unknown>,
	settings: Partial<WorkflowNode> = {},
): WorkflowNode {
	return {
		name: 'Workspace Data',
		type: 'n8n-nodes-workspace-data.workspaceData',
		typeVersion: 1,
		parameters,
		credentials: { workspaceDataApi: sandboxCredential },
		...settings,
	};
}

/** How often the trigger below polls. n8n refuses one poll time that comes so often, not several. */
export const secondsBetweenPolls = 5;

/**
 * The trigger node, for every changed company from now on.
 *
 * @param options those of the node
 */
export function pollingTrigger(options: Record<string, unknown> = {}): WorkflowNode {
	const item = Array.from({ length: 60 / secondsBetweenPolls }, (_, place) => ({
		mode: 'custom',
		cronExpression: `${place * secondsBetweenPolls} * * * * *`,
	}));
	return {
		name: 'When a company changes',
		type: 'n8n-nodes-workspace-data.workspaceDataTrigger',
		typeVersion: 1,
		parameters: {
			pollTimes: { item },
			event: 'recordUpdated',
			objectType: 'company',
			startFrom: 'now',
			options,
		},
		credentials: { workspaceDataApi: sandboxCredential },
	};
}

/**
 * A workflow of nodes one after the other, with a new id.
 *
 * @param name as people see it
 * @param nodes from the trigger on
 */
export function chain(name: string, nodes: WorkflowNode[]): RunnableWorkflow {
	const connections: Record<string, unknown> = {};
	for (const [place, node] of nodes.entries()) {
		const next = nodes[place + 1];
		if (next) connections[node.name] = { main: [[{ node: next.name, type: 'main', index: 0 }]] };
	}
	return {
		id: newWorkflowId(),
		name,
		nodes: nodes.map((node, place) => ({
			id: randomUUID(),
			position: [place * 224, 0],
			...node,
		})),
		connections,
		settings: { executionOrder: 'v1' },
	};
}

/** A copy of an example with one node changed. */
export function changed(
	workflow: WorkflowFile,
	name: string,
	change: (node: WorkflowFile['nodes'][number]) => void,
): WorkflowFile {
	const copy = structuredClone(workflow);
	const node = copy.nodes.find((found) => found.name === name);
	if (!node) throw new Error(`The example has no node "${name}"`);
	change(node);
	return copy;
}
