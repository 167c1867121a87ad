import type { INodeExecutionData } from 'n8n-workflow';

import type { ListEnvelope } from '../../client/api';
import { readByCursor } from '../../client/cursor-pages';
import { readByNumber } from '../../client/number-pages';
import { limitsOfPage, PageSize } from '../../client/page-size';
import { listRequest, type FetchPage, type Page } from '../../client/pages';
import { InputProblem } from '../../common/errors';
import { keepFields } from '../../common/fields';
import { endpointOf, isTool, type Runner, type Task } from '../task';
import { onlyChangedAfter } from './changed-after';
import { hintOnListReadAgain, hintOnManyItems, hintOnRecordsLeftOut } from './hints';
import { readNewest } from './newest';
import { readListParameters, type ListParameters } from './parameters';
import { logProgress } from './progress';
import { exportToFiles } from './run-files';

/** Get Many and Query: reads pages until the limit or the end, and returns records, whole pages or files. */
export const runList: Runner = async (task) => {
	const { context } = task;
	const parameters = readListParameters(task.get, task.operation, {
		endpoint: endpointOf(task),
		timezone: context.getTimezone(),
	});
	const { files, fields, newest, changedAfter, paging } = parameters;
	hintOnListReadAgain(context, task.operation, parameters);
	if (files !== undefined && isTool(context)) {
		throw new InputProblem(
			'Output As returns files, which n8n does not pass on to a model',
			'Set Output As of this tool to Items or Pages.',
		);
	}
	const keep = (records: Records): Records =>
		fields === undefined ? records : records.map((record) => keepFields(record, fields));
	if (newest !== undefined) {
		pushItems(task, keep(await readNewest(task, parameters, newest)));
		return;
	}
	const list = readList(task, parameters);
	const pages = changedAfter === undefined ? list : onlyChangedAfter(list, changedAfter);
	if (files !== undefined) {
		await exportToFiles(task, pages, parameters, files);
		return;
	}
	const isPages = parameters.outputAs === 'pages';
	let firstPage: number | undefined;
	for await (const page of pages) {
		const { data } = page.envelope;
		firstPage ??= data.items.length + page.recordsLeftOut;
		// Records as items have no cursor that somebody could continue from.
		if (isPages) hintOnRecordsLeftOut(context, page, paging, firstPage);
		data.items = keep(data.items);
		pushItems(task, isPages ? [page.envelope] : data.items);
	}
	hintOnManyItems(context, task.output.length);
};

/**
 * Reads the pages of one list for an input item; in cursor mode the next page is on its way while one is handled.
 *
 * @throws ServiceFailure as `readByCursor` and `readByNumber` do
 */
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
	const note = logProgress(now, (line) => context.logger.info(`Workspace Data: ${line}`));
	for await (const page of pages) {
		note(page);
		yield page;
	}
}

type Records = ListEnvelope['data']['items'];

function pushItems(
	{ output, itemIndex }: Task,
	values: ReadonlyArray<Record<string, unknown> | ListEnvelope>,
): void {
	const pairedItem = { item: itemIndex };
	// One push per record: spreading a page into push() overflows the stack at about 130,000 records.
	for (const json of values as Array<INodeExecutionData['json']>) output.push({ json, pairedItem });
}
