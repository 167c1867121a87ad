// nodes/WorkspaceData/list/: Get Many and Query read records page by page, and return items, pages or files.

import { mayLoseDigits } from '../../shared/client/exact-json';
import { isCancelled } from '../../shared/client/failures';
import { InputProblem } from '../../shared/errors/node-errors';
import { pickFields } from '../../shared/panel/record-fields';
import { now } from '../../shared/session/session';
import { CursorReader } from '../../shared/lists/by-cursor';
import { readByNumber } from '../../shared/lists/by-number';
import { readNewest } from '../../shared/lists/newest';
import { recordsOf, type List, type Page } from '../../shared/lists/page';
import { pick } from '../../shared/client/raw-records';
import { fileNameFrom } from '../export/file-name';
import { FileWriter } from '../export/file-writer';
import { isTool, putOut, type Runner, type Task } from '../task';
import {
	hintOnBreakOff,
	hintOnDates,
	hintOnLongNumbers,
	hintOnNothingFound,
	logProgress,
	recordsIn,
	warnOfMissing,
} from './list-hints';
import { readListParameters, type ListParameters } from './list-parameters';

/** Reads pages until the limit or the end of the list, and returns records, pages or files. */
export const runList: Runner = async (task) => {
	const { nodeRun, context } = task;
	const parameters = readListParameters(task);
	if (parameters.files !== undefined && isTool(context)) {
		throw new InputProblem(
			"'Output As' returns files, which n8n does not pass to a model",
			"Set 'Output As' of this tool to Items or Pages.",
		);
	}
	const { files, fields, outputAs, source } = parameters;
	const name = fileNameFrom(source.objectType ?? task.operation.resource);
	const writer = files && new FileWriter(task, files, { fields, name });
	const reportProgress = logProgress(context, now);
	let recordsReturned = 0;
	let last: Page | undefined;
	try {
		for await (const page of await pagesOf(task, parameters)) {
			reportProgress(page);
			warnOfMissing(task, page);
			nodeRun.missing.lookAt(page.envelope.data.items, fields);
			if (writer === undefined) addPage(task, page, parameters);
			else await writer.add({ ...page, records: pick(recordsOf(page), page.indexes) });
			recordsReturned += page.indexes.length;
			last = page;
		}
		await writer?.finish();
	} catch (error) {
		// Store the unfinished file, because the error's `nextCursor` continues after the last record of this file. If
		// the node stops on errors, n8n would discard the file.
		if (!isCancelled(error) && context.continueOnFail()) await writer?.flush();
		const records = outputAs === 'pages' ? recordsReturned : recordsIn(task.output);
		throw hintOnBreakOff(task, error, records);
	}
	hintOnDates(task, parameters);
	if (last !== undefined && recordsReturned === 0) hintOnNothingFound(task, parameters, last);
};

async function pagesOf(
	{ nodeRun, session }: Task,
	{ newest, paging, files, source, limits }: ListParameters,
): Promise<AsyncIterable<Page> | Page[]> {
	const list: List = {
		client: session.client,
		source,
		limits: () => limits,
		signal: nodeRun.signal,
	};
	if (newest !== undefined) return await readNewest(list, newest);
	if (paging.mode === 'page') return readByNumber(list, paging);
	const maxPerPage = files?.recordsPerFile;
	return new CursorReader(list, { ...paging, maxPerPage, readsAhead: true }).pages();
}

/** Adds a page to the output: one item per record, or one item for the page. */
function addPage(task: Task, page: Page, { outputAs, fields }: ListParameters): void {
	const { envelope, text, number, filtered } = page;
	const items = envelope.data.items.map((record) => pickFields(record, fields));
	if (mayLoseDigits(text)) hintOnLongNumbers(task.nodeRun, items);
	if (outputAs === 'items') return putOut(task, items);
	// Skip empty pages: a date filter can leave thousands of them.
	if (items.length === 0 && number > 1 && filtered > 0) return;
	putOut(task, [{ ...envelope, data: { ...envelope.data, items } }]);
}
