/** Helper functions for tests of the stored progress of a sync. They start executions that load the progress. */
import { expect } from 'vitest';

import { openProgress } from '../../../../nodes/WorkspaceData/sync/progress.ts';
import type { SyncParameters } from '../../../../nodes/WorkspaceData/sync/sync-parameters.ts';
import { confirm, startExecution, TableInMemory, type FakeExecution } from './n8n.mts';

type Progress = Awaited<ReturnType<typeof openProgress>>;
type Reached = NonNullable<Parameters<Progress['keep']>[0]>;

/**
 * Returns what a run stores: a checkpoint at this place in the list, and the number of changes. In these tests, a place
 * is just a number.
 */
export const reached = (place: number, records = 1): Reached => ({
	checkpoint: { place } as unknown as Reached['checkpoint'],
	records,
});

/** List whose changes the sync returns. */
export const list = { objectType: 'company', field: 'updated_at' } as const;

/** Starts an execution and loads the stored progress of its sync. */
export async function open(
	table: TableInMemory,
	settings: Parameters<typeof startExecution>[1] = {},
	syncName?: string,
	additional?: Record<string, unknown>,
): Promise<FakeExecution & Progress> {
	const execution = startExecution(table, settings);
	const parameters = { ...list, progress: 'confirmed', syncName, additional };
	const kept = await openProgress(execution.nodeRun, parameters as SyncParameters);
	return { ...execution, ...kept };
}

/** Returns the place in the list at which the confirmed checkpoint is. Expects exactly one row in the data table. */
export const placeIn = (table: TableInMemory): unknown => {
	expect(table.rows).toHaveLength(1);
	return (JSON.parse(table.rows[0]?.committed ?? '{}') as { place?: number }).place;
};

/** Creates a data table with a confirmed checkpoint at this place in the list. Without a place, the table is empty. */
export async function tableAt(place: number | undefined): Promise<TableInMemory> {
	const table = new TableInMemory();
	if (place === undefined) return table;
	const run = await open(table);
	await run.keep(reached(place));
	await confirm(run);
	expect(placeIn(table)).toBe(place);
	return table;
}
