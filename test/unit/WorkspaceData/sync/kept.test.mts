import { describe, expect, it } from 'vitest';

import { confirmChanges } from '../../../../nodes/WorkspaceData/sync/confirm.ts';
import { keptProgress } from '../../../../nodes/WorkspaceData/sync/kept.ts';
import type { SyncParameters } from '../../../../nodes/WorkspaceData/sync/parameters.ts';
import type { Progress } from '../../../../nodes/WorkspaceData/sync/progress.ts';
import { startExecution, TableInMemory, type FakeExecution } from './n8n.mts';

type State = Parameters<Progress['keep']>[0]['state'];

const stateAt = (place: number): State => ({ place }) as unknown as State;

/** An execution that has begun to read. */
async function open(
	table: TableInMemory,
	progress: SyncParameters['progress'] = 'confirmed',
): Promise<FakeExecution & Progress> {
	const execution = startExecution(table);
	const parameters = { progress, objectType: 'company', field: 'updated_at' } as SyncParameters;
	const kept = await keptProgress(execution.context, parameters, 'https://service.example');
	return { ...execution, ...kept };
}

const placeIn = (table: TableInMemory): unknown => {
	expect(table.rows).toHaveLength(1);
	return (JSON.parse(table.rows[0]?.committed ?? '{}') as { place?: number }).place;
};

/** A table in which a place is confirmed; none where it is undefined. */
async function tableAt(place: number | undefined): Promise<TableInMemory> {
	const table = new TableInMemory();
	if (place === undefined) return table;
	const run = await open(table);
	await run.keep({ state: stateAt(place), hasRecords: true });
	await confirmChanges(run.context);
	expect(placeIn(table)).toBe(place);
	return table;
}

describe.each([undefined, 10])('two runs that begin at one place (%s)', (place) => {
	it('are not led back by the slower one', async () => {
		const table = await tableAt(place);
		const [slow, quick] = [await open(table), await open(table)];
		await quick.keep({ state: stateAt(30), hasRecords: true });
		await confirmChanges(quick.context);
		await slow.keep({ state: stateAt(20), hasRecords: true });
		await confirmChanges(slow.context);
		expect(placeIn(table)).toBe(30);
		expect(slow.hints.at(-1)).toContain('Nothing was confirmed');
	});

	it('are not led back by one that has read nothing', async () => {
		const table = await tableAt(place);
		const [slow, quick] = [await open(table), await open(table)];
		await quick.keep({ state: stateAt(30), hasRecords: true });
		await confirmChanges(quick.context);
		await slow.keep({ state: stateAt(20), hasRecords: false });
		expect(placeIn(table)).toBe(30);
	});

	it('are not led back where the place moves when it is read', async () => {
		const table = await tableAt(place);
		const [slow, quick] = [await open(table, 'read'), await open(table, 'read')];
		await quick.keep({ state: stateAt(30), hasRecords: true });
		await slow.keep({ state: stateAt(20), hasRecords: true });
		expect(placeIn(table)).toBe(30);
	});
});
