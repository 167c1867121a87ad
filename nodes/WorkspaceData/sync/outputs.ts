import type { INodeExecutionData } from 'n8n-workflow';

import type { Reader } from '../../changes/reader';
import type { State } from '../../changes/state';
import { keepFields } from '../../common/fields';
import { timedFileName } from '../export/file-name';
import { FileWriter } from '../export/file-writer';
import { findRecords, type RawRecords } from '../export/raw-records';
import type { Task } from '../task';
import type { SyncParameters } from './parameters';

type Records = Array<Record<string, unknown>>;

/** Where the changes of one run go. */
export interface Output {
	/** How many records the next stretch may have, so that whatever is full ends with a stretch. */
	room: () => number;
	/** Takes a stretch of records with the state after it. */
	add: (records: Records, state: State) => Promise<void>;
	/**
	 * The run has come to its end.
	 *
	 * @param hasMore whether more changes may wait for the next run
	 * @param mustCarry whether the state is to be put out although there were no records
	 */
	finish: (hasMore: boolean, mustCarry: boolean) => Promise<void>;
}

/** What the user chose; with a given checkpoint, each batch and file carries the new one. */
export function createOutput(task: Task, parameters: SyncParameters, reader: Reader): Output {
	const { outputAs, files, fields, objectType, progress } = parameters;
	let current: State | undefined;
	const place = (): { checkpoint?: string } =>
		progress === 'given' ? { checkpoint: JSON.stringify(current) } : {};
	if (files === undefined) {
		const batch: Records = [];
		return {
			room: () => Infinity,
			add: async (records, state) => {
				current = state;
				for (const record of records) {
					const kept = keepFields(record, fields);
					if (outputAs === 'batch') batch.push(kept);
					else put(task, kept);
				}
			},
			finish: async (hasMore, mustCarry) => {
				if (batch.length === 0 && !mustCarry) return;
				put(task, { records: batch, count: batch.length, hasMore, ...place() });
			},
		};
	}
	let last: INodeExecutionData['json'] | undefined;
	const writer = new FileWriter(task, files, {
		fields,
		name: timedFileName(objectType, new Date()),
		jsonOf: ({ fileName, part, records, bytes }) =>
			(last = { fileName, part, records, bytes, hasMore: true, ...place() }),
	});
	return {
		room: () => writer.room,
		add: async (added, state) => {
			current = state;
			for (const records of textsOf(added, reader)) {
				await writer.add({ records, count: records.starts.length });
			}
		},
		finish: async (hasMore, mustCarry) => {
			await (mustCarry ? writer.finish() : writer.flush());
			if (last !== undefined) last.hasMore = hasMore;
		},
	};
}

function put({ output, itemIndex }: Task, json: object): void {
	output.push({ json: json as INodeExecutionData['json'], pairedItem: { item: itemIndex } });
}

/**
 * The texts of these records, in their order: one group for each page that they came in. A stretch of changes may have
 * records of many pages, and most pages may have none that is new.
 */
function textsOf(records: Records, reader: Reader): RawRecords[] {
	const groups: RawRecords[] = [];
	let page: RawRecords | undefined;
	for (const record of records) {
		const { text, place } = reader.originOf(record);
		if (page?.text !== text) {
			page = findRecords(text);
			groups.push({ text, starts: [], ends: [] });
		}
		const group = groups[groups.length - 1];
		group.starts.push(page.starts[place]);
		group.ends.push(page.ends[place]);
	}
	return groups;
}
