import { sandboxCredential } from '../n8n/imports.mts';
import type { WorkflowNode } from '../n8n/workflows.mts';

const credentials = { workspaceDataApi: sandboxCredential };
const domain = '$json.body.domain';

const enrich: WorkflowNode = {
	parameters: {
		resource: 'company',
		operation: 'enrich',
		dataToSend: 'defineBelow',
		fields: {
			assignments: [{ id: '1', name: 'domain', type: 'string', value: `={{ ${domain} }}` }],
		},
		options: {},
	},
	name: 'Enrich',
	type: 'n8n-nodes-workspace-data.workspaceData',
	typeVersion: 1,
	credentials,
};

function httpRequest(baseUrl: string): WorkflowNode {
	return {
		parameters: {
			method: 'POST',
			url: `${baseUrl}/v2/enrich`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'workspaceDataApi',
			sendBody: true,
			specifyBody: 'keypair',
			bodyParameters: { parameters: [{ name: 'domain', value: `={{ ${domain} }}` }] },
			options: {},
		},
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		credentials,
	};
}

const respond: WorkflowNode = {
	parameters: { respondWith: 'firstIncomingItem', options: {} },
	name: 'Respond',
	type: 'n8n-nodes-base.respondToWebhook',
	typeVersion: 1.4,
};

/** What follows a webhook that takes `{ domain }` and answers with what the service's enrich knows of it. */
export function answerWorkflows(baseUrl: string) {
	return [
		{ name: 'answerNode' as const, work: [enrich, respond] },
		{ name: 'answerHttp' as const, work: [httpRequest(baseUrl), respond] },
	];
}

/** One call, as with a webhook that answers, with n8n's own Retry On Fail. */
export function callWorkflows(baseUrl: string) {
	const tries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1_000 };
	return [
		{ name: 'callNode' as const, work: [{ ...enrich, ...tries }] },
		{ name: 'callHttp' as const, work: [{ ...httpRequest(baseUrl), ...tries }] },
	];
}
