import type {
	IDataObject,
	IExecuteFunctions,
	IExecuteWorkflowInfo,
	INode,
	INodeParameters,
} from 'n8n-workflow';
import { quoted, wordsOf } from '../shared/errors/words';

/** What a column of a row must be like. */
export type Condition = [keyName: string, condition: 'eq' | 'lt', keyValue: string | number];

/** By id. `handedOver`: n8n has renamed them, as it gave this project those of a user who left, to "name (Jane Doe <jane@example.com>)". */
interface Tables {
	own: string | undefined;
	handedOver: string[];
}

/** A data table of n8n. Nodes of others have no way to it, so each step runs a small workflow of n8n's own node. */
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

	/** The rows that the parameters of a `get` ask for; none where there is no such table. Throws what n8n says. */
	async find(parameters: INodeParameters): Promise<IDataObject[]> {
		const { own } = await this.known();
		return own === undefined ? [] : await this.onRows(own, { operation: 'get', ...parameters });
	}

	/** The same in tables that were handed over, those that were written last come last. Throws what n8n says. */
	async findHandedOver(parameters: INodeParameters): Promise<IDataObject[]> {
		const rows: IDataObject[] = [];
		for (const id of (await this.known()).handedOver)
			rows.push(...(await this.onRows(id, { operation: 'get', ...parameters })));
		const writtenAt = ({ updatedAt }: IDataObject): number => Date.parse(String(updatedAt));
		return rows.toSorted((one, other) => writtenAt(one) - writtenAt(other));
	}

	/** Makes the table where it is missing, and gives the items to an operation on rows. Throws what n8n says. */
	async change(parameters: INodeParameters, items?: IDataObject[]): Promise<IDataObject[]> {
		const id = (await this.known()).own ?? (await this.make());
		return await this.onRows(id, parameters, items);
	}

	/** Looked up as long as there is none of this name: another execution may make it at any time. */
	private async known(): Promise<Tables> {
		if (this.tables.own === undefined) this.tables = await this.lookUp();
		return this.tables;
	}

	/** By the ids that n8n gave them: asked for a name, n8n would also use another table whose name contains this one. */
	private async lookUp(): Promise<Tables> {
		const options = { filterName: this.name };
		const step = { resource: 'table', operation: 'list', returnAll: true, options };
		const found = await this.run(step);
		const idsOf = (isMeant: (name: string) => boolean): string[] =>
			found.filter(({ name }) => isMeant(String(name))).map(({ id }) => String(id));
		const [own] = idsOf((name) => name === this.name);
		return { own, handedOver: idsOf((name) => name.startsWith(`${this.name} (`)) };
	}

	/** Another execution that makes it at the same moment is no failure. */
	private async make(): Promise<string> {
		const column = Object.entries(this.columns).map(([name, type]) => ({ name, type }));
		const parameters = { tableName: this.name, columns: { column } };
		const made = this.run({ resource: 'table', operation: 'create', ...parameters });
		await made.catch(() => undefined);
		const { own } = await this.known();
		return (this.tables.own = own ?? String((await made)[0]?.id));
	}

	/** n8n writes many rows at once only where the id is no expression. */
	private async onRows(id: string, step: INodeParameters, items?: IDataObject[]) {
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

/** What to do first where n8n could not use a data table, and why, by what n8n says. */
const ADVICE: Array<[said: RegExp, fix: string, why: string]> = [
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
];

/** What to do where n8n could not use a data table; `instead`, without one, in words that complete "…, or …". */
export function adviceOnTable(name: string, error: unknown, instead: string): string {
	const said = wordsOf(error);
	const [, fix, why] = ADVICE.find(([pattern]) => pattern.test(said)) ?? [
		said,
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

/** A workflow that gives its input to one Data Table node. */
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
			// Whatever an instance's default is: with "none", n8n would refuse it.
			callerPolicy: 'workflowsFromSameOwner',
		},
	};
}

function nodeOf(name: string, parameters: INodeParameters): INode {
	const type = `n8n-nodes-base.${name}`;
	return { id: name, name, type, typeVersion: 1.1, position: [0, 0], parameters };
}
