import type {
	IDataObject,
	IExecuteFunctions,
	IExecuteWorkflowInfo,
	INode,
	INodeParameters,
} from 'n8n-workflow';
import { quoted, wordsOf } from '../shared/errors/words';

/** Condition on one column of a data table, for example `['key', 'eq', 'a']`. */
export type Condition = [keyName: string, condition: 'eq' | 'lt', keyValue: string | number];

/**
 * IDs of the data tables with the searched name. `handedOver` are tables that n8n took over from deleted users. n8n
 * renames such tables, for example to "name (Jane Doe <jane@example.com>)".
 */
interface Tables {
	own: string | undefined;
	handedOver: string[];
}

/**
 * Reads and writes a data table of n8n. Community nodes cannot access data tables, so each step runs a small workflow
 * with n8n's Data Table node. All methods throw n8n's own errors.
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

	/** Returns the rows that match these parameters of the operation `get`, or none if the table does not exist. */
	async find(parameters: INodeParameters): Promise<IDataObject[]> {
		const { own } = await this.knownTables();
		return own === undefined ? [] : await this.runOnRows(own, { operation: 'get', ...parameters });
	}

	/** Returns the matching rows of tables from deleted users, sorted by their last change, oldest first. */
	async findHandedOver(parameters: INodeParameters): Promise<IDataObject[]> {
		const rows: IDataObject[] = [];
		for (const id of (await this.knownTables()).handedOver)
			rows.push(...(await this.runOnRows(id, { operation: 'get', ...parameters })));
		const writtenAt = ({ updatedAt }: IDataObject): number => Date.parse(String(updatedAt));
		return rows.toSorted((a, b) => writtenAt(a) - writtenAt(b));
	}

	/** Runs an operation that writes or deletes rows. Creates the table if it does not exist. */
	async change(parameters: INodeParameters, items?: IDataObject[]): Promise<IDataObject[]> {
		const id = (await this.knownTables()).own ?? (await this.create());
		return await this.runOnRows(id, parameters, items);
	}

	/** Looks up the tables on each call until the table exists, because another execution may create it. */
	private async knownTables(): Promise<Tables> {
		if (this.tables.own === undefined) this.tables = await this.lookUp();
		return this.tables;
	}

	/** Finds the tables by their exact names, because n8n also returns names that only contain the searched name. */
	private async lookUp(): Promise<Tables> {
		const options = { filterName: this.name };
		const step = { resource: 'table', operation: 'list', returnAll: true, options };
		const tables = await this.run(step);
		const idsOf = (matches: (name: string) => boolean): string[] =>
			tables.filter(({ name }) => matches(String(name))).map(({ id }) => String(id));
		const [own] = idsOf((name) => name === this.name);
		return { own, handedOver: idsOf((name) => name.startsWith(`${this.name} (`)) };
	}

	/** Creates the table and returns its ID. Ignores a failure if another execution has created the table meanwhile. */
	private async create(): Promise<string> {
		const column = Object.entries(this.columns).map(([name, type]) => ({ name, type }));
		const parameters = { tableName: this.name, columns: { column } };
		const creation = this.run({ resource: 'table', operation: 'create', ...parameters });
		await creation.catch(() => undefined);
		const { own } = await this.knownTables();
		return (this.tables.own = own ?? String((await creation)[0]?.id));
	}

	/** Runs an operation on rows. With an expression as the table ID, n8n would write the rows one by one. */
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

/** Advice on errors of n8n: a pattern for the error text, what to do first, and the reason. */
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
 * Returns advice for the user if n8n could not use a data table.
 * @param instead what to do without a data table, as text that completes "…, or …"
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

/** Returns the parameters of the Data Table node that select rows by these conditions. */
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
			// If the default policy of this n8n is "none", n8n would refuse to run the workflow.
			callerPolicy: 'workflowsFromSameOwner',
		},
	};
}

function nodeOf(name: string, parameters: INodeParameters): INode {
	const type = `n8n-nodes-base.${name}`;
	return { id: name, name, type, typeVersion: 1.1, position: [0, 0], parameters };
}
