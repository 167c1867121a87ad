import { RECORDS_QUERY, type Client } from '../client/api';
import { ServiceFailure } from '../client/failures';
import { CursorReader } from '../lists/by-cursor';
import { goesDown } from '../lists/dates';
import type { List, Page } from '../lists/page';
import { FIRST_PAGE_SIZE, LARGER_PAGE_SIZES, listSizes } from '../lists/page-size';
import { versionsOf, type Version } from '../lists/version';
import type { Followed, SavedCursor } from './state';

interface ReaderOptions extends Pick<Followed, 'objectType' | 'field' | 'additional'> {
	/** Both as in `CursorPaging`. */
	pageSize?: number;
	maximum?: number;
	/** The `firstSize` of an earlier poll. */
	beginWith?: number | null;
	/** The first size and those that may be tried; without it, those whose records can be remembered. */
	sizes?: readonly [number, ...number[]];
	/** See `CursorPaging`. */
	ignoreTotal?: boolean;
	limits: List['limits'];
	signal?: AbortSignal;
}

/** Of larger pages, not all records could be remembered. */
const LARGEST_PAGE_SIZE = 1_000;
const SIZES = [
	FIRST_PAGE_SIZE,
	...LARGER_PAGE_SIZES.filter((size) => size <= LARGEST_PAGE_SIZE),
] as const;

/** How a poll reaches the service. */
export type ChangesReader = ReturnType<typeof createReader>;

/** A page with the versions of its records, in their order. */
export type VersionedPage = Page & { versions: Version[] };

/** Reads the records of one object type in ascending order of a date. What it returns throws ServiceFailure. */
export function createReader(client: Client, options: ReaderOptions) {
	const { objectType, field, pageSize, maximum, additional, ignoreTotal, beginWith } = options;
	const { limits, signal } = options;
	const [first, ...larger] = options.sizes ?? SIZES;
	const sizes = listSizes(larger, first);
	if (beginWith) Object.assign(sizes, { first: beginWith, wereTried: true });
	const list = { client, source: { ...RECORDS_QUERY, objectType, additional }, limits, signal };
	return {
		field,
		/** Pages in that order, from a saved cursor or (undefined) from the beginning, to their end. */
		async *pages(from: SavedCursor | undefined): AsyncGenerator<VersionedPage, void> {
			const start = from && { startCursor: from.cursor, pageSize: from.limit };
			const reading = { sort: field, pageSize, maximum, ignoreTotal, sizes, ...start };
			for await (const page of new CursorReader(list, reading).pages()) {
				const versions = versionsOf(page, field);
				if (goesDown(versions.map(({ time }) => time))) throw new ServiceFailure('notAscending');
				// What is only estimated shows nothing.
				yield { ...page, versions, total: ignoreTotal ? undefined : page.total };
			}
		},
		/** What further lists of this service begin with, once that was found out. */
		firstSize: (): number | null => (sizes.wereTried ? sizes.first : null),
	};
}
