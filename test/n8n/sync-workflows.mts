/** Helpers for workflows with Sync that a webhook starts. */
import { poll } from './poll.mts';
import { itemsOf, postJson } from './rest.mts';
import type { Execution, RestClient } from './rest.mts';
import type { UsedN8n } from './n8n-under-test.mts';
import { chain, dataNode, webhook } from './workflows.mts';
import type { RunnableWorkflow, WorkflowNode } from './workflows.mts';

/** Returns a Get Changes node for companies. Its changes stay unconfirmed until Confirm Changes runs. */
export function getChanges(parameters: Record<string, unknown> = {}): WorkflowNode {
	return dataNode(
		{
			resource: 'sync',
			operation: 'getChanges',
			options: { pagination: { values: { pageSize: 100 } } },
			...parameters,
		},
		{ name: 'Get Changes' },
	);
}

/** Confirm Changes node. It has no credential, because it sends no request to the service. */
export const confirm: WorkflowNode = {
	name: 'Confirm',
	type: 'n8n-nodes-workspace-data.workspaceData',
	typeVersion: 1,
	parameters: { resource: 'sync', operation: 'confirm' },
};

/** Returns a workflow that a webhook starts. The webhook responds at once. */
export function syncBy(path: string, ...nodes: WorkflowNode[]): RunnableWorkflow {
	return chain(`Sync ${path}`, [webhook(path, 'onReceived'), ...nodes]);
}

/** Returns the hints of a node's first run as JSON: `[]` if there are none. */
export function hintOf(execution: Execution, node: string): string {
	const run = execution.runs[node]?.[0] as { hints?: unknown } | undefined;
	return JSON.stringify(run?.hints ?? []);
}

/** Returns the ids of the records that a node returned as items. */
export function idsOf(execution: Execution, node = 'Get Changes'): string[] {
	return itemsOf(execution, node).map(({ json }) => String(json.id));
}

/** Sends a request to the webhook of a workflow. */
export async function callWebhook(
	url: string,
	{ nodes }: RunnableWorkflow,
	body: object = { a: 1 },
): Promise<Response> {
	const { path } = nodes.find(({ name }) => name === 'Webhook')?.parameters as { path: string };
	return await postJson(`${url}/webhook/${path}`, body);
}

/** Starts a workflow through its webhook and waits for its end. */
export async function runByWebhook(
	{ client, server }: Pick<UsedN8n, 'client' | 'server'>,
	workflow: RunnableWorkflow,
	timeoutMs?: number,
): Promise<Execution> {
	const begin = async () => await callWebhook(server.url, workflow);
	const id = await newExecution(client, workflow.id, 'webhook', begin);
	return await client.waitForExecution(id, timeoutMs);
}

/**
 * Returns the id of the execution that `begin` starts. Checks the mode, because n8n also lists running sub-workflows
 * that access the data table.
 */
export async function newExecution(
	client: RestClient,
	workflowId: string,
	mode: string,
	begin: () => Promise<unknown>,
): Promise<string> {
	const before = await client.listExecutions(workflowId);
	await begin();
	const started = async (): Promise<string | undefined> => {
		for (const id of await client.listExecutions(workflowId)) {
			if (before.includes(id)) continue;
			if ((await client.readExecution(id))?.mode === mode) return id;
		}
		return undefined;
	};
	return await poll('an execution to begin', started, 120_000);
}
