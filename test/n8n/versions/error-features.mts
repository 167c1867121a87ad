import { itemsOf } from '../rest.mts';
import { chain, enrichNode, manualTrigger, n8nNode } from '../workflows.mts';
import type { RunnableWorkflow, WorkflowNode } from '../workflows.mts';
import { nodeName, runFeature, workflowOf, type Feature } from './feature.mts';

/** A list whose second page fails: what was read before is at the first output, and the one error where it belongs. */
function brokenList(name: string, onError: WorkflowNode['onError'], output: number): Feature {
	const options = { pageSize: 500, maxRetries: 0 };
	const parameters = { resource: 'order', operation: 'getAll', returnAll: true, options };
	return runFeature(
		name,
		workflowOf(onError ?? '', parameters, { onError }),
		(execution) => {
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
		},
		(sandbox) => sandbox.addFault({ skip: 1, times: Infinity, status: 503 }),
	);
}

/** Three calls of which the second fails, with a node at the error output that says what it can see of the error. */
function brokenCall(): RunnableWorkflow {
	const list = [{ domain: 'a.example' }, { note: 'no subject' }, { domain: 'c.example' }];
	const jsonOutput = JSON.stringify({ list });
	const value = '={{ $json.details.httpCode }} {{ $json.message }} {{ $("Items").item.json.note }}';
	const assignments = { assignments: [{ id: 'seen', name: 'seen', type: 'string', value }] };
	const workflow = chain('Error output', [
		manualTrigger(),
		// Items without a Code node: n8n 1.123 finds nothing in those by expressions such as `$("Items").item`.
		n8nNode('List', 'set', 3.4, { mode: 'raw', jsonOutput, options: {} }),
		n8nNode('Items', 'splitOut', 1, { fieldToSplitOut: 'list', options: {} }),
		enrichNode({}, { onError: 'continueErrorOutput' }),
		n8nNode('Handle', 'set', 3.4, { assignments, options: {} }),
	]);
	const toHandle = [{ node: 'Handle', type: 'main', index: 0 }];
	workflow.connections[nodeName] = { main: [[], toHandle] };
	return workflow;
}

/** What becomes of errors. */
export const errorFeatures: Feature[] = [
	brokenList('On Error "Continue": records kept, error after them', 'continueRegularOutput', 0),
	brokenList('On Error "Continue (using error output)"', 'continueErrorOutput', 1),
	runFeature(
		'Error output: paired with its input, details in expressions',
		brokenCall(),
		(execution) => {
			const domains = itemsOf(execution, nodeName).map(({ json }) => json.domain);
			if (domains.join() !== 'a.example,c.example') return `first output: ${domains.join()}`;
			const texts = itemsOf(execution, 'Handle').map(({ json }) => String(json.seen));
			const isRight = /^422 .*Send at least one of id, domain and name.* no subject$/s;
			return texts.length === 1 && isRight.test(texts[0]) ? undefined : `seen: ${texts.join()}`;
		},
	),
];
