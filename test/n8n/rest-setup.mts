import type { CredentialFile, WorkflowFile } from './imports.mts';
import type { RestClient } from './rest.mts';

/** Stored credentials with the ids that n8n chose. The keys are the ids that the tests' workflows use. */
export type StoredCredentials = Record<string, { id: string; name: string }>;

/**
 * Stores credentials through n8n's REST API, as the editor does. This is faster than `n8n import:credentials`, and
 * works with any database and any version of n8n. n8n chooses the ids.
 */
export async function storeCredentials(
	client: RestClient,
	credentials: CredentialFile[],
): Promise<StoredCredentials> {
	const stored: StoredCredentials = {};
	for (const { id, name, type, data } of credentials) {
		const body = { name, type, data };
		const created = await client.request<{ id: string }>('POST', '/credentials', body);
		stored[id] = { id: created.id, name };
	}
	return stored;
}

/**
 * Stores a workflow through n8n's REST API.
 * @param workflow workflow whose nodes refer to credentials by the ids of the tests
 * @returns the stored workflow. Older versions of n8n change its id.
 */
export async function storeWorkflow<Workflow extends WorkflowFile>(
	client: RestClient,
	workflow: Workflow,
	credentials: StoredCredentials,
): Promise<Workflow> {
	const nodes = workflow.nodes.map((node) => {
		const used = (node as { credentials?: StoredCredentials }).credentials ?? {};
		const replaced = Object.entries(used).map(([type, { id }]) => [type, credentials[id]]);
		return { ...node, credentials: Object.fromEntries(replaced) as StoredCredentials };
	});
	const { id, name, connections, settings = {}, pinData } = workflow;
	// Set `active`, because older versions of n8n have no default for this field.
	const body = { id, name, nodes, connections, settings, pinData, active: false };
	const stored = await client.request<{ id: string }>('POST', '/workflows', body);
	return { ...workflow, ...body, id: stored.id };
}

/** Stores credentials and the workflows that use them. Returns the stored credentials. */
export async function storeAll(
	client: RestClient,
	credentials: CredentialFile[],
	workflows: WorkflowFile[],
): Promise<StoredCredentials> {
	const stored = await storeCredentials(client, credentials);
	for (const workflow of workflows) await storeWorkflow(client, workflow, stored);
	return stored;
}
