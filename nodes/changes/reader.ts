import { RECORDS_QUERY, type ListEnvelope, type Client } from '../client/api';
import { bodyWithAllDigits } from '../client/exact-json';
import { ServiceFailure } from '../client/failures';
import { versionOf, type Version } from '../lists/version';
import { CursorReader } from '../lists/by-cursor';
import { goesDown } from '../lists/dates';
import type { List, Page } from '../lists/page';
import { FIRST_PAGE_SIZE, LARGER_PAGE_SIZES, listSizes } from '../lists/page-size';
import type { SavedCursor, Start } from './state';

/** What is read, and how. */
interface ReaderOptions extends Pick<Start, 'objectType' | 'field' | 'additional'> {
	/** Chosen on the first page of a list where it is undefined. */
	pageSize?: number;
	/** What lists of this service begin with, as an earlier poll has found out. */
	beginWith?: number | null;
	/** The first size and those that may be tried; as is right for what is remembered where it is undefined. */
	sizes?: readonly [number, ...number[]];
	/** The service only estimates how many records there are. */
	ignoreTotal?: boolean;
	/** Asked before each request. */
	limits: List['limits'];
}

/** Of larger pages, not all records could be remembered. */
const LARGEST_PAGE_SIZE = 1_000;
const SIZES = [
	FIRST_PAGE_SIZE,
	...LARGER_PAGE_SIZES.filter((size) => size <= LARGEST_PAGE_SIZE),
] as const;

/** How a poll reaches the service. */
export type Reader = ReturnType<typeof createReader>;

/** A record as it came: the text of its page, and its place in it. */
interface Origin {
	version: Version;
	text: string;
	place: number;
}

/**
 * Reads the records of one object type in ascending order of a date (docs/maintainers/api.md, List parameters). What it
 * returns throws ServiceFailure.
 */
export function createReader(client: Client, options: ReaderOptions) {
	const { objectType, field: sort, pageSize, additional, ignoreTotal, beginWith, limits } = options;
	const [first, ...larger] = options.sizes ?? SIZES;
	const sizes = listSizes(larger, first);
	if (beginWith) Object.assign(sizes, { first: beginWith, wereTried: true });
	const source = { endpoint: RECORDS_QUERY.endpoint, objectType, additional };
	const now = (): number => performance.now();
	const origins = new WeakMap<object, Origin>();

	/** Pages in that order, from a saved cursor or (undefined) from the beginning, until the proven end. */
	async function* pages(from: SavedCursor | undefined): AsyncGenerator<Page, void> {
		const start = from && { startCursor: from.cursor, pageSize: from.limit };
		const reading = { sort, pageSize, ignoreTotal, sizes, now, ...start };
		for await (const page of new CursorReader({ client, source, limits }, reading).pages()) {
			const { envelope, text } = page;
			const exact = bodyWithAllDigits({ body: envelope, text }) as ListEnvelope;
			const times = envelope.data.items.map((record, place) => {
				const version = versionOf(record, sort, exact.data.items[place]);
				origins.set(record, { version, text, place });
				return version.time;
			});
			if (goesDown(times)) throw new ServiceFailure('notAscending');
			yield page;
		}
	}

	return {
		/** The date that the list is in the order of. */
		field: sort,
		pages,
		/** What further lists of this service begin with, once that was found out. */
		firstSize: (): number | null => (sizes.wereTried ? sizes.first : null),
		/** Of a record that this reader has given, as long as that is in memory. */
		originOf: (record: Record<string, unknown>) => origins.get(record) as Origin,
	};
}
