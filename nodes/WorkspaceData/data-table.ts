import type {
	IDataObject,
	IExecuteFunctions,
	IExecuteWorkflowInfo,
	INode,
	INodeParameters,
} from 'n8n-workflow';
import { quoted, wordsOf } from '../shared/errors/words';

/** Condition on one column, for example `['key', 'eq', 'a']`. */
export type Condition = [keyName: string, condition: 'eq' | 'lt', keyValue: string | number];

/** IDs of data tables. n8n renamed those it handed over from a deleted user: "name (Jane Doe <jane@example.com>)". */
interface Tables {
	own: string | undefined;
	handedOver: string[];
}

/**
 * A data table of n8n. Community nodes cannot access data tables, so each step runs a small workflow with n8n's own
 * Data Table node. All methods throw the errors of n8n.
 */
export class DataTable {
	private readonly context: IExecuteFunctions;
	private readonly name: string;
	private readonly columns: Record<string, 'string' | 'date'>;
	private tables: Tables = { own: undefined, handedOver: [] };

	constructor(context: IExecuteFunctions, name: string, columns: DataTable['columns']) {
		this.context = context;
		this.name = name;
		this.columns = columns;
	}

	/** Returns the rows that match the parameters of the operation `get`; no rows if the table does not exist. */
	async find(parameters: INodeParameters): Promise<IDataObject[]> {
		const { own } = await this.knownTables();
		return own === undefined ? [] : await this.runOnRows(own, { operation: 'get', ...parameters });
	}

	/** Returns matching rows of tables that n8n transferred from a deleted user, the last written rows last. */
	async findHandedOver(parameters: INodeParameters): Promise<IDataObject[]> {
		const rows: IDataObject[] = [];
		for (const id of (await this.knownTables()).handedOver)
			rows.push(...(await this.runOnRows(id, { operation: 'get', ...parameters })));
		const writtenAt = ({ updatedAt }: IDataObject): number => Date.parse(String(updatedAt));
		return rows.toSorted((a, b) => writtenAt(a) - writtenAt(b));
	}

	/** Runs an operation that writes rows. Creates the table if it does not exist. */
	async change(parameters: INodeParameters, items?: IDataObject[]): Promise<IDataObject[]> {
		const id = (await this.knownTables()).own ?? (await this.create());
		return await this.runOnRows(id, parameters, items);
	}

	/** Returns the tables. Looks them up again while the table is missing: another execution may create it. */
	private async knownTables(): Promise<Tables> {
		if (this.tables.own === undefined) this.tables = await this.lookUp();
		return this.tables;
	}

	/** Finds tables by exact name. n8n itself would also accept a table whose name contains this one. */
	private async lookUp(): Promise<Tables> {
		const options = { filterName: this.name };
		const step = { resource: 'table', operation: 'list', returnAll: true, options };
		const tables = await this.run(step);
		const idsOf = (matches: (name: string) => boolean): string[] =>
			tables.filter(({ name }) => matches(String(name))).map(({ id }) => String(id));
		const [own] = idsOf((name) => name === this.name);
		return { own, handedOver: idsOf((name) => name.startsWith(`${this.name} (`)) };
	}

	/** Creates the table and returns its ID. Ignores the failure if another execution has just created it. */
	private async create(): Promise<string> {
		const column = Object.entries(this.columns).map(([name, type]) => ({ name, type }));
		const parameters = { tableName: this.name, columns: { column } };
		const creation = this.run({ resource: 'table', operation: 'create', ...parameters });
		await creation.catch(() => undefined);
		const { own } = await this.knownTables();
		return (this.tables.own = own ?? String((await creation)[0]?.id));
	}

	/** Runs an operation on rows. The ID is no expression, because n8n would then write the rows one by one. */
	private async runOnRows(id: string, step: INodeParameters, items?: IDataObject[]) {
		const dataTableId = { __rl: true, mode: 'id', value: id };
		return await this.run({ resource: 'row', dataTableId, ...step }, items);
	}

	private async run(step: INodeParameters, items: IDataObject[] = [{}]): Promise<IDataObject[]> {
		const code = workflowOf(this.context.getWorkflow().id, this.name, step);
		const input = items.map((json) => ({ json }));
		const { data } = await this.context.executeWorkflow({ code }, input);
		return (data[0] ?? []).map((item) => item?.json ?? {});
	}
}

/** Advice for errors of n8n, by their text: what to do first, and the reason. */
const ADVICE: Array<[errorText: RegExp, fix: string, why: string]> = [
	[
		/module is disabled/i,
		'Remove data-table from N8N_DISABLED_MODULES on the n8n server',
		"n8n's data tables are switched off. They are never available to the command n8n execute.",
	],
	[
		/size limit exceeded/i,
		'Raise N8N_DATA_TABLES_MAX_SIZE_BYTES on the n8n server, delete rows of data tables that are no longer needed',
		'The data tables of this n8n are full. By default, all of them together may hold 200 MB.',
	],
	[
		/could not find the data table/i,
		'Run the workflow again, which creates a new data table',
		'The data table was deleted during this run, with everything that was stored in it.',
	],
];

/**
 * Returns advice after n8n could not use a data table.
 * @param instead what to do without a data table, in words that complete "…, or …"
 */
export function adviceOnTable(name: string, error: unknown, instead: string): string {
	const errorText = wordsOf(error);
	const [, fix, why] = ADVICE.find(([pattern]) => pattern.test(errorText)) ?? [
		errorText,
		`Look at the data table ${name} of this project`,
		'In n8n 2.0 and older versions, nodes cannot use data tables. An administrator can also block the Data Table node.',
	];
	return `${fix}, or ${instead}. ${why} n8n says: ${quoted(error)}.`;
}

export function matching(
	conditions: Condition[],
	matchType: 'allConditions' | 'anyCondition' = 'allConditions',
): INodeParameters {
	const rules = conditions.map(([keyName, condition, keyValue]) => {
		return { keyName, condition, keyValue };
	});
	return { matchType, filters: { conditions: rules } };
}

/** Returns a workflow that passes its input to one Data Table node. */
function workflowOf(
	id = '',
	tableName: string,
	parameters: INodeParameters,
): NonNullable<IExecuteWorkflowInfo['code']> {
	const start = nodeOf('executeWorkflowTrigger', { inputSource: 'passthrough' });
	const step = { ...nodeOf('dataTable', parameters), alwaysOutputData: true };
	const date = new Date(0);
	return {
		...{ id, name: `Workspace Data: ${tableName}`, createdAt: date, updatedAt: date },
		...{ active: false, isArchived: false, activeVersionId: null },
		nodes: [start, step],
		connections: { [start.name]: { main: [[{ node: step.name, type: 'main', index: 0 }]] } },
		settings: {
			executionOrder: 'v1',
			saveDataSuccessExecution: 'none',
			saveDataErrorExecution: 'none',
			saveManualExecutions: false,
			// Set here because the default of this n8n may be "none", with which n8n would refuse to run it.
			callerPolicy: 'workflowsFromSameOwner',
		},
	};
}

function nodeOf(name: string, parameters: INodeParameters): INode {
	const type = `n8n-nodes-base.${name}`;
	return { id: name, name, type, typeVersion: 1.1, position: [0, 0], parameters };
}
