import type { ListEnvelope } from '../../client/api';
import { readListEnvelope } from '../../client/envelope';
import { bodyWithAllDigits } from '../../client/exact-json';
import { listRequest } from '../../client/list-request';
import { failWithPlace, type PageRequest } from '../../client/pages';
import { versionOf } from '../../changes/version';
import { canonicalJson } from '../../common/canonical-json';
import type { Task } from '../task';
import { readNewestFirst, type NewestOptions, type Row } from './newest';
import type { ListParameters } from './parameters';

/**
 * Reads the newest records of a list, newest first.
 *
 * @throws ServiceFailure as `readNewestFirst` does
 */
export async function readNewest(
	{ session }: Task,
	{ source, limits }: ListParameters,
	options: NewestOptions,
): Promise<Array<Record<string, unknown>>> {
	const { sort } = options;
	const rows = new WeakMap<ListEnvelope, Row[]>();
	const fetchPage = async (page: PageRequest): Promise<ListEnvelope> => {
		session.throwIfCancelled();
		const answer = await session.client.answer(listRequest(source, page, true), limits);
		const envelope = readListEnvelope(answer.body);
		const exact = (bodyWithAllDigits(answer) as ListEnvelope).data.items;
		rows.set(
			envelope,
			envelope.data.items.map((record, place) => rowOf(record, exact[place], sort)),
		);
		return envelope;
	};
	const list = {
		first: async (limit: number) => await fetchPage({ sort, limit }),
		numbered: async (page: number, limit: number) =>
			await fetchPage({ page, limit, sort }).catch(failWithPlace({ page, recordsRead: 0 })),
		rowsOf: (envelope: ListEnvelope) => rows.get(envelope) ?? [],
	};
	return await readNewestFirst(list, options);
}

/** @param exact the record with all digits of its numbers: two ids may differ in the last ones only */
function rowOf(
	record: Record<string, unknown>,
	exact: Record<string, unknown>,
	sort: NewestOptions['sort'],
): Row {
	const { digest, time } = versionOf(record, sort, exact);
	const { id } = exact;
	return { record, digest, time, id: id === undefined || id === null ? digest : canonicalJson(id) };
}
