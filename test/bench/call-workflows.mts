import { sandboxCredential, type WorkflowFile } from '../n8n/imports.mts';

/** Name of the workflow's trigger node. */
export const START = 'Start';
/** Name of the node that is measured. */
export const NODE = 'Calls';

/** A node as it stands in a workflow file, before it has an id and a position. */
export interface BenchNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters: Record<string, unknown>;
	[key: string]: unknown;
}

/** A workflow that makes a list and sends each item of it to the service's enrich. */
export interface CallWorkflow extends WorkflowFile {
	node: string;
	maxConcurrent: number;
}

/** What the list holds and how it is sent. */
export interface CallWorkflowOptions extends CallNodeOptions {
	maxConcurrent: number;
	/** HTTP Request only: sends so many at once, and the next when all of them are answered; all at once by default. */
	batchSize?: number;
}

/** The same, where numbers may also be given as expressions. */
interface CallNodeOptions {
	/** How many; a number, or the inside of an expression. */
	items: number | string;
	/** Different bodies among the items; all differ by default. */
	distinct?: number | string;
	/** A number, or a whole expression. */
	maxConcurrent: number | string;
	sendIdenticalOnce?: boolean;
	/** What the companies are called, without digits; `company` by default. */
	company?: string;
	/** For so many days; not set: nothing is kept. */
	reuseResultsFor?: number;
}

/**
 * Builds the workflow for one of the two nodes that are compared.
 *
 * @param id the workflow's id in n8n
 * @param node `workspaceData`, or `httpRequest` for what a user would take instead, as it is when it is added
 * @param baseUrl the service
 */
export function callWorkflow(
	id: string,
	node: string,
	baseUrl: string,
	options: CallWorkflowOptions,
): CallWorkflow {
	const measured =
		node === 'workspaceData' ? workspaceDataNode(options) : httpRequestNode(baseUrl, options);
	const nodes = [
		{ name: START, type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		...listNodes(options),
		{ name: NODE, ...measured, credentials: { workspaceDataApi: sandboxCredential } },
	];
	return {
		id,
		name: id,
		node,
		maxConcurrent: options.maxConcurrent,
		nodes: nodes.map((entry, index) => ({
			id: `${id}-${index}`,
			position: [index * 220, 0],
			...entry,
		})),
		connections: {
			[START]: to('List'),
			List: to('One item each'),
			'One item each': to(NODE),
		},
	};
}

/** Nodes that make the list and send its items with the Workspace Data node. */
export function callNodes(options: CallNodeOptions): BenchNode[] {
	const measured = workspaceDataNode(options);
	const credentials = { workspaceDataApi: sandboxCredential };
	return [...listNodes(options), { name: NODE, ...measured, credentials }];
}

function listNodes({ items, distinct = items, company = 'company' }: CallNodeOptions): BenchNode[] {
	const list = `Array.from({ length: ${items} }, (_, index) => ({ domain: '${company}-' + (index % ${distinct}) + '.example' }))`;
	return [
		{
			name: 'List',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: `={{ { list: ${list} } }}`, options: {} },
		},
		{
			name: 'One item each',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'list', options: {} },
		},
	];
}

function to(node: string): { main: Array<Array<{ node: string; type: 'main'; index: number }>> } {
	return { main: [[{ node, type: 'main', index: 0 }]] };
}

function workspaceDataNode({
	maxConcurrent,
	sendIdenticalOnce = false,
	reuseResultsFor,
}: CallNodeOptions): {
	type: string;
	typeVersion: number;
	parameters: Record<string, unknown>;
} {
	return {
		type: 'n8n-nodes-workspace-data.workspaceData',
		typeVersion: 1,
		parameters: {
			resource: 'company',
			operation: 'enrich',
			dataToSend: 'autoMapInputData',
			options: {
				maxConcurrent,
				sendIdenticalOnce,
				...(reuseResultsFor !== undefined && { reuseResultsFor }),
			},
		},
	};
}

/** HTTP Request as a user sets it up for this; its errors become items, so that they can be counted. */
function httpRequestNode(
	baseUrl: string,
	{ batchSize }: CallWorkflowOptions,
): {
	type: string;
	typeVersion: number;
	parameters: Record<string, unknown>;
	onError: string;
} {
	return {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		onError: 'continueRegularOutput',
		parameters: {
			method: 'POST',
			url: `${baseUrl}/v2/enrich`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'workspaceDataApi',
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ JSON.stringify($json) }}',
			options:
				batchSize === undefined ? {} : { batching: { batch: { batchSize, batchInterval: 0 } } },
		},
	};
}
