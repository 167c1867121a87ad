/**
 * Nodes that send calls to the service's enrich endpoint. A benchmark workflow begins with a webhook, followed by these
 * nodes.
 */
import { sandboxCredential } from '../n8n/imports.mts';
import { dataNode, enrichNode, n8nNode } from '../n8n/workflows.mts';

const ofBody = '={{ $json.body.domain }}';
const fields = { assignments: [{ id: '1', name: 'domain', type: 'string', value: ofBody }] };
const enrich = dataNode({ resource: 'company', operation: 'enrich', fields, options: {} });
const respond = n8nNode('Respond', 'respondToWebhook', 1.4, {
	respondWith: 'firstIncomingItem',
	options: {},
});

/** Returns an HTTP Request node that calls the enrich endpoint, as a user would set it up. */
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
 * Returns the nodes of workflows that send one enrich call. The webhook's body is `{ domain }`. `answer…` workflows
 * respond to the webhook with the result of the call. `call…` workflows have Retry On Fail.
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
/**
 * Nodes that make an item for each company. They read the webhook's body `{ items, company }`: the number of items, and
 * the beginning of the company names.
 */
export const listNodes = [
	n8nNode('List', 'set', 3.4, { mode: 'raw', jsonOutput: `={{ { list: ${list} } }}`, options: {} }),
	n8nNode('One item each', 'splitOut', 1, { fieldToSplitOut: 'list', options: {} }),
];

/**
 * Returns the nodes of workflows that send many enrich calls. The webhook's body is `{ items, company }`: the number of
 * calls, and the beginning of the company names. The number of parallel requests is fixed, because n8n would resolve an
 * expression for every item. Only `callsOfSize` reads it from the webhook's body.
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
