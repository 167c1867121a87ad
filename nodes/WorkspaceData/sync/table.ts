import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { InputProblem } from '../../common/errors';
import { adviceOnTable, DataTable, matching } from '../data-table';

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

/** The rows of syncs. Each function throws InputProblem when n8n has no data tables or cannot use them. */
export class SyncTable {
	private readonly table: DataTable;

	constructor(context: IExecuteFunctions) {
		this.table = new DataTable(context, TABLE_NAME, COLUMNS);
	}

	async find(conditions: Partial<Row>): Promise<Row[]> {
		return await rowsOf(this.table.find({ returnAll: true, ...where(conditions) }));
	}

	/**
	 * Changes the row of a sync, or makes it, unless another run has moved its place meanwhile, from the one that this run
	 * has started from: what that one has confirmed must not come again.
	 */
	async move(key: string, committed: string | null | undefined, values: Partial<Row>) {
		if (committed) await this.write('update', { key, committed }, values);
		else if (!(await this.find({ key })).some((row) => row.committed))
			await this.write('upsert', { key }, { key, ...values });
	}

	/** Changes the rows that are like this in all of it, and gives them; `upsert` makes one where there is none. */
	async write(operation: 'update' | 'upsert', conditions: Partial<Row>, values: Partial<Row>) {
		const columns = { mappingMode: 'defineBelow', value: { ...values } };
		return await rowsOf(this.table.change({ operation, ...where(conditions), columns }));
	}
}

async function rowsOf(step: Promise<IDataObject[]>): Promise<Row[]> {
	const found = await step.catch((error: unknown) => {
		throw new InputProblem(
			`n8n could not use the data table "${TABLE_NAME}" of this project`,
			adviceOnTable(TABLE_NAME, error, 'set Progress to "Use My Own Checkpoint"'),
		);
	});
	// An empty item stands for no row.
	return found.filter((json): json is IDataObject & Row => typeof json.key === 'string');
}

function where(conditions: Partial<Row>): INodeParameters {
	return matching(Object.entries(conditions).map(([name, value]) => [name, 'eq', value ?? '']));
}
