import type { FetchPage, NextTurn, Page, PagingOptions } from './page';
import { readByCursor } from './pages-by-cursor';
import { readByPageNumber } from './pages-by-number';

export type {
	CursorSort,
	FetchPage,
	NextTurn,
	Page,
	PageHooks,
	PageRequest,
	PagingOptions,
} from './page';

/**
 * Reads a list page by page (docs/api.md, Paging) and proves its progress: a cursor that came before, a page number
 * that stands still, or an endless row of empty pages ends in an error, never in a loop or a list cut short.
 *
 * @param nextTurn reads one page ahead in cursor mode; without it, a page is asked for when it is wanted
 * @throws ServiceFailure with `page`, `recordsRead` and, in cursor mode, `nextCursor` to resume from
 */
export function readPages(
	fetchPage: FetchPage,
	options: PagingOptions,
	nextTurn?: NextTurn,
): AsyncGenerator<Page, void> {
	return options.mode === 'cursor'
		? readByCursor(fetchPage, options, nextTurn)
		: readByPageNumber(fetchPage, options);
}
