import { ServiceFailure } from '../../client/failures';
import { InputProblem } from '../../common/errors';
import { keepFields } from '../../common/choices';
import { CursorReader } from '../../lists/by-cursor';
import { readByNumber } from '../../lists/by-number';
import type { List, Page } from '../../lists/page';
import { findRecords, pick } from '../../lists/raw-records';
import { fileNameFrom } from '../export/file-name';
import { FileWriter, StorageProblem, type FileFacts } from '../export/file-writer';
import type { FileParameters } from '../export/parameters';
import { MissingFields } from '../missing-fields';
import { isTool, putOut, type Runner, type Task } from '../task';
import { hintOnExport, hintOnManyItems, hintOnRecordsLeftOut, logProgress } from './hints';
import { readNewest } from './newest';
import { readListParameters, type ListParameters } from './parameters';

const now = (): number => performance.now();

/** Get Many and Query: reads pages until the limit or the end, and returns records, whole pages or files. */
export const runList: Runner = async (task) => {
	const { context } = task;
	const parameters = readListParameters(task);
	if (parameters.files !== undefined && isTool(context)) {
		throw new InputProblem(
			"'Output As' returns files, which n8n does not pass on to a model",
			"Set 'Output As' of this tool to Items or Pages.",
		);
	}
	const output = createOutput(task, parameters);
	const note = logProgress(context, now);
	const leftOut = hintOnRecordsLeftOut(context, parameters);
	const missing = new MissingFields(parameters.fields);
	try {
		for await (const page of await pagesOf(task, parameters)) {
			note(page);
			leftOut(page);
			missing.lookAt(page.envelope.data.items);
			await output.add(page);
		}
		await output.finish?.();
	} catch (error) {
		throw (await output.breakOff?.(error)) ?? error;
	}
	missing.hint(context);
};

/** The pages of one list. By cursor, the next one is on its way while one is handled. Throws ServiceFailure. */
async function pagesOf(
	{ session }: Task,
	{ newest, paging, files, source, limits }: ListParameters,
): Promise<AsyncIterable<Page> | Page[]> {
	const list: List = {
		client: session.client,
		source,
		limits: () => {
			session.throwIfCancelled();
			return limits;
		},
	};
	if (newest !== undefined) return await readNewest(list, newest);
	if (paging.mode === 'page') return readByNumber(list, paging);
	const mostPerPage = files?.recordsPerFile;
	const more = { sizes: session.sizes, mostPerPage, readsAhead: true, now };
	return new CursorReader(list, { ...paging, ...more }).pages();
}

/** Where the pages of a list go. */
interface ListOutput {
	add: (page: Page) => Promise<void> | void;
	/** The list has been read to its end. */
	finish?: () => Promise<void> | void;
	/** The list broke off: keeps what was read, where that is of use, and gives the error back. */
	breakOff?: (error: unknown) => Promise<unknown>;
}

function createOutput(task: Task, parameters: ListParameters): ListOutput {
	const { outputAs, files, fields, paging } = parameters;
	if (files !== undefined) return filesOutput(task, parameters, files);
	const kept = ({ envelope }: Page) =>
		envelope.data.items.map((record) => keepFields(record, fields));
	if (outputAs === 'items') {
		return {
			add: (page) => putOut(task, kept(page)),
			finish: () => hintOnManyItems(task.context, task.output.length),
		};
	}
	return {
		add: (page) => {
			const items = kept(page);
			// Of a stretch of time, many pages hold nothing.
			if (items.length === 0 && page.number > 1 && 'range' in paging && paging.range) return;
			page.envelope.data.items = items;
			putOut(task, [page.envelope]);
		},
	};
}

/**
 * Writes a list into files, one of them in memory at a time. When the list breaks off and the node is set to continue,
 * what was read goes into a last, shorter file first, so that the files and the error's `nextCursor` agree: continuing
 * from there gives each record once. Throws StorageProblem.
 */
function filesOutput(task: Task, parameters: ListParameters, files: FileParameters): ListOutput {
	const { context, operation, output } = task;
	const { source, fields } = parameters;
	const what = source.objectType ?? operation.resource;
	const adviceFor = (facts: FileFacts): string => afterFilesBefore(task, facts);
	const writer = new FileWriter(task, files, { fields, name: fileNameFrom(what), adviceFor });
	const beganMs = now();
	const itemsBefore = output.length;
	return {
		add: async (page) =>
			await writer.add({ ...page, records: pick(findRecords(page.text), page.indexes) }),
		finish: async () => {
			await writer.finish();
			hintOnExport(context, what, output.slice(itemsBefore), now() - beganMs);
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
	return ` The files before it are complete. To continue after them, set the option 'Page Size' to ${limit} and 'Start Cursor' to:\n${nextCursor}`;
}
