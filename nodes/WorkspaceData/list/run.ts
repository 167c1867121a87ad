import { InputProblem } from '../../common/errors';
import { CursorReader } from '../../lists/by-cursor';
import { readByNumber } from '../../lists/by-number';
import type { List, Page } from '../../lists/page';
import { isTool, type Runner, type Task } from '../task';
import { logProgress } from './hints';
import { readNewest } from './newest';
import { createOutput } from './outputs';
import { readListParameters, type ListParameters } from './parameters';

const now = (): number => performance.now();

/** Get Many and Query: reads pages until the limit or the end, and returns records, whole pages or files. */
export const runList: Runner = async (task) => {
	const parameters = readListParameters(task);
	if (parameters.files !== undefined && isTool(task.context)) {
		throw new InputProblem(
			'Output As returns files, which n8n does not pass on to a model',
			'Set Output As of this tool to Items or Pages.',
		);
	}
	const output = createOutput(task, parameters);
	const note = logProgress(task.context, now);
	try {
		for await (const page of await pagesOf(task, parameters)) {
			note(page);
			await output.add(page);
		}
		await output.finish();
	} catch (error) {
		throw await output.breakOff(error);
	}
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
