import type { ApiRequest, ListEnvelope } from '../../client/api';
import { readListEnvelope } from '../../client/envelope';
import { readPages, type FetchPage, type Page, type PageRequest } from '../../client/pages';
import { limitsOfPage } from '../../client/page-size';
import { Turns } from '../../client/turns';
import type { ListParameters } from './parameters';
import { tellOfSmallPages } from './small-pages';
import { endpointOf, type Task } from '../task';

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
	const { client, pageSize: found, throwIfCancelled } = task.session;
	const turns = new Turns();
	// Whoever keeps pages must not keep their texts as well.
	const texts = new WeakMap<ListEnvelope, string>();
	const fetchPage: FetchPage = async (page, { isWanted, isLarger, onAnswer }) => {
		throwIfCancelled();
		const request = listRequest(task, objectType, page);
		const answer = await client.answer(request, limitsOfPage(limits, isLarger), { isWanted });
		const { body, text, tookMs } = answer;
		onAnswer({ tookMs, characters: text.length });
		const envelope = readListEnvelope(body);
		texts.set(envelope, text);
		return envelope;
	};
	try {
		const options = { ...paging, found, boundary: files?.recordsPerFile };
		for await (const page of readPages(fetchPage, options, async () => await turns.next())) {
			yield { ...page, text: texts.get(page.envelope) ?? '' };
			if (page.nextCursor === undefined && paging.pageSize === undefined) {
				tellOfSmallPages(task, page.number);
			}
		}
	} finally {
		turns.close();
	}
}

/**
 * The request for one page of a list. Lists take their parameters in the address, Query in its body (docs/api.md,
 * List parameters).
 *
 * @param objectType sent where the user chooses it
 */
function listRequest(task: Task, objectType: string | undefined, page: PageRequest): ApiRequest {
	const { method, path } = endpointOf(task);
	const risk = task.operation.repeat;
	if (method === 'GET') return { method, path, query: { ...page }, risk };
	const body: Record<string, unknown> = { object_type: objectType, ...page };
	// In cursor mode the sort is a date and needs its namespace and direction; in page mode it is the user's own.
	if ('sort' in page && !('page' in page)) body.sort = `standard:${page.sort}:asc`;
	return { method, path, body, risk };
}
