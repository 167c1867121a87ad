import type { INodeExecutionData } from 'n8n-workflow';

import type { PollResult } from '../../changes/poll';
import type { State } from '../../changes/state';
import { keepFields } from '../../common/panel/kept-fields';
import { timedFileName } from '../export/file-name';
import { FileWriter } from '../export/file-writer';
import { findRecords, pick } from '../../client/raw-records';
import { hintOnLongNumbers } from '../list/hints';
import { putOut, type Task } from '../task';
import type { SyncParameters } from './parameters';

/** Where the changes of one run go. With Progress: Use My Own Checkpoint, each batch and file carries the new one. */
export function createSyncOutput(task: Task, parameters: SyncParameters) {
	const { outputAs, files, fields, objectType, progress } = parameters;
	const batch: PollResult['records'] = [];
	let current: State | undefined;
	let lastFile: INodeExecutionData['json'] | undefined;
	const carried = (): { checkpoint?: string } =>
		progress === 'given' ? { checkpoint: JSON.stringify(current) } : {};
	const writer =
		files &&
		new FileWriter(task, files, {
			fields,
			name: timedFileName(objectType, new Date()),
			jsonOf: ({ fileName, part, records, bytes }) =>
				(lastFile = { fileName, part, records, bytes, hasMore: true, ...carried() }),
		});
	return {
		/** How many records the next portion may have, so that it fits into the file. */
		room: (): number => writer?.room ?? Infinity,
		add: async ({ records, asSent, state }: PollResult): Promise<void> => {
			current = state;
			if (writer === undefined) {
				const kept = records.map((record) => keepFields(record, fields));
				hintOnLongNumbers(task.run, kept);
				if (outputAs === 'items') putOut(task, kept);
				else for (const record of kept) batch.push(record);
				return;
			}
			for (const { text, indexes } of asSent)
				await writer.add({ records: pick(findRecords(text), indexes) });
		},
		/** `hasMore`: for the next run. `mustCarry`: the checkpoint has to come out even without records. */
		finish: async (hasMore: boolean, mustCarry: boolean): Promise<void> => {
			if (batch.length > 0 || (mustCarry && outputAs === 'batch'))
				putOut(task, [{ records: batch, count: batch.length, hasMore, ...carried() }]);
			await (mustCarry ? writer?.finish() : writer?.flush());
			if (lastFile !== undefined) lastFile.hasMore = hasMore;
		},
	};
}
