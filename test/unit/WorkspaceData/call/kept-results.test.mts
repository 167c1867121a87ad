import type { IDataObject, IExecuteFunctions, IExecuteWorkflowInfo } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { KeptResults } from '../../../../nodes/WorkspaceData/call/kept-results.ts';
import { DataTables } from '../../../data-tables.mts';

it('results that have expired and cannot be removed end in a bounded number of steps', async () => {
	const table = 'workspace_data_results';
	const dataTables = new DataTables();
	dataTables.insert(table, [{ key: 'a', expires: new Date(0).toISOString() }]);
	const [row] = dataTables.tables.get(table) ?? [];
	dataTables.before = () => void dataTables.tables.set(table, [row!]);
	const context = {
		getWorkflow: () => ({ id: 'w1' }),
		executeWorkflow: async (
			{ code }: IExecuteWorkflowInfo,
			items: Array<{ json: IDataObject }>,
		) => {
			const input = items.map(({ json }) => json);
			return { data: [(await dataTables.run(code!, input)).map((json) => ({ json }))] };
		},
	};
	await new KeptResults(context as unknown as IExecuteFunctions).removeExpired();
	expect(dataTables.steps.filter((step) => step === 'row:deleteRows')).toHaveLength(20);
});
