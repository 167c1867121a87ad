import { sandboxCredential } from '../n8n/imports.mts';
import { chain, dataNode, webhook } from '../n8n/workflows.mts';
import type { RunnableWorkflow, WorkflowNode } from '../n8n/workflows.mts';
import { manyCallsWorkflows, oneCallWorkflows } from './call-workflows.mts';
import type { Output } from './types.mts';

/** What reads lists with this package's node. */
export type ListName = 'node' | Output;

/** What can be run in n8n: contenders for time, every output, and calls. */
export type BenchName =
	| ListName
	| `${ListName}Default`
	| ('httpRequest' | 'httpItems')
	| keyof ReturnType<typeof oneCallWorkflows>
	| keyof typeof manyCallsWorkflows;

/** Name of the node whose output counts. */
const lastNode = 'Records';

/**
 * Each workflow reads its sizes from the webhook's body, lists `{ records, pageSize }`. Executions are not saved, since
 * saving a million items takes longer than reading them; those that make files are, because n8n deletes the files
 * otherwise.
 */
export function benchWorkflows(baseUrl: string): RunnableWorkflow[] {
	const lists = Object.entries(after) as Array<[ListName, [Output, WorkflowNode]]>;
	const oneCall = Object.entries(oneCallWorkflows(baseUrl));
	const manyCalls = Object.entries(manyCallsWorkflows);
	return [
		...lists.map(([name, [output, next]]) => workflow(name, [listNode(output, true), next])),
		...lists.map(([name, [output, next]]) =>
			workflow(defaultOf(name), [listNode(output, false), next]),
		),
		workflow('httpRequest', [...httpRequestNodes(baseUrl), lastRecord]),
		workflow('httpItems', [...httpRequestNodes(baseUrl), countOf('id')]),
		...oneCall.map(([name, work]) => workflow(name, work)),
		...manyCalls.map(([name, work]) => workflow(name, [...work, countOf('name')])),
	];
}

/** Without a page size: an option whose expression gives nothing is an error. */
export function defaultOf(name: ListName): BenchName {
	return `${name}Default`;
}

/** Whether a workflow reads lists with this package's node. */
export function isList(name: BenchName): name is ListName {
	return name in after;
}

/** The path of the webhook that starts a workflow. */
export function webhookOf(name: string): string {
	return `bench-${name}`;
}

function listNode(output: Output, isSized: boolean): WorkflowNode {
	const parameters = {
		resource: 'company',
		operation: 'getAll',
		returnAll: false,
		limit: '={{ $json.body.records }}',
		outputAs: output,
		options: isSized ? { pageSize: '={{ $json.body.pageSize }}' } : {},
	};
	return dataNode(parameters, { name: lastNode });
}

/** Answers with the last record, for little: an expression over all items would cost more than reading them. */
const lastRecord: WorkflowNode = {
	parameters: { maxItems: 1, keep: 'lastItems' },
	name: 'Last record',
	type: 'n8n-nodes-base.limit',
	typeVersion: 1,
};

/** Answers `{ count_<field>: number of items }`. */
function countOf(field: string): WorkflowNode {
	return {
		parameters: {
			fieldsToSummarize: { values: [{ aggregation: 'count', field }] },
			options: {},
		},
		name: 'Count',
		type: 'n8n-nodes-base.summarize',
		typeVersion: 1.1,
	};
}

const filesExpression = `$('${lastNode}').all().map((item) => ({ records: item.json.records, id: item.binary.data.id }))`;

/** Answers `{ files: [{ records, id }] }`. */
const fileList: WorkflowNode = {
	parameters: { mode: 'raw', jsonOutput: `={{ { files: ${filesExpression} } }}`, options: {} },
	name: 'File list',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	executeOnce: true,
};

/** What each list comes out as, and the node after it. */
const after: Record<ListName, [Output, WorkflowNode]> = {
	node: ['items', lastRecord],
	items: ['items', countOf('id')],
	pages: ['pages', countOf('success')],
	ndjson: ['ndjson', fileList],
	csv: ['csv', fileList],
};

/** What people do without this package: pagination by cursor in HTTP Request, then one item per record. */
function httpRequestNodes(baseUrl: string): WorkflowNode[] {
	const nextCursor = '$response.body?.meta?.pagination?.next_cursor';
	const request = {
		parameters: {
			method: 'GET',
			url: `${baseUrl}/v2/public/companies`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'workspaceDataApi',
			sendQuery: true,
			queryParameters: {
				parameters: [
					{ name: 'limit', value: '={{ $json.body.pageSize }}' },
					{ name: 'sort', value: 'updated_at' },
				],
			},
			options: {
				pagination: {
					pagination: {
						paginationMode: 'updateAParameterInEachRequest',
						parameters: {
							parameters: [{ type: 'qs', name: 'cursor', value: `={{ ${nextCursor} }}` }],
						},
						paginationCompleteWhen: 'other',
						completeExpression: `={{ !${nextCursor} }}`,
						limitPagesFetched: true,
						maxRequests: '={{ $json.body.records / $json.body.pageSize }}',
						requestInterval: 0,
					},
				},
			},
		},
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		credentials: { workspaceDataApi: sandboxCredential },
	};
	const splitOut = {
		parameters: { fieldToSplitOut: 'data.items', options: {} },
		name: lastNode,
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
	};
	return [request, splitOut];
}

function workflow(name: string, work: WorkflowNode[]): RunnableWorkflow {
	const start = webhook(webhookOf(name));
	if (name.startsWith('answer')) start.parameters.responseMode = 'responseNode';
	const isFiles = name.startsWith('ndjson') || name.startsWith('csv');
	return {
		...chain(`Benchmark: ${name}`, [start, ...work]),
		id: `bench${name}`,
		settings: { executionOrder: 'v1', saveDataSuccessExecution: isFiles ? 'all' : 'none' },
	};
}
