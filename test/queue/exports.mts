import { dataNode, chain, webhook } from '../n8n/workflows.mts';
import { itemsOf } from '../n8n/rest.mts';
import type { Execution } from '../n8n/rest.mts';
import { sandboxCredentialFile } from '../n8n/imports.mts';
import { storeCredentials, storeWorkflow } from '../n8n/rest-setup.mts';
import type { Cluster } from './cluster.mts';
import { retriedWorkflows } from './retried-calls.mts';
import { enrichKept } from './reused-results.mts';

/** The node whose run makes an execution one that did its work. */
export const dataNodeName = 'Workspace Data';

/** Fields to Send with one text in it. */
function assigned(name: string, value: string): Record<string, unknown> {
	return { assignments: [{ id: name, name, type: 'string', value }] };
}

/** The workflows of the queue tests, each started through the webhook of its name. */
export const queueWorkflows = {
	/** Exports all companies into files. */
	export: chain('Export', [
		webhook('export', 'onReceived'),
		dataNode({
			resource: 'company',
			operation: 'getAll',
			returnAll: true,
			outputAs: 'ndjson',
			options: { pageSize: 50, recordsPerFile: 400 },
		}),
	]),
	/** Enriches the company in the request's body and answers with the result. */
	enrich: chain('Enrich', [
		webhook('enrich', 'lastNode'),
		dataNode({
			resource: 'company',
			operation: 'enrich',
			fields: assigned('domain', '={{ $json.body.domain }}'),
		}),
	]),
	/** Enriches each company of the list in the request's body. */
	enrichMany: chain('Enrich many', [
		webhook('enrich-many', 'onReceived'),
		{
			name: 'Split Out',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'body.companies', options: {} },
		},
		dataNode({
			resource: 'company',
			operation: 'enrich',
			fields: assigned('domain', '={{ $json.domain }}'),
			options: { maxConcurrent: 1 },
		}),
	]),
	enrichKept,
	...retriedWorkflows,
};

/**
 * Stores the credential and the workflows through n8n's REST API and publishes them.
 *
 * @param cluster a running cluster
 * @param baseUrl address of the sandbox
 * @param apiKey a key it knows
 * @returns the workflows' ids
 */
export async function publishWorkflows(
	{ client }: Cluster,
	baseUrl: string,
	apiKey: string,
): Promise<Record<keyof typeof queueWorkflows, string>> {
	const file = sandboxCredentialFile(baseUrl, apiKey);
	const credentials = await storeCredentials(client, [file]);
	const ids: Record<string, string> = {};
	for (const [name, workflow] of Object.entries(queueWorkflows)) {
		({ id: ids[name] } = await storeWorkflow(client, workflow, credentials));
		await client.activate(ids[name]);
	}
	return ids as Record<keyof typeof queueWorkflows, string>;
}

/**
 * Reads the files that an export execution stored, back from n8n.
 *
 * @param cluster the cluster it ran on
 * @param execution a finished export
 * @param nodeName the node that made the files
 * @returns the ids of the records in the files, in order
 */
export async function exportedIds(
	cluster: Cluster,
	execution: Execution,
	nodeName = dataNodeName,
): Promise<string[]> {
	const ids: string[] = [];
	for (const { binary } of itemsOf(execution, nodeName)) {
		const stored = binary?.data?.id ?? '';
		if (!stored.startsWith('database:'))
			throw new Error(`A file is not in the database: ${stored}`);
		const response = await cluster.client.readFile(stored);
		const lines = (await response.text()).split('\n').filter((line) => line !== '');
		for (const line of lines) ids.push((JSON.parse(line) as { id: string }).id);
	}
	return ids;
}
