import type { ListEnvelope } from './api';
import { contextIdOf } from './envelope';
import { ServiceFailure } from './failures';
import { at, cut, type FetchPage, type NextTurn, type Page, type PagingOptions } from './page';
import { PageSize } from './page-size';
import { fetchSized, type AskForPage, type SizedPage } from './sized-page';

/** A service that answers empty pages with ever new cursors must not keep an execution alive for ever. */
const MOST_EMPTY_PAGES = 100;

/** See `readPages`. */
export async function* readByCursor(
	fetchPage: FetchPage,
	options: Extract<PagingOptions, { mode: 'cursor' }>,
	nextTurn: NextTurn | undefined,
): AsyncGenerator<Page, void> {
	const { maximum = Infinity, sort, startCursor } = options;
	const used = new Set<string>();
	let cursor = startCursor;
	let recordsRead = 0;
	let emptyPages = 0;
	let limitBefore: number | undefined;
	let last: Record<string, unknown> | undefined;
	let isWanted = true;
	const pageSize = options.pageSize ?? options.found ?? new PageSize();
	if (typeof pageSize !== 'number') pageSize.restart();
	const begin = async (): Promise<SizedPage> => {
		const from = cursor;
		const ask: AskForPage = async (limit, hooks) =>
			await fetchPage(from === undefined ? { limit, sort } : { limit, cursor: from }, {
				...hooks,
				isWanted: () => isWanted,
			});
		const most = mostAt(recordsRead, options);
		return await fetchSized(ask, pageSize, { most, limitBefore, last, sort });
	};
	let ahead: { page: Promise<SizedPage> } | undefined;
	try {
		for (let number = 1; ; number++) {
			const place = { page: number, recordsRead, nextCursor: cursor };
			const { envelope, limit } = await at(place, ahead?.page ?? begin());
			limitBefore = limit;
			const asked = cursor;
			if (asked !== undefined) used.add(asked);
			const recordsLeftOut = cut(envelope, maximum - recordsRead);
			const nextCursor = nextCursorOf(envelope, place);
			const isRepeated = nextCursor !== undefined && used.has(nextCursor);
			const items = envelope.data.items.length;
			recordsRead += items;
			last = envelope.data.items.at(-1) ?? last;
			emptyPages = items === 0 ? emptyPages + 1 : 0;
			const isEndless = emptyPages >= MOST_EMPTY_PAGES;
			const goesOn = nextCursor !== undefined && !isRepeated && !isEndless && recordsRead < maximum;
			cursor = nextCursor;
			ahead = goesOn && nextTurn !== undefined ? await begun(begin(), nextTurn) : undefined;
			yield {
				envelope,
				number,
				recordsRead,
				cursor: asked,
				nextCursor,
				isRepeated,
				recordsLeftOut,
			};
			if (goesOn) continue;
			const stop = { page: number, recordsRead, ctxId: contextIdOf(envelope) };
			// Also where no more is wanted: whoever goes on from this cursor later would read the same again and again.
			if (isRepeated) throw new ServiceFailure('repeatedCursor', stop);
			if (isEndless && nextCursor !== undefined && recordsRead < maximum) {
				throw new ServiceFailure('emptyPages', { ...stop, nextCursor });
			}
			return;
		}
	} finally {
		isWanted = false;
	}
}

/** The most records that the next page may hold. */
function mostAt(
	recordsRead: number,
	{ maximum = Infinity, boundary = Infinity }: { maximum?: number; boundary?: number },
): number {
	const untilBoundary = boundary === Infinity ? Infinity : boundary - (recordsRead % boundary);
	return Math.min(maximum - recordsRead, untilBoundary);
}

/** A request that nobody waits for yet: whoever does gets its failure, which must not end n8n's process before. */
async function begun(
	page: Promise<SizedPage>,
	nextTurn: NextTurn,
): Promise<{ page: Promise<SizedPage> }> {
	page.catch(() => undefined);
	await nextTurn();
	return { page };
}

/** The next cursor; an empty or null one counts as absent, anything that is not text is an error. */
function nextCursorOf(
	envelope: ListEnvelope,
	place: { page: number; recordsRead: number; nextCursor?: string },
): string | undefined {
	const next: unknown = envelope.meta.pagination.next_cursor;
	if (next === undefined || next === null || next === '') return undefined;
	if (typeof next === 'string') return next;
	throw new ServiceFailure('missingPagination', { ...place, ctxId: contextIdOf(envelope) });
}
