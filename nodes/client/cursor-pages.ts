import { contextIdOf } from './envelope';
import { ServiceFailure } from './failures';
import { PageFetcher, type CursorReading, type PlaceOfPage } from './page-fetcher';
import {
	failWithPlace,
	truncate,
	type EndsOfPage,
	type FetchedPage,
	type FetchPage,
	type Page,
} from './pages';

/** A service that answers empty pages with ever new cursors must not keep an execution alive for ever, in ms. */
const LONGEST_EMPTY_MS = 5 * 60_000;

/**
 * Reads a list page by page (docs/maintainers/how-a-list-is-read.md). Its progress is proven: a cursor that came before,
 * or five minutes of empty pages, end in an error. So is its end (docs/assumptions.md, A3): a last page that leaves
 * records out, or may do so, is read again by smaller ones. Failures say `page`, `recordsRead` and `nextCursor`.
 */
export async function* readByCursor(
	fetchPage: FetchPage,
	reading: CursorReading,
): AsyncGenerator<Page, void> {
	const { maximum = Infinity, startCursor, readsAhead, now } = reading;
	let isWanted = true;
	const pages = new PageFetcher(fetchPage, reading, () => isWanted);
	const used = new Set<string | undefined>();
	let place: PlaceOfPage = { cursor: startCursor, recordsRead: 0 };
	let ahead: Promise<FetchedPage> | undefined;
	let emptySinceMs: number | undefined;
	try {
		for (let number = 1; ; number++) {
			const at = place;
			const { cursor } = at;
			used.add(cursor);
			const { page, isIncomplete } = await (ahead ?? pages.fetch(at))
				.then(async (fetched) => await pages.proveEnd(at, fetched))
				.catch(failWithPlace({ page: number, recordsRead: at.recordsRead, nextCursor: cursor }));
			const recordsLeftOut = truncate(page, maximum - at.recordsRead);
			const { nextCursor, limit } = page;
			const { items } = page.envelope.data;
			const recordsRead = at.recordsRead + items.length;
			emptySinceMs = items.length > 0 ? undefined : (emptySinceMs ?? now());
			const isEndless = now() - (emptySinceMs ?? now()) >= LONGEST_EMPTY_MS;
			const isRepeated = nextCursor !== undefined && used.has(nextCursor);
			const goesOn = nextCursor !== undefined && !isRepeated && !isEndless && recordsRead < maximum;
			const ends: EndsOfPage | undefined =
				items.length > 0 ? [items[0], items[items.length - 1]] : at.ends;
			place = { cursor: nextCursor, recordsRead, limit, ends };
			ahead = goesOn && readsAhead ? pages.fetch(place) : undefined;
			// A failure that nobody waits for yet must not end n8n's process.
			ahead?.catch(() => undefined);
			yield { ...page, number, recordsRead, cursor, isRepeated, recordsLeftOut };
			if (goesOn) continue;
			const stop = { page: number, recordsRead, ctxId: contextIdOf(page.envelope) };
			// Also where no more is wanted: what continues from this cursor later would read the same again and again.
			if (isRepeated) throw new ServiceFailure('repeatedCursor', stop);
			if (nextCursor !== undefined && recordsRead < maximum) {
				throw new ServiceFailure('emptyPages', { ...stop, nextCursor });
			}
			if (isIncomplete) throw new ServiceFailure('incompleteList', { ...stop, total: page.total });
			return;
		}
	} finally {
		isWanted = false;
	}
}
