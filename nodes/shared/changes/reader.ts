import type { Client } from '../client/api';
import { ServiceFailure } from '../client/failures';
import { CursorReader } from '../lists/by-cursor';
import { goesDown } from '../lists/dates';
import type { List, ListSource, Page } from '../lists/page';
import { versionsOf, type Version } from '../lists/record-identity';
import type { Followed, SavedCursor } from './checkpoint';

interface ReaderOptions extends Pick<Followed, 'objectType' | 'field' | 'additional'> {
	/** Of the kind of credential that the client sends. */
	endpoint: ListSource['endpoint'];
	/** These three as in `CursorPaging`; `maxPerPage` only for a list that is read from its beginning. */
	pageSize?: number;
	maxPerPage?: number;
	limit?: number;
	ignoreTotal?: boolean;
	limits: List['limits'];
	signal?: AbortSignal;
}

/** Larger pages would not fit into what is remembered, the records of the last page among it. */
export const MAX_PER_PAGE = 1_000;

/** How a poll reaches the service. */
export type ChangesReader = ReturnType<typeof createReader>;

/** A page with the versions of its records, in their order. */
export type VersionedPage = Page & { versions: Version[] };

/** Reads the records of one object type in ascending order of a date. What it returns throws ServiceFailure. */
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
		/** Pages in that order, from a saved cursor or (undefined) from the beginning, to their end. */
		async *pages(from: SavedCursor | undefined): AsyncGenerator<VersionedPage, void> {
			// A cursor may be valid for the page size that it came with only.
			const start = from && { startCursor: from.cursor, pageSize: from.pageSize };
			const largest = from ? MAX_PER_PAGE : Math.min(MAX_PER_PAGE, maxPerPage ?? MAX_PER_PAGE);
			const ofList = { sort: field, isFollowed: true, maxPerPage: largest };
			const reading = { ...paging, ...ofList, ...start };
			for await (const page of new CursorReader(list, reading).pages()) {
				const versions = versionsOf(page, field);
				if (goesDown(versions.map(({ time }) => time))) throw new ServiceFailure('notAscending');
				// What is only estimated shows nothing.
				yield { ...page, versions, total: paging.ignoreTotal ? undefined : page.total };
			}
		},
	};
}
