import type {
	IDataObject,
	IExecuteFunctions,
	IExecuteWorkflowInfo,
	INode,
	INodeParameters,
} from 'n8n-workflow';

import { isObject } from '../../client/envelope';
import { InputProblem } from '../../common/errors';

/** The data table in which all syncs of a project are remembered, made when it is missing. */
export const TABLE_NAME = 'workspace_data_sync';

/** One sync. n8n gives null for what was never written. */
export interface Row {
	/** Which sync it is, in words that a person can tell apart. */
	key: string;
	/** The place that every run starts from, as JSON. */
	committed: string | null;
	/** The place that the last run has come to and nobody has confirmed yet, as JSON. */
	pending: string | null;
	/** The execution that has written `pending`. */
	owner: string | null;
}

const COLUMNS = ['key', 'committed', 'pending', 'owner'] as const;

/** What a row must be like, all of it. */
export type Conditions = Partial<Pick<Row, 'key' | 'owner' | 'committed'>>;

/**
 * The rows of syncs. n8n gives community nodes no way to its data tables, so each step is a small workflow with n8n's own
 * Data Table node in it, which is run from here and not listed among the executions.
 */
export class SyncTable {
	private readonly context: IExecuteFunctions;

	constructor(context: IExecuteFunctions) {
		this.context = context;
	}

	/** @throws InputProblem when n8n has no data tables or cannot use them */
	async find(conditions: Conditions): Promise<Row[]> {
		return await this.run({ operation: 'get', returnAll: true, ...matching(conditions) });
	}

	/** Changes the row of a sync, or makes it. Throws as `find` does. */
	async put(values: Partial<Row> & Pick<Row, 'key'>): Promise<void> {
		const { key } = values;
		await this.run({ operation: 'upsert', ...matching({ key }), ...setting(values) });
	}

	/**
	 * Changes rows that are still as they should be. Throws as `find` does.
	 *
	 * @returns how many those were
	 */
	async change(conditions: Conditions, values: Partial<Row>): Promise<number> {
		const parameters = { operation: 'update', ...matching(conditions), ...setting(values) };
		return (await this.run(parameters)).length;
	}

	/**
	 * Changes the row of a sync, or makes it, unless another run has moved its place meanwhile: what that one has
	 * confirmed must not come again. Throws as `find` does.
	 *
	 * @param committed the place that this run has started from
	 */
	async move(
		{ key, committed }: Pick<Row, 'key'> & { committed: string | null | undefined },
		values: Partial<Row>,
	): Promise<void> {
		if (committed) {
			await this.change({ key, committed }, values);
			return;
		}
		const rows = await this.find({ key });
		if (!rows.some((row) => row.committed)) await this.put({ key, ...values });
	}

	private async run(parameters: INodeParameters): Promise<Row[]> {
		const code = workflowOf(this.context.getWorkflow().id, parameters);
		const { data } = await this.context
			.executeWorkflow({ code }, [{ json: {} }])
			.catch((error: unknown) => {
				throw cannotKeep(error);
			});
		return (data[0] ?? []).map((item) => item?.json).filter(isRow);
	}
}

/** An empty item stands for no row. */
function isRow(json: IDataObject | undefined): json is IDataObject & Row {
	return isObject(json) && typeof json.key === 'string';
}

function cannotKeep(error: unknown): InputProblem {
	const said = error instanceof Error ? error.message : String(error);
	return new InputProblem(
		'n8n could not reach the data table in which the progress of this sync is kept',
		`n8n says: ${said}. Look at the data table "${TABLE_NAME}" of this project. Older versions of n8n, 2.0 among them, have no data tables that a node can make: there, set Progress to "Given as a Checkpoint" and keep the checkpoint yourself.`,
	);
}

function matching(conditions: Conditions): INodeParameters {
	const rules = Object.entries(conditions).map(([keyName, keyValue]) => ({
		keyName,
		condition: 'eq',
		keyValue,
	}));
	return { matchType: 'allConditions', filters: { conditions: rules } };
}

function setting(values: Partial<Row>): INodeParameters {
	return { columns: { mappingMode: 'defineBelow', value: { ...values } } };
}

/** The table is looked up or made, and then used: the workflow is the same for every step but for its last node. */
function workflowOf(
	id: string | undefined,
	parameters: INodeParameters,
): NonNullable<IExecuteWorkflowInfo['code']> {
	const start = node('Start', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
	const table = node('Table', 'dataTable', 1.1, {
		resource: 'table',
		operation: 'create',
		tableName: TABLE_NAME,
		columns: { column: COLUMNS.map((name) => ({ name, type: 'string' })) },
		options: { createIfNotExists: true },
	});
	const dataTableId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
	const row = node('Row', 'dataTable', 1.1, { resource: 'row', dataTableId, ...parameters });
	const date = new Date(0);
	return {
		id: id ?? '',
		name: 'Workspace Data: progress of a sync',
		active: false,
		isArchived: false,
		activeVersionId: null,
		createdAt: date,
		updatedAt: date,
		nodes: [start, table, { ...row, alwaysOutputData: true }],
		connections: { ...wire('Start', 'Table'), ...wire('Table', 'Row') },
		settings: {
			executionOrder: 'v1',
			saveDataSuccessExecution: 'none',
			saveDataErrorExecution: 'none',
			saveManualExecutions: false,
		},
	};
}

function node(name: string, type: string, typeVersion: number, parameters: INodeParameters): INode {
	return {
		id: name,
		name,
		type: `n8n-nodes-base.${type}`,
		typeVersion,
		position: [0, 0],
		parameters,
	};
}

function wire(from: string, to: string): NonNullable<IExecuteWorkflowInfo['code']>['connections'] {
	return { [from]: { main: [[{ node: to, type: 'main', index: 0 }]] } };
}
