import type { ListEnvelope } from '../../client/api';
import { InputProblem } from '../../common/errors';
import { keepFields } from '../../common/fields';
import { LeftOut } from './left-out';
import { readListParameters } from './parameters';
import { readList, readNewest } from './read';
import { adviseExecuteOnce } from './read-again';
import { exportToFiles } from './run-files';
import { endpointOf, isTool, type Runner, type Task } from '../task';

/** From this many items on, n8n's memory and editor suffer, and files are the better output. */
const MANY_ITEMS = 50_000;

/** Get Many and Query: reads pages until the limit or the end, and puts out records, whole pages or files. */
export const runList: Runner = async (task) => {
	const parameters = readListParameters(task.get, task.operation, endpointOf(task));
	const { files, fields, newest } = parameters;
	adviseExecuteOnce(task, parameters);
	if (files !== undefined) {
		if (isTool(task.context)) throw noFilesForModels();
		await exportToFiles(task, parameters, files);
		return;
	}
	const itemsBefore = task.output.length;
	const keep = (records: Records): Records =>
		fields === undefined ? records : records.map((record) => keepFields(record, fields));
	if (newest !== undefined) {
		put(task, keep(await readNewest(task, parameters, newest)));
	} else {
		const isPages = parameters.outputAs === 'pages';
		const leftOut = new LeftOut(task, parameters.paging);
		for await (const page of readList(task, parameters)) {
			const { data } = page.envelope;
			// Records as items have no cursor that somebody could go on from.
			if (isPages) leftOut.look(page);
			data.items = keep(data.items);
			put(task, isPages ? [page.envelope] : data.items);
		}
	}
	if (itemsBefore <= MANY_ITEMS && task.output.length > MANY_ITEMS) adviseFiles(task);
};

type Records = ListEnvelope['data']['items'];

function put(
	{ output, itemIndex }: Task,
	values: ReadonlyArray<Record<string, unknown> | ListEnvelope>,
): void {
	const pairedItem = { item: itemIndex };
	// One push per record: spreading a page into push() overflows the stack at about 130,000 records.
	for (const value of values)
		output.push({ json: value as (typeof output)[number]['json'], pairedItem });
}

function noFilesForModels(): InputProblem {
	return new InputProblem(
		'Output As gives files, which n8n does not pass on to a model',
		'Set Output As of this tool to Items or Pages.',
	);
}

/** Said once per execution. Old versions of n8n have no such hints. */
function adviseFiles({ context }: Task): void {
	context.addExecutionHints?.({
		message: `More than ${MANY_ITEMS.toLocaleString('en-US')} items take much memory in n8n and make the editor slow. For large exports, set <b>Output As</b> to NDJSON Files or CSV Files.`,
		location: 'outputPane',
	});
}
