/** Simulates n8n's data tables in memory. The package uses them through sub-workflows with one Data Table node. */
import type { IDataObject, IExecuteWorkflowInfo } from 'n8n-workflow';

type Row = Record<string, unknown> & { id: number };
type Workflow = NonNullable<IExecuteWorkflowInfo['code']>;

interface Condition {
	keyName: string;
	condition: 'eq' | 'lt';
	keyValue: string | number;
}

/** Parameters of the Data Table node. */
interface Step {
	resource: 'table' | 'row';
	operation: 'list' | 'create' | 'get' | 'insert' | 'update' | 'upsert' | 'deleteRows';
	tableName?: string;
	options?: { filterName?: string };
	dataTableId?: { value: string };
	matchType?: 'allConditions' | 'anyCondition';
	filters?: { conditions: Condition[] };
	limit?: number;
	returnAll?: boolean;
	orderByColumn?: string;
	columns?: { mappingMode: string; value: Record<string, unknown> };
}

let projects = 0;

/** Data tables of one n8n project. */
export class DataTables {
	/**
	 * Beginning of each table's id. It differs between projects, so that one project cannot find the tables of another.
	 */
	private readonly beginning = `project ${++projects}, `;
	/** Rows of each table, by the name of the table. */
	readonly tables = new Map<string, Row[]>();
	/** Operations so far, oldest first, for example `row:get`. */
	readonly steps: string[] = [];
	/** Called before each operation. An error that it throws is reported as an error of n8n. */
	before: (step: string) => void | Promise<void> = () => undefined;
	private lastId = 0;

	/** Runs a sub-workflow with one Data Table node, and returns its items. */
	async run({ nodes, settings }: Workflow, items: readonly IDataObject[]): Promise<IDataObject[]> {
		// By default, this simulated n8n does not allow other workflows to call a workflow.
		const { callerPolicy = 'none' } = settings ?? {};
		if (callerPolicy === 'none') throw new Error('Target workflow may not be called');
		const parameters = nodes.at(-1)?.parameters as unknown as Step;
		const step = `${parameters.resource}:${parameters.operation}`;
		this.steps.push(step);
		await this.before(step);
		const found = this.work(parameters, items);
		// The Data Table node always returns at least one item.
		return found.length > 0 ? found.map((row) => ({ ...row }) as IDataObject) : [{}];
	}

	/** Adds rows to a table, as the Data Table node does. */
	insert(table: string, rows: readonly Record<string, unknown>[]): void {
		const now = new Date().toISOString();
		const known = this.tables.get(table) ?? [];
		known.push(
			...rows.map((row) => ({ createdAt: now, updatedAt: now, ...row, id: (this.lastId += 1) })),
		);
		this.tables.set(table, known);
	}

	private work(step: Step, items: readonly IDataObject[]): Record<string, unknown>[] {
		if (step.operation === 'list') return this.list(step.options?.filterName ?? '');
		if (step.operation === 'create') return this.create(step.tableName ?? '');
		const name = String(step.dataTableId?.value).replace(this.beginning, '');
		const rows = this.tables.get(name);
		if (rows === undefined) throw new Error(`Data table with ID '${name}' could not be found`);
		if (step.operation === 'insert' && step.columns?.mappingMode === 'autoMapInputData') {
			this.insert(name, items);
			return [{ success: true, insertedRows: items.length }];
		}
		const found = rows.filter((row) => matches(row, step));
		const values = step.columns?.value;
		if (step.operation === 'upsert' && found.length === 0) {
			this.insert(name, [{ ...values }]);
			return rows.slice(-1);
		}
		if (step.operation === 'update' || step.operation === 'upsert') {
			const updatedAt = new Date().toISOString();
			for (const row of found) Object.assign(row, values, { updatedAt });
			return found;
		}
		if (step.operation === 'deleteRows') {
			this.tables.set(
				name,
				rows.filter((row) => !found.includes(row)),
			);
		}
		const all = step.returnAll === true || step.operation === 'deleteRows';
		// Reverse the rows unless the operation sorts them, because n8n guarantees no order.
		if (step.orderByColumn !== 'id') found.reverse();
		return all ? found : found.slice(0, step.limit ?? 50);
	}

	/** Returns every table whose name contains the text, newest first. */
	private list(part: string): Record<string, unknown>[] {
		const names = [...this.tables.keys()].filter((name) => name.includes(part)).toReversed();
		return names.map((name) => ({ id: `${this.beginning}${name}`, name }));
	}

	private create(name: string): Record<string, unknown>[] {
		if (this.tables.has(name)) throw new Error(`Data table with name '${name}' already exists`);
		this.tables.set(name, []);
		return [{ id: `${this.beginning}${name}`, name }];
	}
}

function matches(row: Row, { filters, matchType }: Step): boolean {
	const met = (filters?.conditions ?? []).map(({ keyName, condition, keyValue }) => {
		const value = row[keyName];
		return condition === 'eq' ? value === keyValue : (value as string | number) < keyValue;
	});
	return matchType === 'anyCondition' ? met.includes(true) : !met.includes(false);
}
