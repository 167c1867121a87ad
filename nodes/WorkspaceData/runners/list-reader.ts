import { readListEnvelope } from '../../shared/envelope';
import type { FetchPage, PageRequest } from '../../shared/pages';
import { ReadAhead } from '../../shared/read-ahead';
import { Turns } from '../../shared/turns';
import type { ListParameters } from '../parameters/list';
import { listRequest } from './list-request';
import type { Task } from './runner';

/** Fetches the pages of one list. */
export interface ListReader {
	/** For `readPages`. */
	fetchPage: FetchPage;
	/** The text of the page fetched last. */
	text: () => string;
	/** To be called when the list has ended, however it did. */
	stop: () => void;
}

/** Changes a request to what is sent. `recordsBefore`: how many records come first that are not handled yet. */
type Adapt = (page: PageRequest, recordsBefore: number) => PageRequest;

/** Fetches the pages of one list for an input item, one page ahead in cursor mode. */
export function createListReader(
	task: Task,
	{ objectType, limits }: ListParameters,
	{ adapt = (page) => page }: { adapt?: Adapt } = {},
): ListReader {
	const { client, throwIfCancelled } = task.session;
	const turns = new Turns();
	// The last one only: whoever keeps pages must not keep their texts as well.
	let lastText = '';
	const readAhead = new ReadAhead(
		async (page, hooks) => await client.answer(listRequest(task, objectType, page), limits, hooks),
		async () => await turns.next(),
	);
	const fetchPage: FetchPage = async (page, following) => {
		throwIfCancelled();
		const request = adapt(page, 0);
		const { body, text } = await readAhead.fetch(request, (nextCursor) => {
			const next = following?.(nextCursor, request.limit);
			return next === undefined ? undefined : adapt(next, request.limit);
		});
		lastText = text;
		return readListEnvelope(body);
	};
	return {
		fetchPage,
		text: () => lastText,
		stop: () => {
			readAhead.stop();
			turns.close();
		},
	};
}
