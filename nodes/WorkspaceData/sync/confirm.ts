import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { forgetRead, readsOf } from './executions';
import { say } from './hints';
import { pendingStateOf } from './kept';
import { SyncTable } from './table';

/**
 * Confirm Changes: what this execution has read has arrived, so the next run goes on behind it. The input goes on as it
 * is. An execution that another has overtaken confirms nothing: the other has read the same changes, and confirms them.
 *
 * @throws InputProblem when n8n cannot reach its data table
 */
export async function confirmChanges(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const reads = Object.entries(readsOf(context));
	if (reads.length === 0) sayNothingRead(context);
	const table = new SyncTable(context);
	for (const [key, owner] of reads) {
		const [row] = await table.find({ key, owner });
		const committed = row && pendingStateOf(row.pending);
		const isDone =
			committed !== undefined &&
			(await table.change({ key, owner }, { committed, pending: '', owner: '' })) > 0;
		if (!isDone) sayOvertaken(context, key);
		forgetRead(context, key);
	}
	return context.getInputData().map((item, index) => ({ ...item, pairedItem: { item: index } }));
}

function sayNothingRead(context: IExecuteFunctions): void {
	say(
		context,
		'There was nothing to confirm: this execution has read no changes whose progress is moved by Confirm Changes. It belongs into the same workflow as "Get Changes", behind it.',
	);
}

function sayOvertaken(context: IExecuteFunctions, key: string): void {
	say(
		context,
		`Nothing was confirmed (${key}): another execution has read these changes since, and confirms them itself. Until it does, they come again.`,
	);
}
