import type { ListEnvelope } from '../../client/api';
import { readListEnvelope } from '../../client/envelope';
import { readPages, type FetchPage, type Page } from '../../client/pages';
import { Turns } from '../../client/turns';
import type { ListParameters } from './parameters';
import { listRequest } from './request';
import type { Task } from '../task';

/** One page of a list, with the text it was read from. */
export type PageWithText = Page & { text: string };

/**
 * Reads the pages of one list for an input item; in cursor mode the next page is on its way while one is handled.
 *
 * @throws ServiceFailure as `readPages` does
 */
export async function* readList(
	task: Task,
	{ objectType, limits, paging, files }: ListParameters,
): AsyncGenerator<PageWithText, void> {
	const { client, throwIfCancelled } = task.session;
	const turns = new Turns();
	// Whoever keeps pages must not keep their texts as well.
	const texts = new WeakMap<ListEnvelope, string>();
	const fetchPage: FetchPage = async (page, isWanted) => {
		throwIfCancelled();
		const request = listRequest(task, objectType, page);
		const { body, text } = await client.answer(request, limits, { isWanted });
		const envelope = readListEnvelope(body);
		texts.set(envelope, text);
		return envelope;
	};
	try {
		const options = { ...paging, boundary: files?.recordsPerFile };
		for await (const page of readPages(fetchPage, options, async () => await turns.next())) {
			yield { ...page, text: texts.get(page.envelope) ?? '' };
		}
	} finally {
		turns.close();
	}
}
