import { RECORDS_QUERY, type ListEnvelope } from '../client/api';
import { readListEnvelope } from '../client/envelope';
import { bodyWithAllDigits } from '../client/exact-json';
import { readPages, type PageRequest } from '../client/pages';
import type { Client, RequestLimits } from '../client/request';
import type { Reader } from './settings';
import { versionOf, type OrderField, type Version } from './version';

/** What is read, and how. */
export interface ReaderOptions {
	objectType: string;
	field: OrderField;
	pageSize: number;
	/** Asked before each request. */
	limits: () => RequestLimits;
}

/** Reads the records of one object type in ascending order of a date (docs/api.md, List parameters). */
export function createReader(client: Pick<Client, 'answer'>, options: ReaderOptions): Reader {
	const { objectType, field, pageSize } = options;
	const sort = `standard:${field}:asc`;
	const versions = new WeakMap<Record<string, unknown>, Version>();
	const query = async (request: PageRequest): Promise<ListEnvelope> => {
		const body: Record<string, unknown> = { object_type: objectType, ...request };
		const answer = await client.answer(
			{ ...RECORDS_QUERY.endpoint, body, risk: 'safe' },
			options.limits(),
		);
		const envelope = readListEnvelope(answer.body);
		const exact = (bodyWithAllDigits(answer) as ListEnvelope).data.items;
		for (const [place, record] of envelope.data.items.entries()) {
			versions.set(record, versionOf(record, field, exact[place]));
		}
		return envelope;
	};
	const fetchPage = async (request: PageRequest): Promise<ListEnvelope> =>
		await query('cursor' in request ? request : { ...request, sort });
	return {
		pages: (cursor) =>
			readPages(fetchPage, {
				mode: 'cursor',
				pageSize,
				sort: field,
				startCursor: cursor ?? undefined,
			}),
		first: async (limit) => await query({ limit, sort }),
		numbered: async (page, limit) => await query({ page, limit, sort }),
		versionOf: (record) => versions.get(record) ?? versionOf(record, field),
	};
}
