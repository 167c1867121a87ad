import type { INodeExecutionData } from 'n8n-workflow';

import type { ListEnvelope } from '../../client/api';
import { keepFields } from '../../common/fields';
import { readListParameters } from './parameters';
import { exportToFiles } from './run-files';
import { LeftOut } from './left-out';
import { readList } from './read';
import type { Runner, Task } from '../task';

/** From this many items on, n8n's memory and editor suffer, and files are the better output. */
const MANY_ITEMS = 50_000;

/** Get Many and Query: reads pages until the limit or the end, and puts out records, whole pages or files. */
export const runList: Runner = async (task) => {
	const parameters = readListParameters(task.get, task.operation);
	const { files, fields } = parameters;
	if (files !== undefined) {
		await exportToFiles(task, parameters, files);
		return;
	}
	const isPages = parameters.outputAs === 'pages';
	const put = isPages ? putPage : putRecords;
	const leftOut = new LeftOut(task, parameters.paging);
	const itemsBefore = task.output.length;
	for await (const page of readList(task, parameters)) {
		const { envelope } = page;
		// Records as items have no cursor that somebody could go on from.
		if (isPages) leftOut.look(page);
		if (fields !== undefined) {
			const { data } = envelope;
			data.items = data.items.map((record) => keepFields(record, fields));
		}
		put(envelope, task.output, { item: task.itemIndex });
	}
	if (itemsBefore <= MANY_ITEMS && task.output.length > MANY_ITEMS) adviseFiles(task);
};

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

/** Said once per execution. Old versions of n8n have no such hints. */
function adviseFiles({ context }: Task): void {
	context.addExecutionHints?.({
		message: `More than ${MANY_ITEMS.toLocaleString('en-US')} items take much memory in n8n and make the editor slow. For large exports, set <b>Output As</b> to NDJSON Files or CSV Files.`,
		location: 'outputPane',
	});
}
