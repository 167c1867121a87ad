import type { Client } from '../client/api';
import { ServiceFailure } from '../client/failures';
import { CursorReader } from '../lists/by-cursor';
import { goesDown } from '../lists/dates';
import type { List, ListSource, Page } from '../lists/page';
import { versionsOf, type Version } from '../lists/record-identity';
import type { FollowedList, SavedCursor } from './checkpoint';

interface ReaderOptions extends Pick<FollowedList, 'objectType' | 'field' | 'additional'> {
	/** Endpoint of the list, for the API version of the client's credential. */
	endpoint: ListSource['endpoint'];
	/**
	 * `pageSize`, `maxPerPage`, `limit` and `ignoreTotal` have the same meaning as in `CursorSettings`. `maxPerPage` is
	 * used only if the list is read from its beginning.
	 */
	pageSize?: number;
	maxPerPage?: number;
	limit?: number;
	ignoreTotal?: boolean;
	limits: List['limits'];
	signal?: AbortSignal;
}

/** Maximum page size. It is limited because the checkpoint stores a digest for every record on the last page. */
export const MAX_PER_PAGE = 1_000;

/** Reads the pages of a list for the trigger or Sync. */
export type ChangesReader = ReturnType<typeof createReader>;

/** A page with the digest and the date of each of its records, in list order. */
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
		/** Yields pages, starting at a saved cursor, or at the beginning of the list if `from` is undefined. */
		async *pages(from: SavedCursor | undefined): AsyncGenerator<VersionedPage, void> {
			// Use the page size saved with the cursor, because the cursor may be valid only for this size.
			const start = from && { startCursor: from.cursor, pageSize: from.pageSize };
			const largest = from ? MAX_PER_PAGE : Math.min(MAX_PER_PAGE, maxPerPage ?? MAX_PER_PAGE);
			const ofList = { sort: field, isFollowed: true, maxPerPage: largest };
			const reading = { ...paging, ...ofList, ...start };
			for await (const page of new CursorReader(list, reading).pages()) {
				const versions = versionsOf(page, field);
				if (goesDown(versions.map(({ time }) => time))) throw new ServiceFailure('notAscending');
				yield { ...page, versions };
			}
		},
	};
}
