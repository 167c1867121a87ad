/** What Get Changes and Confirm Changes need of n8n, in memory: executions and a data table. */
import type { IExecuteFunctions, IExecuteWorkflowInfo, INodeExecutionData } from 'n8n-workflow';

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
	writes = 0;

	/** Runs the small workflow of `SyncTable`: only its last node matters here. */
	run(code: NonNullable<IExecuteWorkflowInfo['code']>): Row[] {
		if (this.isDown) throw new Error('The database is down');
		const { operation, filters, columns } = code.nodes.at(-1)?.parameters as unknown as {
			operation: 'get' | 'update' | 'upsert';
			filters: { conditions: Condition[] };
			columns?: { value: Row };
		};
		const found = this.rows.filter((row) =>
			filters.conditions.every(({ keyName, keyValue }) => row[keyName] === keyValue),
		);
		const values = columns?.value ?? {};
		if (operation !== 'get') this.writes++;
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

const silent = (): void => undefined;
let executions = 0;

/**
 * An execution that has not run anything.
 *
 * @param id of the execution
 * @param nodeId the node that reads
 * @param mode as n8n calls it
 * @param before types of the nodes before the one that runs
 * @param input what comes to that one
 */
export function startExecution(
	table: TableInMemory,
	{
		id = String(++executions),
		nodeId = 'n1',
		mode = 'trigger',
		flow = {} as Record<string, unknown>,
		before = ['set'],
		input = [{ json: {} }] as INodeExecutionData[],
	} = {},
): FakeExecution {
	const hints: string[] = [];
	const files: Buffer[] = [];
	const context = {
		getNode: () => ({ id: nodeId, name: 'Node', credentials: { workspaceDataApi: { id: 'c1' } } }),
		getWorkflow: () => ({ id: 'w1' }),
		getExecutionId: () => id,
		getMode: () => mode,
		getContext: () => flow,
		getInputData: () => input,
		getParentNodes: () => before.map((type) => ({ type: `n8n-nodes-base.${type}` })),
		getTimezone: () => 'UTC',
		logger: { debug: silent, info: silent, warn: silent },
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
