// nodes/WorkspaceData/sync/: Get Changes returns changed records in each run, until Confirm Changes confirms them.

import { DateTime } from 'luxon';
import type { INodeExecutionData } from 'n8n-workflow';

import { pick } from '../../shared/client/raw-records';
import { readChanges, type Batch } from '../../shared/changes/poll';
import { createReader } from '../../shared/changes/reader';
import type { Checkpoint } from '../../shared/changes/checkpoint';
import { STARTED } from '../../shared/changes/notices';
import { recordsOf } from '../../shared/lists/page';
import { pickFields } from '../../shared/panel/record-fields';
import { openCheckpoint } from '../../shared/session/checkpoint';
import { fileNameFrom } from '../export/file-name';
import { FileWriter } from '../export/file-writer';
import { hintOnBreakOff, hintOnLongNumbers, recordsIn } from '../list/list-hints';
import { putOut, type Runner, type Task } from '../task';
import { readSyncParameters, type SyncParameters } from './sync-parameters';
import { openProgress } from './progress';

const WAITING =
	"There are more changes. The next run returns them. To return more at once, raise 'Limit'.";

/** Runs Get Changes: continues from the stored checkpoint, returns the changes, and stores the new checkpoint. */
export const runSync: Runner = async (task) => {
	const { nodeRun, context, session, output: items } = task;
	let isRead = false;
	try {
		const parameters = readSyncParameters(task, context.getTimezone());
		const progress = await openProgress(nodeRun, parameters);
		const { checkpoint, reader, isNew, isStart } = open(progress.stored, task, parameters);
		const output = createSyncOutput(task, parameters);
		let records = 0;
		let last: Batch | undefined;
		// A first run with Start From: Now returns no records. The time of the start is stored only in Confirm Changes,
		// so records that were returned earlier and not confirmed would be lost.
		const maxRecords = isStart ? 0 : parameters.maxRecords;
		const maxPerBatch = parameters.files?.recordsPerFile;
		const settings = { ...parameters, maxRecords, maxPerBatch, now: session.timeOfDay };
		for await (const batch of readChanges(checkpoint, reader, settings)) {
			nodeRun.missing.lookAt(batch.records, parameters.fields);
			await output.add(batch);
			records += batch.records.length;
			for (const note of batch.notices) nodeRun.tell(note);
			last = batch;
		}
		isRead = true;
		if (last === undefined) return;
		await output.finish(!last.reachedEnd, parameters.progress === 'given' && isNew);
		await progress.keep({ checkpoint: last.checkpoint, records });
		if (records === 0) nodeRun.hint(whyNothing(checkpoint, last.checkpoint, context.getTimezone()));
		const isWaiting = records >= parameters.maxRecords && !last.reachedEnd;
		if (isWaiting && nodeRun.isFirst('waiting')) nodeRun.warn(WAITING);
	} catch (error) {
		throw isRead ? error : hintOnBreakOff(task, error, recordsIn(items));
	}
};

function open(stored: unknown, { nodeRun, session, endpoint }: Task, parameters: SyncParameters) {
	const keeper = parameters.progress === 'given' ? 'checkpoint' : 'sync';
	const followed = {
		...parameters,
		owner: session.credentialScope,
		access: session.access,
		now: session.timeOfDay(),
	};
	const { checkpoint, notices, isStart } = openCheckpoint(stored, followed, keeper);
	for (const one of notices) nodeRun.tell(one);
	// A page must not be larger than a file if the node chooses the page size.
	const maxPerPage =
		parameters.pageSize === undefined ? parameters.files?.recordsPerFile : undefined;
	const { signal } = nodeRun;
	const ofRun = { endpoint, limits: () => parameters.limits, signal, maxPerPage };
	const reader = createReader(session.client, { ...parameters, ...ofRun });
	return { checkpoint, reader, isStart, isNew: notices.length > 0 };
}

/** Creates the collector of the output. With Use My Own Checkpoint, batches and files contain the checkpoint. */
function createSyncOutput(task: Task, parameters: SyncParameters) {
	const { outputAs, files, fields, objectType, progress } = parameters;
	const batch: Batch['records'] = [];
	let current: Checkpoint | undefined;
	let lastFile: INodeExecutionData['json'] | undefined;
	const carried = (): { checkpoint?: string } =>
		progress === 'given' ? { checkpoint: JSON.stringify(current) } : {};
	const writer =
		files &&
		new FileWriter(task, files, {
			fields,
			name: `${fileNameFrom(objectType)}-${new Date().toISOString().replaceAll(':', '-')}`,
			jsonOf: ({ fileName, part, records, bytes }) =>
				(lastFile = { fileName, part, records, bytes, hasMore: true, ...carried() }),
		});
	return {
		add: async ({ records, page, indexes, checkpoint }: Batch): Promise<void> => {
			if (writer === undefined) {
				const kept = records.map((record) => pickFields(record, fields));
				hintOnLongNumbers(task.nodeRun, kept);
				if (outputAs === 'items') putOut(task, kept);
				else for (const record of kept) batch.push(record);
			} else if (page !== undefined) {
				await writer.add({ records: pick(recordsOf(page), indexes) });
			}
			// Set the checkpoint after writer.add(), which may store a file without the new batch.
			current = checkpoint;
		},
		/** Ends the output and stores the last file. With `mustCarry`, returns the checkpoint even without records. */
		finish: async (hasMore: boolean, mustCarry: boolean): Promise<void> => {
			if (batch.length > 0 || (mustCarry && outputAs === 'batch'))
				putOut(task, [{ records: batch, count: batch.length, hasMore, ...carried() }]);
			await (mustCarry ? writer?.finish() : writer?.flush());
			if (lastFile !== undefined) lastFile.hasMore = hasMore;
		},
	};
}

/** Returns the hint for a run that returned no changes. */
function whyNothing(before: Checkpoint, { newest }: Checkpoint, timezone: string): string {
	if (before.starting) return STARTED.message;
	if (newest === null) return 'No changes.';
	const date = DateTime.fromMillis(newest, { zone: timezone, locale: 'en' });
	return `No changes since ${date.toFormat('d MMM yyyy, HH:mm')} (${timezone}).`;
}
