/** In-memory stand-ins for the parts of n8n that Get Changes and Confirm Changes use: executions and a data table. */
import type { IDataObject, IExecuteFunctions, IExecuteWorkflowInfo } from 'n8n-workflow';
import { DataTables } from '../../../data-tables.mts';
import { confirmChanges } from '../../../../nodes/WorkspaceData/sync/confirm.ts';
import { TABLE_NAME, type Row } from '../../../../nodes/WorkspaceData/sync/progress.ts';
import { NodeRun } from '../../../../nodes/WorkspaceData/node-run.ts';
import { rowOf, nodeRunOf } from '../parameters-support.mts';

/** In-memory data table with the stored progress of all syncs. */
export class TableInMemory extends DataTables {
	/** Set to true to simulate that n8n cannot reach its database. */
	isDown = false;
	override before = (): void => {
		if (this.isDown) throw new Error('The database is down');
	};

	get rows(): Row[] {
		const rows: unknown[] = this.tables.get(TABLE_NAME) ?? [];
		return rows as Row[];
	}

	get writes(): number {
		return this.steps.filter((step) => ['row:update', 'row:upsert'].includes(step)).length;
	}
}

/** One execution of a workflow in which Confirm Changes follows Get Changes. */
export interface FakeExecution {
	context: IExecuteFunctions;
	hints: string[];
	files: Buffer[];
	nodeRun: NodeRun;
}

const CONFIRM = 'Confirm Changes';
const GET_CHANGES = {
	type: 'n8n-nodes-workspace-data.workspaceData',
	parameters: { resource: 'sync', operation: 'getChanges' },
};
const silent = (): void => undefined;
let executions = 0;
const tries = new WeakMap<object, NodeRun>();

/**
 * Creates a simulated execution that uses this data table. None of its nodes has run yet.
 *
 * @param id ID of the execution
 * @param nodeId node ID of Get Changes
 * @param flow data of the execution (n8n's getContext), which a retried execution keeps
 * @param name name of the Get Changes node
 * @param parent name of the Get Changes node that Confirm Changes finds before it; the same as `name` by default
 * @param run object that stands for one node run; executions with the same object are attempts of Retry On Fail
 * @param graph replacements for n8n's functions getParentNodes and getChildNodes
 * @param unstored index (from 0) of the file that n8n fails to store
 */
export function startExecution(
	table: TableInMemory,
	{
		id = String(++executions),
		nodeId = 'n1',
		flow = {} as Record<string, unknown>,
		name = 'Get Changes' as string,
		parent = name as string,
		run = {},
		unstored = -1,
		graph = {},
	} = {},
): FakeExecution {
	const hints: string[] = [];
	const files: Buffer[] = [];
	const context = {
		getNode: () => ({ id: nodeId, name, credentials: { workspaceDataApi: { id: 'c1' } } }),
		getWorkflow: () => ({ id: 'w1' }),
		getExecutionId: () => id,
		getContext: () => flow,
		getInputData: () => [{ json: {} }],
		getParentNodes: (of: string) => (of === CONFIRM ? [{ ...GET_CHANGES, name: parent }] : []),
		getChildNodes: () => [],
		...graph,
		getMode: () => 'trigger',
		getTimezone: () => 'UTC',
		evaluateExpression: () => 0,
		continueOnFail: () => false,
		logger: { debug: silent, info: silent, warn: silent },
		addExecutionHints: ({ message }: { message: string }) => hints.push(message),
		executeWorkflow: async (
			{ code }: IExecuteWorkflowInfo,
			items: Array<{ json: IDataObject }>,
		) => {
			if (code === undefined) throw new Error('no workflow');
			const rows = await table.run(
				code,
				items.map(({ json }) => json),
			);
			return { data: [rows.map((json) => ({ json }))] };
		},
		helpers: {
			prepareBinaryData: async (bytes: Buffer) => {
				if (files.length === unstored) throw new Error('The disk is full');
				files.push(Buffer.from(bytes));
				return { mimeType: '', data: '' };
			},
		},
	};
	const one = nodeRunOf(context, rowOf('sync', 'getChanges'), tries.get(run));
	tries.set(run, one);
	return { nodeRun: one, context: one.context, hints, files };
}

/** Runs Confirm Changes in an execution. */
export async function confirm({ context }: FakeExecution): Promise<void> {
	const getNode = () => ({ ...context.getNode(), name: CONFIRM });
	await confirmChanges(nodeRunOf({ ...context, getNode }, rowOf('sync', 'confirm')));
}
