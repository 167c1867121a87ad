import { RECORDS_QUERY, type ListEnvelope } from '../client/api';
import { readListEnvelope } from '../client/envelope';
import { bodyWithAllDigits } from '../client/exact-json';
import { limitsOfPage, PAGE_SIZES, PageSize } from '../client/page-size';
import { listRequest } from '../client/list-request';
import { readPages, type PageHooks, type PageRequest } from '../client/pages';
import type { Client, RequestLimits } from '../client/request';
import { MOST_PER_PAGE_OF_TRIGGER } from '../common/defaults';
import type { Reader } from './settings';
import { versionOf, type OrderField, type Version } from './version';

/** What is read, and how. */
export interface ReaderOptions {
	objectType: string;
	field: OrderField;
	/** Found out where it is undefined. */
	pageSize?: number;
	/** What may be found out. */
	pageSizes?: readonly number[];
	/** A page ends wherever so many records, or a multiple of them, have been read. */
	boundary?: number;
	/** Sent with every page. */
	additional?: Readonly<Record<string, unknown>>;
	/** Asked before each request. */
	limits: () => RequestLimits;
}

/** Of larger pages, the state could not remember all records. */
const PAGE_SIZES_THAT_FIT = PAGE_SIZES.filter((size) => size <= MOST_PER_PAGE_OF_TRIGGER);

/** Reads the records of one object type in ascending order of a date (docs/api.md, List parameters). */
export function createReader(client: Pick<Client, 'answer'>, options: ReaderOptions): Reader {
	const { objectType, field, pageSize, boundary, additional } = options;
	const found = new PageSize(options.pageSizes ?? PAGE_SIZES_THAT_FIT);
	const source = { endpoint: RECORDS_QUERY.endpoint, objectType, additional };
	const versions = new WeakMap<Record<string, unknown>, Version>();
	const query = async (request: PageRequest, hooks?: PageHooks): Promise<ListEnvelope> => {
		const limits = limitsOfPage(options.limits(), hooks?.isLarger ?? false);
		const answer = await client.answer(listRequest(source, request, true), limits);
		hooks?.onAnswer({ tookMs: answer.tookMs, characters: answer.text.length });
		const envelope = readListEnvelope(answer.body);
		const exact = (bodyWithAllDigits(answer) as ListEnvelope).data.items;
		for (const [place, record] of envelope.data.items.entries()) {
			versions.set(record, versionOf(record, field, exact[place]));
		}
		return envelope;
	};
	return {
		pages: (cursor) =>
			readPages(query, {
				mode: 'cursor',
				pageSize,
				found,
				boundary,
				sort: field,
				startCursor: cursor ?? undefined,
			}),
		first: async (limit) => await query({ limit, sort: field }),
		numbered: async (page, limit) => await query({ page, limit, sort: field }),
		versionOf: (record) => versions.get(record) ?? versionOf(record, field),
	};
}
