import { isCancelled } from '../../client/failures';
import { InputProblem } from '../../common/errors/node-errors';
import { keepFields } from '../../common/panel/kept-fields';
import { now } from '../../common/session/session';
import { CursorReader } from '../../lists/by-cursor';
import { readByNumber } from '../../lists/by-number';
import { readNewest } from '../../lists/newest';
import { recordsOf, type List, type Page } from '../../lists/page';
import { pick } from '../../client/raw-records';
import { fileNameFrom } from '../export/file-name';
import { FileWriter } from '../export/file-writer';
import type { FileParameters } from '../export/options';
import { isTool, putOut, type Runner, type Task } from '../task';
import {
	hintOnBreakOff,
	hintOnLongNumbers,
	hintOnManyItems,
	hintOnRecordsLeftOut,
	logProgress,
	recordsIn,
} from './hints';
import { readListParameters, type ListParameters } from './parameters';

/** Get Many and Query: reads pages until the limit or the end, and returns records, pages or files. */
export const runList: Runner = async (task) => {
	const { run, context } = task;
	const parameters = readListParameters(task);
	if (parameters.files !== undefined && isTool(context)) {
		throw new InputProblem(
			"'Output As' returns files, which n8n does not pass on to a model",
			"Set 'Output As' of this tool to Items or Pages.",
		);
	}
	const output = createListOutput(task, parameters);
	const tellProgress = logProgress(context, now);
	const itemsBefore = task.output.length;
	let given = 0;
	try {
		for await (const page of await pagesOf(task, parameters)) {
			tellProgress(page);
			// Items have no cursor to continue from anyway.
			if (parameters.outputAs !== 'items') hintOnRecordsLeftOut(run, page);
			run.missing.lookAt(page.envelope.data.items, parameters.fields);
			await output.add(page);
			given += page.indexes.length;
		}
		await output.finish?.();
	} catch (error) {
		await output.breakOff?.(error);
		const isOfPages = parameters.outputAs === 'pages';
		const records = isOfPages ? given : recordsIn(task.output.slice(itemsBefore));
		throw hintOnBreakOff(task, error, records);
	}
};

async function pagesOf(
	{ session }: Task,
	{ newest, paging, files, source, limits }: ListParameters,
): Promise<AsyncIterable<Page> | Page[]> {
	const list: List = {
		client: session.client,
		source,
		limits: () => limits,
		signal: session.signal,
	};
	if (newest !== undefined) return await readNewest(list, newest);
	if (paging.mode === 'page') return readByNumber(list, paging);
	const mostPerPage = files?.recordsPerFile;
	const known = session.knownSize(source.endpoint.path);
	const more = { known, mostPerPage, readsAhead: true };
	return new CursorReader(list, { ...paging, ...more }).pages();
}

interface ListOutput {
	add: (page: Page) => Promise<void> | void;
	finish?: () => Promise<void> | void;
	/** Keeps what was read before the list broke off, where that is of use. */
	breakOff?: (error: unknown) => Promise<void>;
}

function createListOutput(task: Task, parameters: ListParameters): ListOutput {
	const { outputAs, files, fields } = parameters;
	if (files !== undefined) return filesOutput(task, parameters, files);
	const keptOf = ({ envelope: { data } }: Page) => {
		const kept = data.items.map((one) => keepFields(one, fields));
		hintOnLongNumbers(task.run, kept);
		return kept;
	};
	if (outputAs === 'items') {
		return {
			add: (page) => putOut(task, keptOf(page)),
			finish: () => hintOnManyItems(task.run, task.output.length),
		};
	}
	return {
		add: (page) => {
			const items = keptOf(page);
			// Many pages may hold nothing that is wanted.
			if (items.length === 0 && page.number > 1 && page.filtered > 0) return;
			page.envelope.data.items = items;
			putOut(task, [page.envelope]);
		},
	};
}

/** Where the list breaks off, a last, shorter file holds what comes before the error's `nextCursor`. */
function filesOutput(task: Task, parameters: ListParameters, files: FileParameters): ListOutput {
	const { context, operation } = task;
	const { source, fields } = parameters;
	const writer = new FileWriter(task, files, {
		fields,
		name: fileNameFrom(source.objectType ?? operation.resource),
	});
	return {
		add: async (page) =>
			await writer.add({ ...page, records: pick(recordsOf(page), page.indexes) }),
		finish: async () => await writer.finish(),
		breakOff: async (error) => {
			// A node that stops on errors returns nothing at all: what it stored now would be a file that nobody sees.
			if (!isCancelled(error) && context.continueOnFail()) await writer.flush();
		},
	};
}
