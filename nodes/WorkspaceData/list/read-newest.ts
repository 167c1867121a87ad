import { readListEnvelope } from '../../client/envelope';
import { bodyWithAllDigits, canonicalJson } from '../../client/exact-json';
import { failWithPlace, listRequest, type PageRequest } from '../../client/pages';
import { versionOf } from '../../common/version';
import type { Task } from '../task';
import { readNewestFirst, type DatedList, type DatedPage, type NewestOptions } from './newest';
import type { ListParameters } from './parameters';

/**
 * Reads the newest records of a list, newest first.
 *
 * @throws ServiceFailure as `readNewestFirst` does
 */
export async function readNewest(
	{ session }: Task,
	{ source, limits, paging }: ListParameters,
	options: NewestOptions,
): Promise<Array<Record<string, unknown>>> {
	const { sort } = options;
	const fetchPage = async (page: PageRequest): Promise<DatedPage> => {
		session.throwIfCancelled();
		const { body, text } = await session.client(listRequest(source, page, true), limits);
		const envelope = readListEnvelope(body);
		// Two ids may differ in the last digits only.
		const exact = readListEnvelope(bodyWithAllDigits({ body, text })).data.items;
		const rows = envelope.data.items.map((record, place) => {
			const version = versionOf(record, sort, exact[place]);
			const { id } = exact[place];
			const isNamed = id !== undefined && id !== null;
			return { ...version, record, id: isNamed ? canonicalJson(id) : version.digest };
		});
		return { envelope, rows };
	};
	const list: DatedList = {
		first: async (limit) =>
			await fetchPage({ sort, limit }).catch(async (error: unknown) => {
				const isChosen = paging.pageSize !== undefined;
				if (isChosen || !session.pageSize.failed(limit, error, undefined)) throw error;
				return await list.first(session.pageSize.size);
			}),
		numbered: async (page, limit) =>
			await fetchPage({ page, limit, sort }).catch(failWithPlace({ page, recordsRead: 0 })),
	};
	return await readNewestFirst(list, options);
}
