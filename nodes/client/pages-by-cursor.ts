import type { ListEnvelope } from './api';
import { contextIdOf } from './envelope';
import { ServiceFailure } from './failures';
import { at, cut, type FetchPage, type NextTurn, type Page, type PagingOptions } from './page';
import { PageRequests, type Place } from './page-requests';
import { PageSize } from './page-size';

/** A service that answers empty pages with ever new cursors must not keep an execution alive for ever. */
const MOST_EMPTY_PAGES = 100;

/** See `readPages`. */
export async function* readByCursor(
	fetchPage: FetchPage,
	options: Extract<PagingOptions, { mode: 'cursor' }>,
	nextTurn: NextTurn | undefined,
): AsyncGenerator<Page, void> {
	const { maximum = Infinity, boundary = Infinity, sort, startCursor } = options;
	const pageSize = options.pageSize ?? options.found ?? new PageSize();
	if (typeof pageSize !== 'number') pageSize.restart();
	const requests = new PageRequests(fetchPage, { pageSize, sort, maximum, boundary, nextTurn });
	let place: Place = { cursor: startCursor, recordsRead: 0 };
	let emptyPages = 0;
	try {
		for (let number = 1; ; number++) {
			const { cursor } = place;
			const where = { page: number, recordsRead: place.recordsRead, nextCursor: cursor };
			const { envelope, limit } = await at(where, requests.fetch(place));
			const recordsLeftOut = cut(envelope, maximum - place.recordsRead);
			const nextCursor = nextCursorOf(envelope, where);
			const isRepeated = nextCursor !== undefined && requests.wasUsed(nextCursor);
			const { items } = envelope.data;
			const recordsRead = place.recordsRead + items.length;
			emptyPages = items.length === 0 ? emptyPages + 1 : 0;
			const isEndless = emptyPages >= MOST_EMPTY_PAGES;
			const goesOn = nextCursor !== undefined && !isRepeated && !isEndless && recordsRead < maximum;
			const last = items.at(-1) ?? place.last;
			place = { cursor: nextCursor, recordsRead, limitBefore: limit, last };
			if (goesOn) await requests.sendAhead(place);
			yield { envelope, number, recordsRead, cursor, nextCursor, isRepeated, recordsLeftOut };
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
		requests.stop();
	}
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
