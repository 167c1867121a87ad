/** Nodes of workflows that send calls to the service's enrich endpoint. The nodes follow the workflow's webhook. */
import { sandboxCredential } from '../n8n/imports.mts';
import { dataNode, enrichNode, n8nNode } from '../n8n/workflows.mts';

const ofBody = '={{ $json.body.domain }}';
const fields = { assignments: [{ id: '1', name: 'domain', type: 'string', value: ofBody }] };
const enrich = dataNode({ resource: 'company', operation: 'enrich', fields, options: {} });
const respond = n8nNode('Respond', 'respondToWebhook', 1.4, {
	respondWith: 'firstIncomingItem',
	options: {},
});

/** Returns an HTTP Request node for enrich, as a user sets it up. */
const httpRequestNode = (baseUrl: string, body: object, options: object) =>
	n8nNode(
		'HTTP Request',
		'httpRequest',
		4.2,
		{
			method: 'POST',
			url: `${baseUrl}/v2/enrich`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'workspaceDataApi',
			sendBody: true,
			...body,
			options,
		},
		{ credentials: { workspaceDataApi: sandboxCredential } },
	);

/**
 * Returns the nodes after a webhook with `{ domain }`. `answer…` workflows respond with the result. `call…` workflows
 * send one call with Retry On Fail.
 */
export function oneCallWorkflows(baseUrl: string) {
	const tries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1_000 };
	const bodyParameters = { parameters: [{ name: 'domain', value: ofBody }] };
	const httpRequest = httpRequestNode(baseUrl, { specifyBody: 'keypair', bodyParameters }, {});
	return {
		answerNode: [enrich, respond],
		answerHttp: [httpRequest, respond],
		callNode: [{ ...enrich, ...tries }],
		callHttp: [{ ...httpRequest, ...tries }],
	};
}

const list = `Array.from({ length: $json.body.items }, (_, index) => ({ domain: $json.body.company + '-' + index + '.example' }))`;
const ofWebhook = `={{ $('Webhook').first().json.body.maxConcurrent }}`;
/** Nodes after a webhook with `{ items, company }` that return one item for each company. */
export const listNodes = [
	n8nNode('List', 'set', 3.4, { mode: 'raw', jsonOutput: `={{ { list: ${list} } }}`, options: {} }),
	n8nNode('One item each', 'splitOut', 1, { fieldToSplitOut: 'list', options: {} }),
];

/**
 * Returns the nodes after a webhook with `{ items, company }`. They send calls about companies whose names begin with
 * `company`. The number of parallel requests is fixed, because n8n would resolve an expression for every item. Only
 * `callsOfSize` reads this number from the webhook.
 */
export function manyCallsWorkflows(baseUrl: string, maxConcurrent: number) {
	const batch = { batchSize: maxConcurrent, batchInterval: 0 };
	const body = { specifyBody: 'json', jsonBody: '={{ JSON.stringify($json) }}' };
	return {
		calls: [...listNodes, enrichNode({ maxConcurrent })],
		callsOfSize: [...listNodes, enrichNode({ maxConcurrent: ofWebhook })],
		callsKept: [...listNodes, enrichNode({ maxConcurrent, cache: { values: { days: 30 } } })],
		callsHttp: [...listNodes, httpRequestNode(baseUrl, body, { batching: { batch } })],
	};
}
