import { RECORDS_QUERY, type ListEnvelope } from '../client/api';
import { readByCursor } from '../client/cursor-pages';
import { readListEnvelope } from '../client/envelope';
import { bodyWithAllDigits } from '../client/exact-json';
import { ServiceFailure } from '../client/failures';
import { FIRST_PAGE_SIZE, limitsOfPage, PageSize } from '../client/page-size';
import { listRequest, type FetchPage } from '../client/pages';
import type { Client, RequestLimits } from '../client/request';
import { goesDown } from '../common/dates';
import { versionOf, type Version } from '../common/version';
import type { Reader } from './poll-types';
import type { Start } from './state';

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

/** Reads the records of one object type in ascending order of a date (docs/maintainers/api.md, List parameters). */
export function createReader(client: Client, options: ReaderOptions): Reader {
	const { objectType, field, pageSize, additional, ignoreTotal, beginWith } = options;
	const [size, ...larger] = pageSize === undefined ? (options.sizes ?? SIZES) : [pageSize];
	const sizes = new PageSize(size, larger, pageSize !== undefined);
	if (beginWith) sizes.beginWith(beginWith);
	const source = { endpoint: RECORDS_QUERY.endpoint, objectType, additional };
	const versions = new WeakMap<Record<string, unknown>, Version>();
	const query: FetchPage = async (request, isTrial) => {
		const limits = limitsOfPage(options.limits(), isTrial);
		const answer = await client(listRequest(source, request, true), limits);
		const { data } = readListEnvelope(answer.body);
		const exact = (bodyWithAllDigits(answer) as ListEnvelope).data.items;
		const found = data.items.map((record, place) => versionOf(record, field, exact[place]));
		for (const [place, record] of data.items.entries()) versions.set(record, found[place]);
		if (goesDown(found.map(({ time }) => time))) throw new ServiceFailure('notAscending');
		return answer;
	};
	return {
		field,
		pages: (from) =>
			readByCursor(query, {
				// A cursor may be good for one limit. Larger ones prove themselves after the first page.
				sizes: from === undefined ? sizes : new PageSize(from.limit, larger, true),
				shown: from && { limit: from.limit, records: from.proven },
				sort: field,
				startCursor: from?.cursor,
				ignoreTotal,
				now: () => performance.now(),
			}),
		first: async (limit) => {
			const answer = await query({ limit, sort: field });
			return readListEnvelope(answer.body).data.items;
		},
		firstSize: () => sizes.first,
		versionOf: (record) => versions.get(record) ?? versionOf(record, field),
	};
}
