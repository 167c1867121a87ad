import { sandboxCredential } from '../n8n/imports.mts';
import { chain, dataNode, n8nNode, webhook } from '../n8n/workflows.mts';
import type { RunnableWorkflow, WorkflowNode } from '../n8n/workflows.mts';
import { listNodes, manyCallsWorkflows, oneCallWorkflows } from './call-workflows.mts';
import type { Output } from './types.mts';

/** Name of the node that returns the records. */
const lastNode = 'Records';

/** Node that returns only the last record, because an expression over all items would take longer than reading them. */
const lastRecord = n8nNode('Last record', 'limit', 1, { maxItems: 1, keep: 'lastItems' });

/** Returns a node that counts the items with a field. Its result is `{ count_<field>: number }`. */
const countOf = (field: string): WorkflowNode =>
	n8nNode('Count', 'summarize', 1.1, {
		fieldsToSummarize: { values: [{ aggregation: 'count', field }] },
		options: {},
	});

const files = `$('${lastNode}').all().map((item) => ({ records: item.json.records, id: item.binary.data.id }))`;

/** Node that lists the exported files. Its result is `{ files: [{ records, id }] }`. */
const fileList = n8nNode(
	'File list',
	'set',
	3.4,
	{ mode: 'raw', jsonOutput: `={{ { files: ${files} } }}`, options: {} },
	{ executeOnce: true },
);

/** Options that let the node choose the page size. */
const automatic = {};
const sized = { pagination: { values: { pageSize: '={{ $json.body.pageSize }}' } } };

const companies = { resource: 'company', operation: 'getAll' };

function listNode(outputAs: Output, options: object): WorkflowNode {
	const limit = '={{ $json.body.records }}';
	const parameters = { ...companies, returnAll: false, limit };
	return dataNode({ ...parameters, outputAs, options }, { name: lastNode });
}

/** Nodes of workflows that read a list with this package's node. */
const lists = {
	node: [listNode('items', sized), lastRecord],
	nodeDefault: [listNode('items', automatic), lastRecord],
	items: [listNode('items', automatic), countOf('id')],
	pages: [listNode('pages', sized), countOf('success')],
	ndjson: [listNode('ndjson', automatic), fileList],
	csv: [listNode('csv', automatic), fileList],
};

/** Lookback window of Sync in seconds. */
export const LOOKBACK_SECONDS = 1;

const getChanges = dataNode(
	{
		...{ resource: 'sync', operation: 'getChanges', startFrom: 'now' },
		options: { ...sized, overlapSeconds: LOOKBACK_SECONDS },
	},
	{ name: lastNode, alwaysOutputData: true },
);
const confirmChanges = dataNode({ resource: 'sync', operation: 'confirm' }, { name: 'Confirm' });

/** Node that counts the changes. Its result is `{ records: number }`. */
const changeCount = n8nNode(
	'Change count',
	'set',
	3.4,
	{
		mode: 'raw',
		jsonOutput: `={{ { records: $('${lastNode}').all().filter((item) => item.json.id).length } }}`,
		options: {},
	},
	{ executeOnce: true },
);

/** Number of records in each short list. */
export const RECORDS_OF_SHORT = 5;

/** Number of calls that run at the same time. */
export const CALLS_AT_ONCE = 20;

/** Names of the benchmark's workflows. */
export type BenchName =
	| keyof typeof lists
	| ('httpRequest' | 'httpItems' | 'shortLists' | 'shortListsHttp' | 'changes')
	| keyof ReturnType<typeof oneCallWorkflows>
	| keyof ReturnType<typeof manyCallsWorkflows>;

/**
 * Returns all workflows of the benchmark. Each workflow reads its sizes from the webhook's body, such as `{ records,
 * pageSize }`. n8n does not save their executions, because saving a million items takes longer than reading them. It
 * saves only executions with files, because it would delete the files otherwise.
 */
export function benchWorkflows(baseUrl: string): RunnableWorkflow[] {
	const many = manyCallsWorkflows(baseUrl, CALLS_AT_ONCE);
	const all: Record<BenchName, WorkflowNode[]> = {
		...lists,
		httpRequest: [...httpRequestNodes(baseUrl), lastRecord],
		httpItems: [...httpRequestNodes(baseUrl), countOf('id')],
		shortLists: [
			...listNodes,
			dataNode({ ...companies, limit: RECORDS_OF_SHORT }, { name: lastNode }),
			countOf('id'),
		],
		shortListsHttp: [
			...listNodes,
			...httpRequestNodes(baseUrl, { limit: RECORDS_OF_SHORT, options: {} }),
			countOf('id'),
		],
		changes: [getChanges, confirmChanges, changeCount],
		...oneCallWorkflows(baseUrl),
		calls: [...many.calls, countOf('name')],
		callsOfSize: [...many.callsOfSize, countOf('name')],
		callsKept: [...many.callsKept, countOf('name')],
		callsHttp: [...many.callsHttp, countOf('success')],
	};
	return Object.entries(all).map(([name, work]) => {
		const start = webhook(webhookOf(name));
		if (name.startsWith('answer')) start.parameters.responseMode = 'responseNode';
		const saveDataSuccessExecution = work.includes(fileList) ? 'all' : 'none';
		return {
			...chain(`Benchmark: ${name}`, [start, ...work]),
			id: `bench${name}`,
			settings: { executionOrder: 'v1', saveDataSuccessExecution },
		};
	});
}

/** Returns the webhook path of a workflow. */
export function webhookOf(name: string): string {
	return `bench-${name}`;
}

/** Returns the options of n8n's HTTP Request node for pagination by cursor. */
function paginationOptions(): object {
	const nextCursor = '$response.body?.meta?.pagination?.next_cursor';
	const pagination = {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: { parameters: [{ type: 'qs', name: 'cursor', value: `={{ ${nextCursor} }}` }] },
		paginationCompleteWhen: 'other',
		completeExpression: `={{ !${nextCursor} }}`,
		limitPagesFetched: true,
		maxRequests: '={{ $json.body.records / $json.body.pageSize }}',
		requestInterval: 0,
	};
	return { pagination: { pagination } };
}

/**
 * Returns the nodes that read a list without this package: HTTP Request, and a Split Out node that makes one item per
 * record. By default, HTTP Request reads all pages by cursor.
 */
function httpRequestNodes(
	baseUrl: string,
	{ limit, options } = {
		limit: '={{ $json.body.pageSize }}' as string | number,
		options: paginationOptions(),
	},
): WorkflowNode[] {
	const parameters = {
		method: 'GET',
		url: `${baseUrl}/v2/public/companies`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'workspaceDataApi',
		sendQuery: true,
		queryParameters: {
			parameters: [
				{ name: 'limit', value: limit },
				{ name: 'sort', value: 'updated_at' },
			],
		},
		options,
	};
	const credentials = { workspaceDataApi: sandboxCredential };
	return [
		n8nNode('HTTP Request', 'httpRequest', 4.2, parameters, { credentials }),
		n8nNode(lastNode, 'splitOut', 1, { fieldToSplitOut: 'data.items', options: {} }),
	];
}
