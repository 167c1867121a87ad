import type { INodeExecutionData } from 'n8n-workflow';

import type { ApiRequest, ListEnvelope } from '../../shared/api';
import { readListEnvelope } from '../../shared/envelope';
import { readPages, type PageRequest } from '../../shared/pages';
import { readListParameters, type ListParameters } from '../parameters/list';
import { endpointOf, type Runner, type Task } from './runner';

/** Get Many and Query: reads pages until the limit or the end, and puts out records or whole pages. */
export const runList: Runner = async (task) => {
	const parameters = readListParameters(task.get, task.operation.operation === 'query');
	const fetchPage = async (page: PageRequest): Promise<ListEnvelope> => {
		task.session.throwIfCancelled();
		const request = requestOf(task, parameters, page);
		return readListEnvelope(await task.session.client(request, parameters.limits));
	};
	const put = parameters.outputAs === 'pages' ? putPage : putRecords;
	for await (const { envelope } of readPages(fetchPage, parameters.paging)) {
		if (parameters.fields !== undefined) keepFields(envelope, parameters.fields);
		put(envelope, task.output, { item: task.itemIndex });
	}
};

/** Lists take their parameters in the address, Query in its body (spec sections 4.1 and 4.2). */
function requestOf(task: Task, { objectType }: ListParameters, page: PageRequest): ApiRequest {
	const { method, path } = endpointOf(task);
	if (method === 'GET') return { method, path, query: { ...page }, risk: 'safe' };
	const body: Record<string, unknown> = { object_type: objectType, ...page };
	// In cursor mode the sort is a date and needs its namespace and direction; in page mode it is the user's own.
	if ('sort' in page && !('page' in page)) body.sort = `standard:${page.sort}:asc`;
	return { method, path, body, risk: 'safe' };
}

type PairedItem = { item: number };

function putRecords(
	envelope: ListEnvelope,
	output: INodeExecutionData[],
	pairedItem: PairedItem,
): void {
	// One push per record: spreading a page into push() overflows the stack at about 130,000 records.
	for (const record of envelope.data.items) {
		output.push({ json: record as INodeExecutionData['json'], pairedItem });
	}
}

function putPage(
	envelope: ListEnvelope,
	output: INodeExecutionData[],
	pairedItem: PairedItem,
): void {
	output.push({ json: envelope as unknown as INodeExecutionData['json'], pairedItem });
}

/** Leaves only the named top-level fields in each record of the page. */
function keepFields(envelope: ListEnvelope, fields: readonly string[]): void {
	envelope.data.items = envelope.data.items.map((record) => {
		const kept: Record<string, unknown> = {};
		for (const field of fields) if (Object.hasOwn(record, field)) kept[field] = record[field];
		return kept;
	});
}
