import type { INodeExecutionData } from 'n8n-workflow';

import type { Reader } from '../../changes/reader';
import type { State } from '../../changes/state';
import { keepFields } from '../../common/fields';
import { timedFileName } from '../export/file-name';
import { FileWriter } from '../export/file-writer';
import { findRecords, pick, type RawRecords } from '../../lists/raw-records';
import { putOut, type Task } from '../task';
import type { SyncParameters } from './parameters';

type Records = Array<Record<string, unknown>>;

/** Where the changes of one run go; with a given checkpoint, each batch and file carries the new one. */
export function createOutput(task: Task, parameters: SyncParameters, reader: Reader) {
	const { outputAs, files, fields, objectType, progress } = parameters;
	const batch: Records = [];
	let current: State | undefined;
	let lastFile: INodeExecutionData['json'] | undefined;
	const place = (): { checkpoint?: string } =>
		progress === 'given' ? { checkpoint: JSON.stringify(current) } : {};
	const writer =
		files &&
		new FileWriter(task, files, {
			fields,
			name: timedFileName(objectType, new Date()),
			jsonOf: ({ fileName, part, records, bytes }) =>
				(lastFile = { fileName, part, records, bytes, hasMore: true, ...place() }),
		});
	return {
		/** How many records the next stretch may have, so that a file that is full ends with a stretch. */
		room: (): number => writer?.room ?? Infinity,
		/** Takes a stretch of records with the state after it. */
		add: async (added: Records, state: State): Promise<void> => {
			current = state;
			if (writer === undefined) {
				const kept = added.map((record) => keepFields(record, fields));
				if (outputAs === 'items') putOut(task, kept);
				else for (const record of kept) batch.push(record);
				return;
			}
			for (const records of textsOf(added, reader)) await writer.add({ records });
		},
		/** Ends the run: more changes may wait for the next one; the state may have to come out even without records. */
		finish: async (hasMore: boolean, mustCarry: boolean): Promise<void> => {
			if (batch.length > 0 || (mustCarry && outputAs === 'batch'))
				putOut(task, [{ records: batch, count: batch.length, hasMore, ...place() }]);
			await (mustCarry ? writer?.finish() : writer?.flush());
			if (lastFile !== undefined) lastFile.hasMore = hasMore;
		},
	};
}

/** The texts of these records, in their order: one group for each page that they came in. */
function textsOf(records: Records, reader: Reader): RawRecords[] {
	const pages: Array<{ text: string; places: number[] }> = [];
	for (const record of records) {
		const { text, place } = reader.originOf(record);
		if (pages.at(-1)?.text !== text) pages.push({ text, places: [] });
		pages[pages.length - 1].places.push(place);
	}
	return pages.map(({ text, places }) => pick(findRecords(text), places));
}
