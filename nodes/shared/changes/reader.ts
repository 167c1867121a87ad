import type { Client } from '../client/api';
import { ServiceFailure } from '../client/failures';
import { CursorReader } from '../lists/by-cursor';
import { goesDown } from '../lists/dates';
import type { List, ListSource, Page } from '../lists/page';
import { versionsOf, type Version } from '../lists/record-identity';
import type { Followed, SavedCursor } from './checkpoint';

interface ReaderOptions extends Pick<Followed, 'objectType' | 'field' | 'additional'> {
	/** Endpoint for the credential of the client. */
	endpoint: ListSource['endpoint'];
	/** As in `CursorPaging`. `maxPerPage` is used only if the list is read from its beginning. */
	pageSize?: number;
	maxPerPage?: number;
	limit?: number;
	ignoreTotal?: boolean;
	limits: List['limits'];
	signal?: AbortSignal;
}

/** Maximum page size. All records of the last page must fit into the checkpoint. */
export const MAX_PER_PAGE = 1_000;

/** Reads the pages of a list of changes. */
export type ChangesReader = ReturnType<typeof createReader>;

/** A page with the versions of its records, in list order. */
export type VersionedPage = Page & { versions: Version[] };

/** Returns a reader for the records of one object type, in ascending order of a date field. */
export function createReader(client: Client, options: ReaderOptions) {
	const { endpoint, objectType, field, additional, limits, signal, maxPerPage, ...paging } =
		options;
	const list = {
		client,
		source: { endpoint, objectType, additional },
		limits,
		signal,
	};
	return {
		field,
		/**
		 * Yields pages from a saved cursor, or from the beginning of the list if it is undefined.
		 * @throws ServiceFailure, `notAscending` if a page is not in the order of its dates
		 */
		async *pages(from: SavedCursor | undefined): AsyncGenerator<VersionedPage, void> {
			// A cursor may be valid for its own page size only.
			const start = from && { startCursor: from.cursor, pageSize: from.pageSize };
			const largest = from ? MAX_PER_PAGE : Math.min(MAX_PER_PAGE, maxPerPage ?? MAX_PER_PAGE);
			const ofList = { sort: field, isFollowed: true, maxPerPage: largest };
			const reading = { ...paging, ...ofList, ...start };
			for await (const page of new CursorReader(list, reading).pages()) {
				const versions = versionsOf(page, field);
				if (goesDown(versions.map(({ time }) => time))) throw new ServiceFailure('notAscending');
				// Ignore Total means that the total is only estimated.
				yield { ...page, versions, total: paging.ignoreTotal ? undefined : page.total };
			}
		},
	};
}
