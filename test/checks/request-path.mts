import path from 'node:path';
import { NodeHelpers, type IExecuteFunctions, type IExecuteWorkflowInfo } from 'n8n-workflow';

import { WorkspaceData } from '../../nodes/WorkspaceData/WorkspaceData.node.ts';
import { DataTables } from '../data-tables.mts';
import { root } from './imports.mts';

/** Function of this package in the call stack of a request. */
export interface Step {
	name: string;
	file: string;
}

/** Parameters for one run of each kind of operation. All parameters that are not set here have their defaults. */
export const DEFAULT_RUNS = {
	list: { resource: 'company', operation: 'getAll' },
	sync: { resource: 'sync', operation: 'getChanges' },
	call: {
		resource: 'company',
		operation: 'enrich',
		fields: { assignments: [{ id: '1', name: 'domain', type: 'string', value: 'acme.example' }] },
	},
} as const;

/** Returns the functions in a stack trace, from the request back to the node's `execute`. */
function stepsIn(stack: string): Step[] {
	return stack.split('\n').flatMap((line) => {
		const [, name = '', file = ''] =
			/at (?:async )?(?:(\S+) )?.*?\(?(\/[^:()]+):\d+/.exec(line) ?? [];
		if (!file.startsWith(`${root}nodes/`)) return [];
		return [{ name: name.replace(/^.*\./, ''), file: path.relative(root, file) }];
	});
}

const responseBody = JSON.stringify({
	success: true,
	data: { items: [{ id: '1', updated_at: '2026-11-01T00:00:00Z' }] },
	meta: { pagination: { total: 1 } },
});

async function stackOfRequest(values: object): Promise<string> {
	const { description, execute } = new WorkspaceData();
	const { properties } = description;
	const ofNode = { typeVersion: 1 };
	const parameters =
		NodeHelpers.getNodeParameters(properties, values as never, true, false, ofNode, description) ??
		{};
	const dataTables = new DataTables();
	const nodeContext = {};
	let stack = '';
	const context = {
		getNode: () => ({ id: '1', name: 'Workspace Data', type: 'workspaceData', parameters }),
		getNodeParameter: (name: string, _index: number, fallback?: unknown) =>
			parameters[name] ?? fallback,
		getInputData: () => [{ json: {} }],
		getExecuteData: () => ({}),
		getTimezone: () => 'UTC',
		getMode: () => 'trigger',
		getWorkflow: () => ({ id: '1' }),
		getExecutionId: () => '1',
		getContext: () => nodeContext,
		getParentNodes: () => [],
		getChildNodes: () => [],
		executeWorkflow: async ({ code }: IExecuteWorkflowInfo, items: Array<{ json: object }>) => {
			const input = items.map(({ json }) => json as never);
			const rows = await dataTables.run(code!, input);
			return { data: [rows.map((json) => ({ json }))] };
		},
		getCredentials: async () => ({
			baseUrl: 'https://api.example.com',
			apiVersion: 'v2',
			apiKey: 'fake-key-of-this-test',
		}),
		continueOnFail: () => false,
		logger: { debug() {}, info() {}, warn() {}, error() {} },
		helpers: {
			httpRequestWithAuthentication: async () => {
				stack ||= new Error('sent').stack ?? '';
				return { statusCode: 200, headers: {}, body: responseBody };
			},
		},
	};
	await execute.call(context as unknown as IExecuteFunctions);
	return stack;
}

/**
 * Runs the node, and returns the functions that wait for its first request, from the innermost function back to
 * `execute`.
 */
export async function stepsOfRequest(parameters: object): Promise<Step[]> {
	const before = Error.stackTraceLimit;
	Error.stackTraceLimit = 200;
	return stepsIn(await stackOfRequest(parameters).finally(() => (Error.stackTraceLimit = before)));
}
