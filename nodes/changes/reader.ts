import { RECORDS_QUERY, type ListEnvelope } from '../client/api';
import { readByCursor } from '../client/cursor-pages';
import { readListEnvelope } from '../client/envelope';
import { bodyWithAllDigits } from '../client/exact-json';
import { ServiceFailure } from '../client/failures';
import { FIRST_PAGE_SIZE, limitsOfPage, PageSize } from '../client/page-size';
import { listRequest, type FetchPage, type Page } from '../client/pages';
import type { Client, RequestLimits } from '../client/request';
import { goesDown } from '../common/dates';
import { versionOf, type Version } from '../common/version';
import type { Shortcut, Start } from './state';

/** What is read, and how. */
interface ReaderOptions extends Pick<Start, 'objectType' | 'field' | 'additional'> {
	/** Found out where it is undefined. */
	pageSize?: number;
	/** The size that an earlier poll began with, as it was remembered. */
	beginWith?: number | null;
	/** The first size and those that may be found out; as is right for what is remembered where it is undefined. */
	sizes?: readonly [number, ...number[]];
	/** The service only estimates how many records there are. */
	ignoreTotal?: boolean;
	/** Asked before each request. */
	limits: () => RequestLimits;
}

/** Of larger pages, not all records could be remembered. */
const SIZES = [FIRST_PAGE_SIZE, 500, 1_000] as const;

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
	const { objectType, field, pageSize, additional, ignoreTotal, beginWith } = options;
	const [size, ...larger] = pageSize === undefined ? (options.sizes ?? SIZES) : [pageSize];
	const sizes = new PageSize(size, larger, pageSize !== undefined);
	if (beginWith) sizes.beginWith(beginWith);
	const source = { endpoint: RECORDS_QUERY.endpoint, objectType, additional };
	const origins = new WeakMap<object, Origin>();
	const query: FetchPage = async (request, isTrial) => {
		const limits = limitsOfPage(options.limits(), isTrial);
		const answer = await client(listRequest(source, request, true), limits);
		const { items } = readListEnvelope(answer.body).data;
		const exact = (bodyWithAllDigits(answer) as ListEnvelope).data.items;
		const times = items.map((record, place) => {
			const version = versionOf(record, field, exact[place]);
			origins.set(record, { version, text: answer.text, place });
			return version.time;
		});
		if (goesDown(times)) throw new ServiceFailure('notAscending');
		return answer;
	};
	return {
		/** The date that the list is in the order of. */
		field,
		/** Pages in that order, from a shortcut or (undefined) from the beginning, until the proven end. */
		pages: (from: Shortcut | undefined): AsyncGenerator<Page, void> =>
			readByCursor(query, {
				// A cursor may be good for one limit. Larger ones prove themselves after the first page.
				sizes: from === undefined ? sizes : new PageSize(from.limit, larger, true),
				shown: from && { limit: from.limit, records: from.proven },
				sort: field,
				startCursor: from?.cursor,
				ignoreTotal,
				now: () => performance.now(),
			}),
		/** The page size that the list begins with, by what this reader has found out. */
		firstSize: () => sizes.first,
		/** Of a record that this reader has given, as long as that is in memory. */
		originOf: (record: Record<string, unknown>) => origins.get(record) as Origin,
	};
}
