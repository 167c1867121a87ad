import { sandboxCredential, type WorkflowFile } from '../n8n/imports.mts';
import { chain, dataNode, manualTrigger, type WorkflowNode } from '../n8n/workflows.mts';

/** Name of the node that is measured. */
export const NODE = 'Calls';

/** A workflow that makes a list and sends each item of it to the service's enrich. */
export interface CallWorkflow extends WorkflowFile {
	node: string;
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
 * @param name of the workflow
 * @param node `workspaceData`, or `httpRequest` for what a user would take instead, as it is when it is added
 * @param baseUrl the service
 */
export function callWorkflow(
	name: string,
	node: 'workspaceData' | 'httpRequest',
	baseUrl: string,
	options: CallWorkflowOptions,
): CallWorkflow {
	const measured =
		node === 'workspaceData' ? workspaceDataNode(options) : httpRequestNode(baseUrl, options);
	return { ...chain(name, [manualTrigger(), ...listNodes(options), measured]), node };
}

/** Nodes that make the list and send its items with the Workspace Data node. */
export function callNodes(options: CallNodeOptions): WorkflowNode[] {
	return [...listNodes(options), workspaceDataNode(options)];
}

function listNodes({
	items,
	distinct = items,
	company = 'company',
}: CallNodeOptions): WorkflowNode[] {
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

function workspaceDataNode({
	maxConcurrent,
	sendIdenticalOnce = false,
	reuseResultsFor,
}: CallNodeOptions): WorkflowNode {
	const options = {
		maxConcurrent,
		sendIdenticalOnce,
		...(reuseResultsFor !== undefined && { reuseResultsFor }),
	};
	const call = { resource: 'company', operation: 'enrich', dataToSend: 'autoMapInputData' };
	return dataNode({ ...call, options }, { name: NODE });
}

/** HTTP Request as a user sets it up for this; its errors become items, so that they can be counted. */
function httpRequestNode(baseUrl: string, { batchSize }: CallWorkflowOptions): WorkflowNode {
	return {
		name: NODE,
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
		credentials: { workspaceDataApi: sandboxCredential },
	};
}
