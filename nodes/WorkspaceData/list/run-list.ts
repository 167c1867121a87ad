// nodes/WorkspaceData/list/: operations that read records page by page: Get Many and Query, as items, pages or files.

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

/** Get Many and Query: reads pages until the limit or the end, and returns records, pages or files. */
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
	const tellProgress = logProgress(context, now);
	let given = 0;
	let last: Page | undefined;
	try {
		for await (const page of await pagesOf(task, parameters)) {
			tellProgress(page);
			warnOfMissing(task, page);
			nodeRun.missing.lookAt(page.envelope.data.items, fields);
			if (writer === undefined) putOutPage(task, page, parameters);
			else await writer.add({ ...page, records: pick(recordsOf(page), page.indexes) });
			given += page.indexes.length;
			last = page;
		}
		await writer?.finish();
	} catch (error) {
		// A last, shorter file holds what comes before the error's `nextCursor`. A node that stops on errors returns nothing at
		// all: what it stored now would be a file that nobody sees.
		if (!isCancelled(error) && context.continueOnFail()) await writer?.flush();
		const records = outputAs === 'pages' ? given : recordsIn(task.output);
		throw hintOnBreakOff(task, error, records);
	}
	hintOnDates(task, parameters);
	if (last !== undefined && given === 0) hintOnNothingFound(task, parameters, last);
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

/** A page as items: one for each of its records, or one for all of it. */
function putOutPage(task: Task, page: Page, { outputAs, fields }: ListParameters): void {
	const { envelope, text, number, filtered } = page;
	const items = envelope.data.items.map((record) => pickFields(record, fields));
	if (mayLoseDigits(text)) hintOnLongNumbers(task.nodeRun, items);
	if (outputAs === 'items') return putOut(task, items);
	// Many pages may hold nothing that is wanted.
	if (items.length === 0 && number > 1 && filtered > 0) return;
	putOut(task, [{ ...envelope, data: { ...envelope.data, items } }]);
}
