import { RECORDS_QUERY, type ListEnvelope } from '../client/api';
import { readByCursor } from '../client/cursor-pages';
import { readListEnvelope } from '../client/envelope';
import { bodyWithAllDigits } from '../client/exact-json';
import { isRefusal, ServiceFailure } from '../client/failures';
import { limitsOfPage, PageSize } from '../client/page-size';
import { listRequest } from '../client/list-request';
import type { PageHooks, PageRequest } from '../client/pages';
import type { Answer, Client, RequestLimits } from '../client/request';
import type { Reader } from './settings';
import { goesDown, versionOf, type OrderField, type Version } from './version';

/** What is read, and how. */
export interface ReaderOptions {
	objectType: string;
	field: OrderField;
	/** Found out where it is undefined. */
	pageSize?: number;
	/** The size that an earlier poll began with, as it was remembered. */
	beginWith?: number | null;
	/** What may be found out; as is right for what is remembered where it is undefined. */
	sizes?: PageSize;
	/** A page ends wherever so many records, or a multiple of them, have been read. */
	boundary?: number;
	/** Sent with every page. */
	additional?: Readonly<Record<string, unknown>>;
	/** The service only estimates how many records there are. */
	ignoreTotal?: boolean;
	/** Asked before each request. */
	limits: () => RequestLimits;
}

/** Of larger pages, the state could not remember all records. */
const LARGER_SIZES = [500, 1_000];

/** Reads the records of one object type in ascending order of a date (docs/maintainers/api.md, List parameters). */
export function createReader(client: Pick<Client, 'answer'>, options: ReaderOptions): Reader {
	const { objectType, field, pageSize, boundary, additional, ignoreTotal } = options;
	const sizes =
		options.sizes ?? (pageSize === undefined ? new PageSize(LARGER_SIZES) : PageSize.of(pageSize));
	if (options.beginWith !== null && options.beginWith !== undefined)
		sizes.beginWith(options.beginWith);
	const source = { endpoint: RECORDS_QUERY.endpoint, objectType, additional };
	const versions = new WeakMap<Record<string, unknown>, Version>();
	const query = async (request: PageRequest, hooks?: PageHooks): Promise<Answer> => {
		const limits = limitsOfPage(options.limits(), hooks?.isTrial ?? false);
		const answer = await client.answer(listRequest(source, request, true), limits);
		const { data } = readListEnvelope(answer.body);
		const exact = (bodyWithAllDigits(answer) as ListEnvelope).data.items;
		const found = data.items.map((record, place) => versionOf(record, field, exact[place]));
		for (const [place, record] of data.items.entries()) versions.set(record, found[place]);
		const isDescending = goesDown(found.map(({ time }) => time));
		if (isDescending && !('page' in request)) throw new ServiceFailure('notAscending');
		return answer;
	};
	const queryList = async (request: PageRequest): Promise<ListEnvelope> =>
		readListEnvelope((await query(request)).body);
	const first = async (limit: number): Promise<ListEnvelope> =>
		await queryList({ limit, sort: field }).catch(async (error: unknown) => {
			if (pageSize === undefined && sizes.failed(limit, error, undefined)) {
				return await first(sizes.size);
			}
			const isTooLarge = error instanceof ServiceFailure && isRefusal(error);
			if (!isTooLarge || pageSize === undefined || pageSize >= limit) throw error;
			return await first(pageSize);
		});
	return {
		pages: (cursor) =>
			readByCursor(query, {
				sizes,
				boundary,
				sort: field,
				startCursor: cursor ?? undefined,
				ignoreTotal,
				now: () => performance.now(),
			}),
		first,
		firstSize: () => sizes.first,
		numbered: async (page, limit) => await queryList({ page, limit, sort: field }),
		versionOf: (record) => versions.get(record) ?? versionOf(record, field),
	};
}
