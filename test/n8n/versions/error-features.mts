import { itemsOf } from '../rest.mts';
import { chain, dataNode, manualTrigger } from '../workflows.mts';
import type { RunnableWorkflow, WorkflowNode } from '../workflows.mts';
import { nodeName, runFeature, workflowOf, type Check, type Feature } from './feature.mts';

/** Lists whose second page fails, with what was read before it. */
function brokenList(name: string, onError: WorkflowNode['onError'], check: Check): Feature {
	const options = { pageSize: 500, maxRetries: 0 };
	const workflow = workflowOf(
		onError ?? '',
		{ resource: 'order', operation: 'getAll', returnAll: true, options },
		{ onError },
	);
	const feature = runFeature(name, workflow, check);
	return {
		...feature,
		attempt: (surroundings) => {
			surroundings.sandbox.addFault({ skip: 1, times: Infinity, status: 503 });
			return feature.attempt(surroundings);
		},
	};
}

/** The records read before the failure are at the first output, and the one error is where it belongs. */
function errorIsAt(output: number): Check {
	return (execution) => {
		const records = itemsOf(execution, nodeName).filter(({ json }) => 'id' in json);
		const [error, ...others] = itemsOf(execution, nodeName, output).filter(
			({ json }) => !('id' in json),
		);
		if (records.length !== 500) return `${records.length} records at the first output`;
		if (error === undefined || others.length > 0) return `no error at output ${output + 1}`;
		const { error: happened, message, details } = error.json;
		const isWhole = typeof happened === 'string' && String(message).includes('500 records');
		const { recordsRead } = (details ?? {}) as Record<string, unknown>;
		return isWhole && recordsRead === 500
			? undefined
			: `the error is ${JSON.stringify(error.json)}`;
	};
}

/** Items without a Code node: n8n 1.123 finds nothing in those by expressions such as `$("Items").item`. */
function splitItems(list: Record<string, unknown>[]): WorkflowNode[] {
	const jsonOutput = JSON.stringify({ list });
	return [
		{
			name: 'List',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput, options: {} },
		},
		{
			name: 'Items',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'list', options: {} },
		},
	];
}

/** Three calls of which the second fails, with a node at the error output that says what it can see of the error. */
function brokenCall(): RunnableWorkflow {
	const value = '={{ $json.details.httpCode }} {{ $json.message }} {{ $("Items").item.json.note }}';
	const workflow = chain('Error output', [
		manualTrigger(),
		...splitItems([{ domain: 'a.example' }, { note: 'no subject' }, { domain: 'c.example' }]),
		dataNode(
			{ resource: 'company', operation: 'enrich', dataToSend: 'autoMapInputData' },
			{ onError: 'continueErrorOutput' },
		),
		{
			name: 'Handle',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: {
				assignments: { assignments: [{ id: 'seen', name: 'seen', type: 'string', value }] },
				options: {},
			},
		},
	]);
	const toHandle = [{ node: 'Handle', type: 'main', index: 0 }];
	workflow.connections[nodeName] = { main: [[], toHandle] };
	return workflow;
}

const continued = brokenList(
	'On Error "Continue": records kept, error after them',
	'continueRegularOutput',
	errorIsAt(0),
);
const errorOutput = brokenList(
	'On Error "Continue (using error output)"',
	'continueErrorOutput',
	errorIsAt(1),
);
const errorOfCall = runFeature(
	'Error output: paired with its input, details in expressions',
	brokenCall(),
	(execution) => {
		const domains = itemsOf(execution, nodeName).map(({ json }) => json.domain);
		if (domains.join() !== 'a.example,c.example') return `first output: ${domains.join()}`;
		const texts = itemsOf(execution, 'Handle').map(({ json }) => String(json.seen));
		const isRight = /^422 .*Send at least one of id, domain and name.* no subject$/s;
		return texts.length === 1 && isRight.test(texts[0]) ? undefined : `seen: ${texts.join()}`;
	},
);

/** What becomes of errors. */
export const errorFeatures: Feature[] = [continued, errorOutput, errorOfCall];
