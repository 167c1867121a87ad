import type { ListEnvelope } from '../../client/api';
import { readListEnvelope } from '../../client/envelope';
import { bodyWithAllDigits } from '../../client/exact-json';
import { listRequest } from '../../client/list-request';
import { at } from '../../client/page';
import { limitsOfPage } from '../../client/page-size';
import { readPages, type FetchPage, type Page, type PageRequest } from '../../client/pages';
import { nextCursorIn } from '../../client/next-cursor';
import type { Answer, AnswerHooks } from '../../client/request';
import { Turns } from '../../client/turns';
import { versionOf } from '../../changes/version';
import { canonicalJson } from '../../common/canonical-json';
import type { ListParameters } from './parameters';
import { tellOfSmallPages } from './small-pages';
import { readNewestFirst, type NewestOptions, type Row } from './newest';
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
	parameters: ListParameters,
): AsyncGenerator<PageWithText, void> {
	const { paging, files } = parameters;
	const turns = new Turns();
	// Whoever keeps pages must not keep their texts as well.
	const texts = new WeakMap<ListEnvelope, string>();
	const fetchPage: FetchPage = async (page, { onAnswer, onNextCursor, ...hooks }) => {
		const onText: AnswerHooks['onText'] = async ({ outline, ...size }) => {
			const next = nextCursorIn(outline);
			if (next !== undefined) await onNextCursor?.(next, size);
		};
		const { body, text, tookMs } = await ask(task, parameters, page, { ...hooks, onText });
		onAnswer({ tookMs, characters: text.length });
		const envelope = readListEnvelope(body);
		texts.set(envelope, text);
		return envelope;
	};
	try {
		const found = task.session.pageSize;
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
 * Reads the newest records of a list, newest first.
 *
 * @throws ServiceFailure as `readNewestFirst` does
 */
export async function readNewest(
	task: Task,
	parameters: ListParameters,
	options: NewestOptions,
): Promise<Array<Record<string, unknown>>> {
	const { sort } = options;
	const rows = new WeakMap<ListEnvelope, Row[]>();
	const fetchPage = async (page: PageRequest): Promise<ListEnvelope> => {
		const answer = await ask(task, parameters, page, { sortsByDate: true });
		const envelope = readListEnvelope(answer.body);
		const exact = (bodyWithAllDigits(answer) as ListEnvelope).data.items;
		rows.set(
			envelope,
			envelope.data.items.map((record, place) => rowOf(record, exact[place], sort)),
		);
		return envelope;
	};
	const list = {
		first: async (limit: number) => await fetchPage({ sort, limit }),
		numbered: async (page: number, limit: number) =>
			await at({ page, recordsRead: 0 }, fetchPage({ page, limit, sort })),
		rowsOf: (envelope: ListEnvelope) => rows.get(envelope) ?? [],
	};
	return await readNewestFirst(list, options);
}

/** @param exact the record with all digits of its numbers: two ids may differ in the last ones only */
function rowOf(
	record: Record<string, unknown>,
	exact: Record<string, unknown>,
	sort: NewestOptions['sort'],
): Row {
	const { digest, time } = versionOf(record, sort, exact);
	const { id } = exact;
	return { record, digest, time, id: id === undefined || id === null ? digest : canonicalJson(id) };
}

async function ask(
	{ session }: Task,
	{ source, limits }: ListParameters,
	page: PageRequest,
	{
		isWanted = () => true,
		onText,
		isLarger = false,
		sortsByDate,
	}: Partial<AnswerHooks> & { isLarger?: boolean; sortsByDate?: boolean },
): Promise<Answer> {
	session.throwIfCancelled();
	const request = listRequest(source, page, sortsByDate);
	return await session.client.answer(request, limitsOfPage(limits, isLarger), { isWanted, onText });
}
