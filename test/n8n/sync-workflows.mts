/** Sync in workflows that a webhook starts. */
import { poll } from './poll.mts';
import { itemsOf, postJson } from './rest.mts';
import type { Execution, RestClient } from './rest.mts';
import type { UsedN8n } from './n8n-under-test.mts';
import { chain, dataNode, webhook } from './workflows.mts';
import type { RunnableWorkflow, WorkflowNode } from './workflows.mts';

/** Get Changes of companies, as items, kept until it is confirmed. */
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

/** Without a credential: it asks the service for nothing. */
export const confirm: WorkflowNode = {
	name: 'Confirm',
	type: 'n8n-nodes-workspace-data.workspaceData',
	typeVersion: 1,
	parameters: { resource: 'sync', operation: 'confirm' },
};

/** A workflow whose webhook answers at once; its address is its name. */
export function syncBy(path: string, ...nodes: WorkflowNode[]): RunnableWorkflow {
	return chain(`Sync ${path}`, [webhook(path, 'onReceived'), ...nodes]);
}

/** The hints of a node's first run, as JSON; `[]` for none. */
export function hintOf(execution: Execution, node: string): string {
	const run = execution.runs[node]?.[0] as { hints?: unknown } | undefined;
	return JSON.stringify(run?.hints ?? []);
}

/** The ids of the records that a node put out as items. */
export function idsOf(execution: Execution, node = 'Get Changes'): string[] {
	return itemsOf(execution, node).map(({ json }) => String(json.id));
}

/** Calls the webhook that a workflow begins with. */
export async function callWebhook(
	url: string,
	{ nodes }: RunnableWorkflow,
	body: object = { a: 1 },
): Promise<Response> {
	const { path } = nodes.find(({ name }) => name === 'Webhook')?.parameters as { path: string };
	return await postJson(`${url}/webhook/${path}`, body);
}

/** Starts a workflow by its webhook and waits for its end. */
export async function runByWebhook(
	{ client, server }: Pick<UsedN8n, 'client' | 'server'>,
	workflow: RunnableWorkflow,
	timeoutMs?: number,
): Promise<Execution> {
	const begin = async () => await callWebhook(server.url, workflow);
	const id = await newExecution(client, workflow.id, 'webhook', begin);
	return await client.waitForExecution(id, timeoutMs);
}

/** The id of the execution that something starts; the small ones that reach the data table are listed while they run. */
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
