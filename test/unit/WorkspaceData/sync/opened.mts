/** Executions that have begun to read a sync, as openProgress gives them their place. */
import { expect } from 'vitest';

import { openProgress } from '../../../../nodes/WorkspaceData/sync/progress.ts';
import type { SyncParameters } from '../../../../nodes/WorkspaceData/sync/sync-parameters.ts';
import { confirm, startExecution, TableInMemory, type FakeExecution } from './n8n.mts';

type Progress = Awaited<ReturnType<typeof openProgress>>;
type Reached = NonNullable<Parameters<Progress['keep']>[0]>;

/** What a run has come to: its place, and how many changes it gave. */
export const reached = (place: number, records = 1): Reached => ({
	checkpoint: { place } as unknown as Reached['checkpoint'],
	records,
});

/** What is followed. */
export const list = { objectType: 'company', field: 'updated_at' } as const;

/** An execution that has begun to read. */
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

/** The place that the table's one row has confirmed. */
export const placeIn = (table: TableInMemory): unknown => {
	expect(table.rows).toHaveLength(1);
	return (JSON.parse(table.rows[0]?.committed ?? '{}') as { place?: number }).place;
};

/** A table in which a place is confirmed; none where it is undefined. */
export async function tableAt(place: number | undefined): Promise<TableInMemory> {
	const table = new TableInMemory();
	if (place === undefined) return table;
	const run = await open(table);
	await run.keep(reached(place));
	await confirm(run);
	expect(placeIn(table)).toBe(place);
	return table;
}
