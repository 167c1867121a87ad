import { readByCursor } from '../../client/cursor-pages';
import { readByNumber } from '../../client/number-pages';
import { limitsOfPage, PageSize } from '../../client/page-size';
import { ServiceFailure } from '../../client/failures';
import { listRequest, type FetchPage, type Page } from '../../client/pages';
import { InputProblem } from '../../common/errors';
import { keepFields } from '../../common/fields';
import { fileNameFrom } from '../export/file-name';
import { FileWriter, StorageProblem, type FileFacts } from '../export/file-writer';
import type { FileParameters } from '../export/parameters';
import { findRecords } from '../export/raw-records';
import { isTool, putOut, type Runner, type Task } from '../task';
import { onlyChangedAfter } from './changed-after';
import { hintingOnRecordsLeftOut, hintOnExport, hintOnManyItems, logProgress } from './hints';
import { readNewest } from './newest';
import { readListParameters, type ListParameters } from './parameters';

/** Get Many and Query: reads pages until the limit or the end, and returns records, whole pages or files. */
export const runList: Runner = async (task) => {
	const { context } = task;
	const parameters = readListParameters(task);
	const { files, fields, newest, changedAfter, outputAs, paging } = parameters;
	if (files !== undefined && isTool(context)) {
		throw new InputProblem(
			'Output As returns files, which n8n does not pass on to a model',
			'Set Output As of this tool to Items or Pages.',
		);
	}
	const keep = (records: Array<Record<string, unknown>>) =>
		records.map((record) => keepFields(record, fields));
	if (newest !== undefined) {
		putOut(task, keep(await readNewest(task, parameters, newest)));
		return;
	}
	const list = readList(task, parameters);
	const wanted = changedAfter === undefined ? list : onlyChangedAfter(list, changedAfter);
	// Records as items have no cursor that somebody could continue from.
	const pages = outputAs === 'items' ? wanted : hintingOnRecordsLeftOut(context, wanted, paging);
	if (files !== undefined) {
		await exportToFiles(task, pages, parameters, files);
		return;
	}
	for await (const { envelope } of pages) {
		envelope.data.items = keep(envelope.data.items);
		putOut(task, outputAs === 'pages' ? [envelope] : envelope.data.items);
	}
	hintOnManyItems(context, task.output.length);
};

/** The pages of one list. In cursor mode the next one is on its way while one is handled. Throws ServiceFailure. */
async function* readList(
	{ context, session }: Task,
	{ paging, files, source, limits }: ListParameters,
): AsyncGenerator<Page, void> {
	const now = (): number => performance.now();
	const fetchPage: FetchPage = async (page, isTrial, isWanted) => {
		session.throwIfCancelled();
		const request = listRequest(source, page);
		return await session.client(request, limitsOfPage(limits, isTrial), isWanted);
	};
	const { pageSize } = paging;
	const sizes = pageSize === undefined ? session.pageSize : new PageSize(pageSize, [], true);
	const boundary = files?.recordsPerFile;
	const pages =
		paging.mode === 'cursor'
			? readByCursor(fetchPage, { ...paging, sizes, boundary, readsAhead: true, now })
			: readByNumber(fetchPage, paging);
	const note = logProgress(context, now);
	for await (const page of pages) {
		note(page);
		yield page;
	}
}

/**
 * Writes a list into files, one of them in memory at a time. When the list breaks off and the node is set to continue,
 * what was read goes into a last, shorter file first, so that the files and the error's `nextCursor` agree: continuing
 * from there gives each record once. Throws ServiceFailure as the pages do, and StorageProblem.
 */
async function exportToFiles(
	task: Task,
	pages: AsyncIterable<Page>,
	{ source, fields }: ListParameters,
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
		for await (const { envelope, text, cursor, isRepeated, nextCursor, recordsLeftOut } of pages) {
			// A cursor that leads to the same records again is no place to continue from.
			const place = { cursor, nextCursor: isRepeated ? undefined : nextCursor, recordsLeftOut };
			const count = envelope.data.items.length;
			await writer.add({ records: findRecords(text), count, ...place });
		}
		await writer.finish();
	};
	await writeAll().catch(async (error: unknown) => {
		const isCancelled = error instanceof ServiceFailure && error.kind === 'cancelled';
		const canStore = !isCancelled && !(error instanceof StorageProblem);
		// A node that stops on errors returns nothing at all: what it stored now would be a file that nobody sees.
		if (canStore && task.context.continueOnFail()) await writer.flush();
		throw error;
	});
	const stored = task.output.slice(itemsBefore);
	hintOnExport(task.context, what, stored, performance.now() - beganMs);
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
