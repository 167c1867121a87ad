import type { ListEnvelope } from '../../../nodes/client/api.ts';
import { readByCursor } from '../../../nodes/client/cursor-pages.ts';
import type { CursorReading } from '../../../nodes/client/page-fetcher.ts';
import { readByNumber } from '../../../nodes/client/number-pages.ts';
import { PageSize } from '../../../nodes/client/page-size.ts';
import type {
	CursorPaging,
	FetchPage,
	NumberPaging,
	Page,
	PageHooks,
	PageRequest,
} from '../../../nodes/client/pages.ts';

/** A service in a test: gives the envelope of each page. */
export type ServePage = (request: PageRequest, hooks: PageHooks) => Promise<ListEnvelope>;

/** How a list is read in a test; what is not given is as in a node, with a clock that stands still. */
export type ReadOptions =
	| (CursorPaging & Partial<Pick<CursorReading, 'sizes' | 'boundary' | 'readsAhead' | 'now'>>)
	| NumberPaging;

/** Reads a list of a service that a test has made up. */
export function readPages(serve: ServePage, options: ReadOptions): AsyncGenerator<Page, void> {
	const fetchPage: FetchPage = async (request, hooks) => {
		const body = await serve(request, hooks);
		return { body, text: JSON.stringify(body), tookMs: 1 };
	};
	if (options.mode === 'page') return readByNumber(fetchPage, options);
	const { pageSize, sizes, now = () => 0, ...reading } = options;
	const found = pageSize === undefined ? new PageSize() : PageSize.of(pageSize);
	return readByCursor(fetchPage, { ...reading, sizes: sizes ?? found, now });
}
