/** Workflows that send calls to the service's enrich. */
import { sandboxCredential } from '../n8n/imports.mts';
import { dataNode, type WorkflowNode } from '../n8n/workflows.mts';

const ofBody = '={{ $json.body.domain }}';
const oneCall = { resource: 'company', operation: 'enrich', dataToSend: 'defineBelow' };
const fields = { assignments: [{ id: '1', name: 'domain', type: 'string', value: ofBody }] };
const enrich = dataNode({ ...oneCall, fields, options: {} }, { name: 'Enrich' });

const respond: WorkflowNode = {
	parameters: { respondWith: 'firstIncomingItem', options: {} },
	name: 'Respond',
	type: 'n8n-nodes-base.respondToWebhook',
	typeVersion: 1.4,
};

/** What follows a webhook that takes `{ domain }`: it answers with the result, or calls once with Retry On Fail. */
export function oneCallWorkflows(baseUrl: string) {
	const tries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1_000 };
	const httpRequest: WorkflowNode = {
		parameters: {
			method: 'POST',
			url: `${baseUrl}/v2/enrich`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'workspaceDataApi',
			sendBody: true,
			specifyBody: 'keypair',
			bodyParameters: { parameters: [{ name: 'domain', value: ofBody }] },
			options: {},
		},
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		credentials: { workspaceDataApi: sandboxCredential },
	};
	return {
		answerNode: [enrich, respond],
		answerHttp: [httpRequest, respond],
		callNode: [{ ...enrich, ...tries }],
		callHttp: [{ ...httpRequest, ...tries }],
	};
}

const list = `Array.from({ length: $json.body.items }, (_, index) => ({ domain: $json.body.company + '-' + index + '.example' }))`;

const listNodes: WorkflowNode[] = [
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

const atOnce = `={{ $('Webhook').first().json.body.maxConcurrent }}`;

/** What follows a webhook that takes `{ items, maxConcurrent, company }`: calls about companies whose names begin so. */
export const manyCallsWorkflows = {
	calls: [...listNodes, enrichItems({ maxConcurrent: atOnce })],
	callsKept: [...listNodes, enrichItems({ maxConcurrent: atOnce, reuseResultsFor: 30 })],
};

function enrichItems(options: Record<string, unknown>): WorkflowNode {
	const parameters = { ...oneCall, dataToSend: 'autoMapInputData', options };
	return dataNode(parameters, { name: 'Calls' });
}
