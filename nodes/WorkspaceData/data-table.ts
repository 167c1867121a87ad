import type {
	IDataObject,
	IExecuteFunctions,
	IExecuteWorkflowInfo,
	INode,
	INodeParameters,
} from 'n8n-workflow';

type Columns = Readonly<Record<string, 'string' | 'date'>>;

/** What a column of a row must be like: its name, and equal to a value or below it. */
export type Condition = [keyName: string, condition: 'eq' | 'lt', keyValue: string | number];

/**
 * One of n8n's data tables. n8n gives community nodes no way to them, so each step is a small workflow with n8n's own
 * Data Table node in it, which is run from here and not listed among the executions.
 */
export class DataTable {
	private readonly context: IExecuteFunctions;
	private readonly name: string;
	private readonly columns: Columns;
	/** What n8n calls the table; undefined as long as none was found: another execution may make it at any time. */
	private id: string | undefined;

	constructor(context: IExecuteFunctions, name: string, columns: Columns) {
		this.context = context;
		this.name = name;
		this.columns = columns;
	}

	/** The rows that the parameters of a `get` ask for; none where there is no such table. Throws what n8n says. */
	async find(parameters: INodeParameters): Promise<IDataObject[]> {
		const id = (this.id ??= await this.lookUp());
		return id === undefined ? [] : await this.onRows(id, { operation: 'get', ...parameters });
	}

	/**
	 * Writes rows, and makes the table where it is missing. Throws what n8n says.
	 *
	 * @param parameters of an operation on rows
	 * @param items what the Data Table node gets
	 */
	async change(parameters: INodeParameters, items?: IDataObject[]): Promise<IDataObject[]> {
		const id = (this.id ??= (await this.lookUp()) ?? (await this.make()));
		return await this.onRows(id, parameters, items);
	}

	/** By the id that n8n gave it: asked for a name, n8n would also use another table whose name contains this one. */
	private async lookUp(): Promise<string | undefined> {
		const options = { filterName: this.name };
		const tables = await this.run({ resource: 'table', operation: 'list', options });
		return tables.find(({ name }) => name === this.name)?.id as string | undefined;
	}

	/** Another execution that makes it at the same moment is no failure. */
	private async make(): Promise<string> {
		const column = Object.entries(this.columns).map(([name, type]) => ({ name, type }));
		const parameters = { tableName: this.name, columns: { column } };
		let failure: unknown;
		await this.run({ resource: 'table', operation: 'create', ...parameters }).catch((error) => {
			failure = error;
		});
		const id = await this.lookUp();
		if (id === undefined) throw failure;
		return id;
	}

	/** n8n writes many rows at once only where the id is no expression. */
	private async onRows(
		id: string,
		parameters: INodeParameters,
		items?: IDataObject[],
	): Promise<IDataObject[]> {
		const dataTableId = { __rl: true, mode: 'id', value: id };
		return await this.run({ resource: 'row', dataTableId, ...parameters }, items);
	}

	private async run(
		parameters: INodeParameters,
		items: IDataObject[] = [{}],
	): Promise<IDataObject[]> {
		const code = workflowOf(this.context.getWorkflow().id, this.name, parameters);
		const { data } = await this.context.executeWorkflow(
			{ code },
			items.map((json) => ({ json })),
		);
		return (data[0] ?? []).map((item) => item?.json ?? {});
	}
}

/** The parameters of a choice of rows: those that meet all conditions, or any of them. */
export function matching(
	conditions: Condition[],
	matchType: 'allConditions' | 'anyCondition' = 'allConditions',
): INodeParameters {
	const rules = conditions.map(([keyName, condition, keyValue]) => ({
		keyName,
		condition,
		keyValue,
	}));
	return { matchType, filters: { conditions: rules } };
}

function workflowOf(
	id: string | undefined,
	tableName: string,
	parameters: INodeParameters,
): NonNullable<IExecuteWorkflowInfo['code']> {
	const start = node('Start', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
	const step = node('Data table', 'dataTable', 1.1, parameters);
	const date = new Date(0);
	return {
		id: id ?? '',
		name: `Workspace Data: ${tableName}`,
		active: false,
		isArchived: false,
		activeVersionId: null,
		createdAt: date,
		updatedAt: date,
		nodes: [start, { ...step, alwaysOutputData: true }],
		connections: { [start.name]: { main: [[{ node: step.name, type: 'main', index: 0 }]] } },
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
