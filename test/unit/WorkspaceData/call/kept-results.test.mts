import type { IDataObject, IExecuteFunctions, IExecuteWorkflowInfo } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';

import { KeptResults, resultKey } from '../../../../nodes/WorkspaceData/call/kept-results.ts';
import { DataTables } from '../../../data-tables.mts';

// Time stands still: what waits for the next time to write would wait for ever.
vi.mock('n8n-workflow', async (original) => ({
	...(await original<object>()),
	sleep: async () => await new Promise(() => undefined),
}));

function onTables(dataTables: DataTables): KeptResults {
	const context = {
		getWorkflow: () => ({ id: 'w1' }),
		executeWorkflow: async (
			{ code }: IExecuteWorkflowInfo,
			items: Array<{ json: IDataObject }>,
		) => {
			if (code === undefined) throw new Error('no workflow');
			const input = items.map(({ json }) => json);
			return { data: [(await dataTables.run(code, input)).map((json) => ({ json }))] };
		},
	};
	return new KeptResults(context as unknown as IExecuteFunctions);
}

const rowsOf = (dataTables: DataTables) => dataTables.tables.get('workspace_data_results') ?? [];

describe('kept results', () => {
	it('are written, the first at once and the others together, before the node ends', async () => {
		const dataTables = new DataTables();
		const results = onTables(dataTables);
		results.keep({ key: 'a', days: 1 }, { data: 1 });
		await vi.waitFor(() => expect(rowsOf(dataTables)).toHaveLength(1));
		for (const key of ['b', 'c', 'd']) results.keep({ key, days: 1 }, { data: key });
		await results.finish();
		expect(rowsOf(dataTables).map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd']);
		expect(dataTables.steps.filter((step) => step === 'row:insert')).toHaveLength(2);
	});

	it('are told apart by the credential and by what was sent, in the same way by every release', () => {
		// Another digest here means that everybody pays for everything once more.
		expect(resultKey({ key: 'session' }, '["POST","/v2/enrich",{"domain":"a.example"}]')).toBe(
			'3cb362c473ede993b328f006134468b65a50a63ba05957fbe93587867a1c3aed',
		);
		expect(resultKey({ key: 'other' }, 'content')).not.toBe(
			resultKey({ key: 'session' }, 'content'),
		);
	});

	it('that have expired and cannot be removed end in a bounded number of steps', async () => {
		const dataTables = new DataTables();
		dataTables.insert('workspace_data_results', [{ key: 'a', expires: new Date(0).toISOString() }]);
		const row = rowsOf(dataTables)[0] ?? { id: 0 };
		dataTables.before = () => void dataTables.tables.set('workspace_data_results', [row]);
		await onTables(dataTables).removeExpired();
		expect(dataTables.steps.filter((step) => step === 'row:deleteRows')).toHaveLength(20);
	});
});
