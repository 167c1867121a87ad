import { sandboxCredential } from '../n8n/imports.mts';
import { chain, dataNode, n8nNode, webhook } from '../n8n/workflows.mts';
import type { RunnableWorkflow, WorkflowNode } from '../n8n/workflows.mts';
import { listNodes, manyCallsWorkflows, oneCallWorkflows } from './call-workflows.mts';
import type { Output } from './types.mts';

/** Name of the node whose output is checked. */
const lastNode = 'Records';

/** Node that returns the last record at little cost. An expression over all items would cost more than reading them. */
const lastRecord = n8nNode('Last record', 'limit', 1, { maxItems: 1, keep: 'lastItems' });

/** Returns a node with the result `{ count_<field>: number of items }`. */
const countOf = (field: string): WorkflowNode =>
	n8nNode('Count', 'summarize', 1.1, {
		fieldsToSummarize: { values: [{ aggregation: 'count', field }] },
		options: {},
	});

const files = `$('${lastNode}').all().map((item) => ({ records: item.json.records, id: item.binary.data.id }))`;

/** Node with the result `{ files: [{ records, id }] }`. */
const fileList = n8nNode(
	'File list',
	'set',
	3.4,
	{ mode: 'raw', jsonOutput: `={{ { files: ${files} } }}`, options: {} },
	{ executeOnce: true },
);

/** Options with which the node chooses the page size. */
const automatic = {};
const sized = { pagination: { values: { pageSize: '={{ $json.body.pageSize }}' } } };

const companies = { resource: 'company', operation: 'getAll' };

function listNode(outputAs: Output, options: object): WorkflowNode {
	const limit = '={{ $json.body.records }}';
	const parameters = { ...companies, returnAll: false, limit };
	return dataNode({ ...parameters, outputAs, options }, { name: lastNode });
}

/** Nodes that read a list with this package's node. */
const lists = {
	node: [listNode('items', sized), lastRecord],
	nodeDefault: [listNode('items', automatic), lastRecord],
	items: [listNode('items', automatic), countOf('id')],
	pages: [listNode('pages', sized), countOf('success')],
	ndjson: [listNode('ndjson', automatic), fileList],
	csv: [listNode('csv', automatic), fileList],
};

/** Lookback window of the sync in seconds. */
export const LOOKBACK_SECONDS = 1;

const getChanges = dataNode(
	{
		...{ resource: 'sync', operation: 'getChanges', startFrom: 'now' },
		options: { ...sized, overlapSeconds: LOOKBACK_SECONDS },
	},
	{ name: lastNode, alwaysOutputData: true },
);
const confirmChanges = dataNode({ resource: 'sync', operation: 'confirm' }, { name: 'Confirm' });

/** Node with the result `{ records }`, the number of changes. */
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

/** Default number of parallel calls. */
export const CALLS_AT_ONCE = 20;

/** Names of the workflows: contenders for time, every output, a sync, and calls. */
export type BenchName =
	| keyof typeof lists
	| ('httpRequest' | 'httpItems' | 'shortLists' | 'shortListsHttp' | 'changes')
	| keyof ReturnType<typeof oneCallWorkflows>
	| keyof ReturnType<typeof manyCallsWorkflows>;

/**
 * Returns all workflows. Each workflow reads its sizes from the webhook's body, for lists `{ records, pageSize }`.
 * Executions are not saved, because saving a million items takes longer than reading them. Only executions with files
 * are saved, because n8n would delete the files otherwise.
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

/** Returns the path of the webhook that starts a workflow. */
export function webhookOf(name: string): string {
	return `bench-${name}`;
}

/** Returns the options of HTTP Request for pagination by cursor. */
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
 * Returns the nodes that users need without this package: HTTP Request, by default with pagination by cursor, then one
 * item per record.
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
