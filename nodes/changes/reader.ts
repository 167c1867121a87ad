import { RECORDS_QUERY, type ListEnvelope } from '../client/api';
import { readListEnvelope } from '../client/envelope';
import { bodyWithAllDigits } from '../client/exact-json';
import { listRequest } from '../client/list-request';
import { readPages, type PageRequest } from '../client/pages';
import type { Client, RequestLimits } from '../client/request';
import type { Reader } from './settings';
import { versionOf, type OrderField, type Version } from './version';

/** What is read, and how. */
export interface ReaderOptions {
	objectType: string;
	field: OrderField;
	pageSize: number;
	/** Sent with every page. */
	additional?: Readonly<Record<string, unknown>>;
	/** Asked before each request. */
	limits: () => RequestLimits;
}

/** Reads the records of one object type in ascending order of a date (docs/api.md, List parameters). */
export function createReader(client: Pick<Client, 'answer'>, options: ReaderOptions): Reader {
	const { objectType, field, pageSize, additional } = options;
	const source = { endpoint: RECORDS_QUERY.endpoint, objectType, additional };
	const versions = new WeakMap<Record<string, unknown>, Version>();
	const query = async (request: PageRequest): Promise<ListEnvelope> => {
		const answer = await client.answer(listRequest(source, request, true), options.limits());
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
				sort: field,
				startCursor: cursor ?? undefined,
			}),
		first: async (limit) => await query({ limit, sort: field }),
		numbered: async (page, limit) => await query({ page, limit, sort: field }),
		versionOf: (record) => versions.get(record) ?? versionOf(record, field),
	};
}
