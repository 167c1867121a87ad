/** What Get Changes and Confirm Changes need of n8n, in memory: executions and a data table. */
import type { IExecuteFunctions, IExecuteWorkflowInfo, INodeExecutionData } from 'n8n-workflow';
import { TABLE_NAME } from '../../../../nodes/WorkspaceData/sync/table.ts';

type Row = Record<string, string | null>;
interface Condition {
	keyName: string;
	keyValue: string;
}

/** Rows as n8n's Data Table node keeps them; each step is whole or does not happen. */
export class TableInMemory {
	rows: Row[] = [];
	/** True while n8n cannot reach its database. */
	isDown = false;

	/** Runs the small workflow of a `DataTable`: only its last node matters here. The table is there. */
	run(code: NonNullable<IExecuteWorkflowInfo['code']>): Row[] {
		if (this.isDown) throw new Error('The database is down');
		const { resource, operation, filters, columns } = code.nodes.at(-1)?.parameters as unknown as {
			resource: 'table' | 'row';
			operation: 'get' | 'update' | 'upsert';
			filters: { conditions: Condition[] };
			columns?: { value: Row };
		};
		if (resource === 'table') return [{ id: 't1', name: TABLE_NAME }];
		const found = this.rows.filter((row) =>
			filters.conditions.every(({ keyName, keyValue }) => row[keyName] === keyValue),
		);
		const values = columns?.value ?? {};
		if (operation === 'upsert' && found.length === 0) {
			const row = { key: null, committed: null, pending: null, owner: null, ...values };
			this.rows.push(row);
			return [row];
		}
		if (operation !== 'get') for (const row of found) Object.assign(row, values);
		return found.map((row) => ({ ...row }));
	}
}

/** One execution of a workflow with two nodes. */
export interface FakeExecution {
	context: IExecuteFunctions;
	hints: string[];
	files: Buffer[];
}

let executions = 0;

/**
 * An execution that has not run anything.
 *
 * @param nodeId the node that reads
 * @param mode as n8n calls it
 */
export function startExecution(
	table: TableInMemory,
	{ nodeId = 'n1', mode = 'trigger', flow = {} as Record<string, unknown> } = {},
): FakeExecution {
	const id = String(++executions);
	const hints: string[] = [];
	const files: Buffer[] = [];
	const input: INodeExecutionData[] = [{ json: {} }];
	const context = {
		getNode: () => ({ id: nodeId, credentials: { workspaceDataApi: { id: 'c1' } } }),
		getWorkflow: () => ({ id: 'w1' }),
		getExecutionId: () => id,
		getMode: () => mode,
		getContext: () => flow,
		getInputData: () => input,
		logger: { warn: () => undefined },
		addExecutionHints: ({ message }: { message: string }) => hints.push(message),
		executeWorkflow: async ({ code }: IExecuteWorkflowInfo) => {
			if (code === undefined) throw new Error('no workflow');
			return { data: [table.run(code).map((json) => ({ json }))] };
		},
		helpers: {
			prepareBinaryData: async (bytes: Buffer) => {
				files.push(Buffer.from(bytes));
				return { mimeType: '', data: '' };
			},
		},
	};
	return { context: context as unknown as IExecuteFunctions, hints, files };
}
