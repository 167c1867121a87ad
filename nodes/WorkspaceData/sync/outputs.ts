import type { INodeExecutionData } from 'n8n-workflow';

import type { State } from '../../changes/state';
import { keepFields } from '../../common/fields';
import { timedFileName } from '../export/file-name';
import { FileWriter } from '../export/file-writer';
import type { FileParameters } from '../export/parameters';
import type { Task } from '../task';
import { checkpointOf } from './checkpoint';
import type { SyncParameters } from './parameters';
import type { RecordTexts } from './texts';

type Records = ReadonlyArray<Record<string, unknown>>;

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
	 * @param state the state to carry on although there were no records; undefined where nothing is to be put out then
	 */
	finish: (hasMore: boolean, state?: State) => Promise<void>;
}

/** What the user chose; with a given checkpoint, each batch and file carries the new one. */
export function createOutput(task: Task, parameters: SyncParameters, texts: RecordTexts): Output {
	const { outputAs, files, progress } = parameters;
	const extra = (state: State): { checkpoint?: string } =>
		progress === 'given' ? { checkpoint: checkpointOf(state) } : {};
	if (files !== undefined) return filesOutput(task, parameters, files, texts, extra);
	return outputAs === 'items'
		? itemsOutput(task, parameters)
		: batchOutput(task, parameters, extra);
}

type Extra = (state: State) => { checkpoint?: string };

function itemsOutput(task: Task, { fields }: SyncParameters): Output {
	return {
		room: () => Infinity,
		add: async (records) => {
			for (const record of records) put(task, keep(record, fields));
		},
		finish: async () => undefined,
	};
}

function batchOutput(task: Task, { fields }: SyncParameters, extra: Extra): Output {
	const batch: Array<Record<string, unknown>> = [];
	let last: State | undefined;
	return {
		room: () => Infinity,
		add: async (records, state) => {
			for (const record of records) batch.push(keep(record, fields));
			last = state;
		},
		finish: async (hasMore, otherwise) => {
			const state = batch.length > 0 ? last : otherwise;
			if (state === undefined) return;
			put(task, { records: batch, count: batch.length, hasMore, ...extra(state) });
		},
	};
}

function filesOutput(
	task: Task,
	{ fields, objectType }: SyncParameters,
	files: FileParameters,
	texts: RecordTexts,
	extra: Extra,
): Output {
	let current: State | undefined;
	let last: INodeExecutionData['json'] | undefined;
	const writer = new FileWriter(task, files, {
		fields,
		name: timedFileName(objectType, new Date()),
		jsonOf: ({ fileName, part, records, bytes }) => {
			const checkpoint = current === undefined ? {} : extra(current);
			return (last = { fileName, part, records, bytes, hasMore: true, ...checkpoint });
		},
	});
	return {
		room: () => writer.room,
		add: async (added, state) => {
			current = state;
			for (const records of texts.of(added)) {
				await writer.add({ records, count: records.starts.length });
			}
		},
		finish: async (hasMore, otherwise) => {
			current ??= otherwise;
			await (otherwise === undefined ? writer.flush() : writer.finish());
			if (last !== undefined) last.hasMore = hasMore;
		},
	};
}

function put({ output, itemIndex }: Task, json: object): void {
	output.push({ json: json as INodeExecutionData['json'], pairedItem: { item: itemIndex } });
}

function keep(
	record: Record<string, unknown>,
	fields: readonly string[] | undefined,
): Record<string, unknown> {
	return fields === undefined ? record : keepFields(record, fields);
}
