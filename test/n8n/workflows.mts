import { randomUUID } from 'node:crypto';
import type { WorkflowFile } from './imports.mts';
import { newWorkflowId, sandboxCredential } from './imports.mts';

/** Node of a workflow, as n8n stores it. `chain` adds an id and a position. */
export interface WorkflowNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
	onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	[setting: string]: unknown;
}

/** Workflow with its settings, which n8n needs to run it. */
export type RunnableWorkflow = WorkflowFile & { settings: Record<string, unknown> };

/** Name of the node that `manualTrigger` returns. */
export const startName = 'Start';

/** Returns a node of a type that n8n itself provides. */
export function n8nNode(
	name: string,
	type: string,
	typeVersion: number,
	parameters: Record<string, unknown> = {},
	settings: Partial<WorkflowNode> = {},
): WorkflowNode {
	return { name, type: `n8n-nodes-base.${type}`, typeVersion, parameters, ...settings };
}

/** Returns the trigger node with which a user starts a workflow by hand. */
export const manualTrigger = (): WorkflowNode => n8nNode(startName, 'manualTrigger', 1);

/** Returns a Webhook node. It responds at once, or with the output of the last node. */
export function webhook(
	path: string,
	responseMode: 'onReceived' | 'lastNode' = 'lastNode',
): WorkflowNode {
	const parameters = { httpMethod: 'POST', path, responseMode, options: {} };
	return n8nNode('Webhook', 'webhook', 2, parameters, { webhookId: randomUUID() });
}

/**
 * Returns a Webhook node that responds at once, and a node that makes an item for each of the `companies` in the
 * request's body.
 */
export function companiesByWebhook(path: string): WorkflowNode[] {
	const parameters = { fieldToSplitOut: 'body.companies', options: {} };
	return [webhook(path, 'onReceived'), n8nNode('Split Out', 'splitOut', 1, parameters)];
}

/** Returns a Code node that returns these items. */
export function items(items: Record<string, unknown>[]): WorkflowNode {
	const jsCode = `return ${JSON.stringify(items)}.map((json) => ({ json }));`;
	return n8nNode('Items', 'code', 2, { jsCode });
}

/** Returns a node that makes a number of equal items. It works in older versions of n8n too. */
export function sameItems(
	name: string,
	fields: Record<string, unknown>,
	count: number,
): WorkflowNode {
	const jsonOutput = JSON.stringify(fields);
	const copies = { duplicateItem: true, duplicateCount: count - 1 };
	return n8nNode(name, 'set', 3.4, { mode: 'raw', jsonOutput, ...copies, options: {} });
}

/** Returns a Workspace Data node with the credential of the sandbox. */
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

/** Returns a node that enriches a company for each input item. It sends the fields of the item. */
export function enrichNode(
	options: Record<string, unknown> = {},
	settings: Partial<WorkflowNode> = {},
): WorkflowNode {
	const parameters = { resource: 'company', operation: 'enrich', dataToSend: 'autoMapInputData' };
	return dataNode({ ...parameters, options }, settings);
}

/** Returns a node that reads all companies of the service. */
export function companiesNode(
	options: Record<string, unknown> = {},
	outputAs = 'items',
	settings: Partial<WorkflowNode> = {},
): WorkflowNode {
	const parameters = { resource: 'company', operation: 'getAll', returnAll: true };
	return dataNode({ ...parameters, outputAs, options }, settings);
}

/**
 * Seconds between two polls of `pollingTrigger`. n8n rejects a poll time that repeats so often, so the trigger has
 * several poll times.
 */
export const secondsBetweenPolls = 5;

/** Returns a trigger node that returns every company that is created or changed from now on. */
export function pollingTrigger(
	options: Record<string, unknown> = {},
	parameters: Record<string, unknown> = {},
): WorkflowNode {
	const item = Array.from({ length: 60 / secondsBetweenPolls }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * secondsBetweenPolls} * * * * *`,
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
			...parameters,
		},
		credentials: { workspaceDataApi: sandboxCredential },
	};
}

/** Returns a workflow with a new id. Its nodes run one after the other. */
export function chain(name: string, nodes: WorkflowNode[]): RunnableWorkflow {
	const connections: Record<string, unknown> = {};
	for (const [index, node] of nodes.entries()) {
		const next = nodes[index + 1];
		if (next) connections[node.name] = { main: [[{ node: next.name, type: 'main', index: 0 }]] };
	}
	return {
		id: newWorkflowId(),
		name,
		nodes: nodes.map((node, index) => ({ id: randomUUID(), position: [index * 224, 0], ...node })),
		connections,
		settings: { executionOrder: 'v1' },
	};
}

/** Returns a copy of a workflow in which a function has changed one node. Throws if the node is missing. */
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
