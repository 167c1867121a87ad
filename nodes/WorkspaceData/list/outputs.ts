import { ServiceFailure } from '../../client/failures';
import { keepFields } from '../../common/fields';
import type { Page } from '../../lists/page';
import { findRecords, pick } from '../../lists/raw-records';
import { fileNameFrom } from '../export/file-name';
import { FileWriter, StorageProblem, type FileFacts } from '../export/file-writer';
import type { FileParameters } from '../export/parameters';
import { putOut, type Task } from '../task';
import { hintOnExport, hintOnManyItems, hintOnRecordsLeftOut } from './hints';
import type { ListParameters } from './parameters';

/** Where the pages of a list go. */
interface ListOutput {
	add: (page: Page) => Promise<void>;
	/** The list has been read to its end. */
	finish: () => Promise<void>;
	/** The list broke off: keeps what was read, where that is of use, and gives the error back. */
	breakOff: (error: unknown) => Promise<unknown>;
}

/** Returns the records of a list as items, as whole pages, or in files. */
export function createOutput(task: Task, parameters: ListParameters): ListOutput {
	const { outputAs, files } = parameters;
	if (files !== undefined) return filesOutput(task, parameters, files);
	return outputAs === 'pages' ? pagesOutput(task, parameters) : itemsOutput(task, parameters);
}

/** Items are there as soon as they are put out. */
const breakOff = async (error: unknown): Promise<unknown> => error;

function itemsOutput(task: Task, { fields }: ListParameters): ListOutput {
	return {
		add: async ({ envelope }) =>
			putOut(
				task,
				envelope.data.items.map((record) => keepFields(record, fields)),
			),
		finish: async () => hintOnManyItems(task.context, task.output.length),
		breakOff,
	};
}

function pagesOutput(task: Task, { fields, paging }: ListParameters): ListOutput {
	const leftOut = hintOnRecordsLeftOut(task.context, paging);
	return {
		add: async (page) => {
			leftOut(page);
			const { data } = page.envelope;
			// Of a stretch of time, many pages hold nothing.
			if (data.items.length === 0 && page.number > 1 && 'range' in paging && paging.range) return;
			data.items = data.items.map((record) => keepFields(record, fields));
			putOut(task, [page.envelope]);
		},
		finish: async () => undefined,
		breakOff,
	};
}

/**
 * Writes a list into files, one of them in memory at a time. When the list breaks off and the node is set to continue,
 * what was read goes into a last, shorter file first, so that the files and the error's `nextCursor` agree: continuing
 * from there gives each record once. Throws StorageProblem.
 */
function filesOutput(task: Task, parameters: ListParameters, files: FileParameters): ListOutput {
	const { context, operation, output } = task;
	const { source, fields, paging } = parameters;
	const what = source.objectType ?? operation.resource;
	const writer = new FileWriter(task, files, {
		fields,
		name: fileNameFrom(what),
		adviceFor: (facts) => afterFilesBefore(task, facts),
	});
	const leftOut = hintOnRecordsLeftOut(context, paging);
	const beganMs = performance.now();
	const itemsBefore = output.length;
	return {
		add: async (page) => {
			leftOut(page);
			await writer.add({ ...page, records: pick(findRecords(page.text), page.indexes) });
		},
		finish: async () => {
			await writer.finish();
			hintOnExport(context, what, output.slice(itemsBefore), performance.now() - beganMs);
		},
		breakOff: async (error) => {
			const isCancelled = error instanceof ServiceFailure && error.kind === 'cancelled';
			const canStore = !isCancelled && !(error instanceof StorageProblem);
			// A node that stops on errors returns nothing at all: what it stored now would be a file that nobody sees.
			if (canStore && context.continueOnFail()) await writer.flush();
			return error;
		},
	};
}

/** How to continue after the files before this one. A node that stops on errors keeps none: there is nothing to say. */
function afterFilesBefore({ context, output }: Task, { part }: FileFacts): string {
	if (!context.continueOnFail() || part === 1) return '';
	const { nextCursor, limit } = (output.at(-1)?.json ?? {}) as Partial<FileFacts>;
	if (!nextCursor) return '';
	return ` The files before it are complete. To continue after them, set the option Page Size to ${limit} and Start Cursor to:\n${nextCursor}`;
}
