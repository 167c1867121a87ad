import { chain, dataNode, webhook } from '../n8n/workflows.mts';

/** Enriches each company of the list in the request's body, and pays for none that was paid for before. */
export const enrichKept = chain('Enrich kept', [
	webhook('enrich-kept', 'onReceived'),
	{
		name: 'Split Out',
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		parameters: { fieldToSplitOut: 'body.companies', options: {} },
	},
	dataNode({
		resource: 'company',
		operation: 'enrich',
		dataToSend: 'autoMapInputData',
		options: { reuseResultsFor: 30, maxConcurrent: 2 },
	}),
]);
