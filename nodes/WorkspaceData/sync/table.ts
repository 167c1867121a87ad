import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { InputProblem } from '../../common/errors';
import { DataTable, matching } from '../data-table';

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

const COLUMNS = { key: 'string', committed: 'string', pending: 'string', owner: 'string' } as const;

/** What a row must be like, all of it. */
export type Conditions = Partial<Pick<Row, 'key' | 'owner' | 'committed'>>;

/** The rows of syncs. */
export class SyncTable {
	private readonly table: DataTable;

	constructor(context: IExecuteFunctions) {
		this.table = new DataTable(context, TABLE_NAME, COLUMNS);
	}

	/** @throws InputProblem when n8n has no data tables or cannot use them */
	async find(conditions: Conditions): Promise<Row[]> {
		return await this.rows(this.table.find({ returnAll: true, ...matchingAll(conditions) }));
	}

	/** Changes the row of a sync, or makes it. Throws as `find` does. */
	async put(values: Partial<Row> & Pick<Row, 'key'>): Promise<void> {
		const { key } = values;
		const parameters = { operation: 'upsert', ...matchingAll({ key }), ...setting(values) };
		await this.rows(this.table.change(parameters));
	}

	/**
	 * Changes rows that are still as they should be. Throws as `find` does.
	 *
	 * @returns how many those were
	 */
	async change(conditions: Conditions, values: Partial<Row>): Promise<number> {
		const parameters = { operation: 'update', ...matchingAll(conditions), ...setting(values) };
		return (await this.rows(this.table.change(parameters))).length;
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

	private async rows(step: Promise<IDataObject[]>): Promise<Row[]> {
		const found = await step.catch((error: unknown) => {
			throw cannotKeep(error);
		});
		return found.filter(isRow);
	}
}

/** An empty item stands for no row. */
function isRow(json: IDataObject): json is IDataObject & Row {
	return typeof json.key === 'string';
}

function cannotKeep(error: unknown): InputProblem {
	const said = error instanceof Error ? error.message : String(error);
	return new InputProblem(
		`n8n could not use the data table "${TABLE_NAME}" of this project`,
		`n8n says: ${said}. Older versions of n8n, 2.0 among them, have no data tables that a node can make: there, set Progress to "Use My Own Checkpoint".`,
	);
}

function matchingAll(conditions: Conditions): INodeParameters {
	return matching(Object.entries(conditions).map(([name, value]) => [name, 'eq', value ?? '']));
}

function setting(values: Partial<Row>): INodeParameters {
	return { columns: { mappingMode: 'defineBelow', value: { ...values } } };
}
