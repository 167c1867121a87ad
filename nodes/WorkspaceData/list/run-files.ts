import { ServiceFailure } from '../../client/failures';
import type { Page } from '../../client/pages';
import { fileNameFrom } from '../export/file-name';
import { FileWriter, StorageProblem, type FileFacts } from '../export/file-writer';
import { findRecords } from '../export/raw-records';
import type { FileParameters } from '../export/parameters';
import type { ListParameters } from './parameters';
import { hintOnExport, hintOnRecordsLeftOut } from './hints';
import type { Task } from '../task';

/**
 * Writes a list into files and returns one item per file. Memory stays at one file whatever the total.
 *
 * When the list breaks off and the node is set to continue, what was read goes into a last, shorter file first, so
 * that the files and the error's `nextCursor` agree: continuing from there gives each record once.
 *
 * @throws ServiceFailure as the pages do, StorageProblem when n8n cannot store a file
 */
export async function exportToFiles(
	task: Task,
	pages: AsyncIterable<Page>,
	{ source, fields, paging }: ListParameters,
	files: FileParameters,
): Promise<void> {
	const what = source.objectType ?? task.operation.resource;
	const writer = new FileWriter(task, files, {
		fields,
		name: fileNameFrom(what),
		adviceFor: (facts) => afterFilesBefore(task, facts),
	});
	const beganMs = performance.now();
	const itemsBefore = task.output.length;
	const writeAll = async (): Promise<void> => {
		let firstPage: number | undefined;
		for await (const page of pages) {
			const { envelope, cursor, recordsLeftOut, text } = page;
			const count = envelope.data.items.length;
			firstPage ??= count + recordsLeftOut;
			// A cursor that leads to the same records again is no place to continue from.
			const nextCursor = page.isRepeated ? undefined : page.nextCursor;
			await writer.add({ records: findRecords(text), count, cursor, nextCursor, recordsLeftOut });
			hintOnRecordsLeftOut(task.context, page, paging, firstPage);
		}
		await writer.finish();
	};
	await writeAll().catch(async (error: unknown) => {
		if (keepsWhatWasRead(task, error)) await writer.flush();
		throw error;
	});
	const stored = task.output.slice(itemsBefore);
	hintOnExport(task.context, what, stored, performance.now() - beganMs);
}

/** A node that stops on errors returns nothing at all: what it stored now would be a file that nobody sees. */
function keepsWhatWasRead({ context }: Task, error: unknown): boolean {
	if (error instanceof StorageProblem) return false;
	if (error instanceof ServiceFailure && error.kind === 'cancelled') return false;
	return context.continueOnFail();
}

/** How to continue after the files before this one. A node that stops on errors keeps none: there is nothing to say. */
function afterFilesBefore({ context, output }: Task, { part, firstCursor }: FileFacts): string {
	if (!context.continueOnFail() || part === 1) return '';
	const exact = (output.at(-1)?.json as Partial<FileFacts> | undefined)?.nextCursor ?? undefined;
	const cursor = exact ?? firstCursor;
	if (cursor === null) return '';
	// A file that ends inside a page has no cursor of its own; that page's leads back to the page's beginning.
	const again = exact === undefined ? ' (some of their records come again)' : '';
	return ` The files before it are complete. To continue after them${again}, set the option Start Cursor to:\n${cursor}`;
}
