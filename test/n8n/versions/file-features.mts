import { itemsOf } from '../rest.mts';
import type { ExecutionItem, RestClient } from '../rest.mts';
import {
	differenceOf,
	nodeName,
	runFeature,
	workflowOf,
	type Check,
	type Feature,
} from './feature.mts';

const orderFiles = { resource: 'order', operation: 'getAll', returnAll: true };

/** Older versions of n8n keep a file in the execution itself, unless told otherwise. */
async function textOf({ binary }: ExecutionItem, client: RestClient): Promise<string> {
	const file = binary?.data as { id?: string; data?: string } | undefined;
	const content =
		file?.id === undefined
			? Buffer.from(file?.data ?? '', 'base64')
			: Buffer.from(await (await client.readFile(file.id)).arrayBuffer());
	return content.toString();
}

const recordsPerFile: Check = (execution) => {
	const files = itemsOf(execution, nodeName);
	const records = files.map(({ json, binary }) => (binary ? Number(json.records) : 0));
	return differenceOf(records, [500, 500, 200]);
};

/** A page with one record, whose field the page before it did not have. */
function page(number: number, record: Record<string, unknown>): object {
	const next = number === 1 ? { next_cursor: 'second' } : {};
	const pagination = { page: number, page_size: 1, total: 2, ...next };
	return { success: true, data: { items: [record] }, meta: { ctx_id: 'page', pagination } };
}

/** What Output As makes other than items. */
export const fileFeatures: Feature[] = [
	runFeature(
		'NDJSON files',
		workflowOf('Files', { ...orderFiles, outputAs: 'ndjson', options: { recordsPerFile: 500 } }),
		recordsPerFile,
	),
	runFeature(
		'CSV files: a later field widens the table; Delimiter, Line End, Byte Order Mark',
		workflowOf('CSV', {
			...orderFiles,
			outputAs: 'csv',
			options: { delimiter: 'semicolon', lineEnd: 'lf', byteOrderMark: true, pageSize: 1 },
		}),
		async (execution, { client }) => {
			const files = itemsOf(execution, nodeName);
			const texts = await Promise.all(files.map((file) => textOf(file, client)));
			return differenceOf(texts, ['\uFEFFid;early;late\no1;yes;\no2;;too\n']);
		},
		(sandbox) => {
			for (const [place, record] of [
				{ id: 'o1', early: 'yes' },
				{ id: 'o2', late: 'too' },
			].entries()) {
				const body = page(place + 1, record);
				sandbox.addFault({ path: '/v2/public/orders', status: 200, body });
			}
		},
	),
];
