import type { ListEnvelope } from '../../client/api';
import { contextIdOf, readListEnvelope } from '../../client/envelope';
import { bodyWithAllDigits } from '../../client/exact-json';
import { isRejection, ServiceFailure } from '../../client/failures';
import { isCount } from '../../client/number-pages';
import { FIRST_PAGE_SIZE } from '../../client/page-size';
import { failWithPlace, listRequest } from '../../client/pages';
import { goesDown, timeOf } from '../../common/dates';
import { versionOf, type Version } from '../../common/version';
import type { Task } from '../task';
import { isLater } from './changed-after';
import type { ListParameters, NewestOptions } from './parameters';

/** How often the last page is looked for, and how often the list is read again because it has changed meanwhile. */
const MOST_ATTEMPTS = 10;

/** A record as it was read; `digest` tells this version of it from all others. */
interface Row extends Version {
	record: Record<string, unknown>;
}

/** Gives a numbered page, or the first one by cursor. */
type FetchRows = (limit: number, page?: number) => Promise<{ envelope: ListEnvelope; rows: Row[] }>;

/**
 * The newest records of a list, newest first: exactly the reverse of its order, each record once. They are read by
 * numbered pages from the end, all over again where the list changes meanwhile.
 *
 * @throws ServiceFailure `unnumbered` when the service does not lead to them, `changedList` when they keep changing
 */
export async function readNewest(
	{ session }: Task,
	{ source, limits, changedAfter }: Pick<ListParameters, 'source' | 'limits' | 'changedAfter'>,
	{ maximum, pageSize, sort }: NewestOptions,
): Promise<Array<Record<string, unknown>>> {
	const fetchRows: FetchRows = async (limit, page) => {
		session.throwIfCancelled();
		const request = page === undefined ? { limit, sort } : { limit, sort, page };
		const { body, text } = await session.client(listRequest(source, request, true), limits);
		const envelope = readListEnvelope(body);
		// Two ids may differ in the last digits only.
		const exact = readListEnvelope(bodyWithAllDigits({ body, text })).data.items;
		const rows = envelope.data.items.map((record, place) => {
			return { ...versionOf(record, sort, exact[place], timeOf), record };
		});
		return { envelope, rows };
	};
	const fetchFirst = async (limit: number): ReturnType<FetchRows> =>
		await fetchRows(limit).catch(async (error: unknown) => {
			const isChosen = pageSize !== undefined;
			if (isChosen || !session.pageSize.failed(limit, error, undefined)) throw error;
			return await fetchFirst(session.pageSize.size);
		});
	const isWanted = ({ time }: Row): boolean => isLater(time, changedAfter?.afterMs ?? -Infinity);
	const isEnough = (found: readonly Row[]): boolean =>
		found.length >= maximum || found.slice(0, 1).some((oldest) => !isWanted(oldest));
	const size = pageSize ?? FIRST_PAGE_SIZE;
	const first = await fetchFirst(size);
	let { rows } = first;
	// A single page shows its order too: a service that gives its newest records first must not pass for another.
	if (!isWhole(first.envelope)) rows = await new Tail(fetchRows, first, size, isEnough).read();
	else if (goesDown(rows.map(({ time }) => time))) throw new ServiceFailure('notAscending');
	const wanted = rows.filter(isWanted).slice(-maximum);
	return wanted.reverse().map(({ record }) => record);
}

/** Whether a first page holds all that there is. A list that does not say how many records it has must be empty. */
function isWhole({ data, meta }: ListEnvelope): boolean {
	const { next_cursor: next, total = data.items.length === 0 ? 0 : Infinity } = meta.pagination;
	return !next && total <= data.items.length;
}

/** A numbered page; `limit` is how many records its size is, by its own numbers. */
interface TailPage {
	page: number;
	limit: number;
	total: number;
	rows: Row[];
}

/** The end of a list that may change while it is read. */
class Tail {
	private readonly fetchRows: FetchRows;
	private readonly isEnough: (found: readonly Row[]) => boolean;
	private readonly first: Row[];
	/** As the last answer said. */
	private total: number;
	/** The largest page that the service gives, as far as that is known. */
	private largest: number;

	constructor(
		fetchRows: FetchRows,
		{ envelope, rows }: Awaited<ReturnType<FetchRows>>,
		pageSize: number,
		isEnough: Tail['isEnough'],
	) {
		this.fetchRows = fetchRows;
		this.isEnough = isEnough;
		this.first = rows;
		const { total, page_size: given } = envelope.meta.pagination;
		if (!isCount(total)) throw unnumbered(envelope);
		this.total = total;
		// A service may give fewer records than it was asked for, and need not say so.
		this.largest = Math.min(pageSize, rows.length || pageSize, isCount(given) ? given : pageSize);
	}

	/** The last records in the order of the list: enough of them, or all. */
	async read(): Promise<Row[]> {
		for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
			const rows = await this.readBack();
			if (rows === undefined) continue;
			if (!this.isAfterFirst(rows)) throw unnumbered();
			return rows;
		}
		throw new ServiceFailure('changedList');
	}

	/**
	 * Reads from the last page backwards, until there are enough. Undefined where the list changes meanwhile: records may
	 * have moved past a page in any direction, so what was read may leave some out.
	 */
	private async readBack(): Promise<Row[] | undefined> {
		let current = await this.findLast();
		let found = current.rows;
		const seen = new Set<string>();
		while (!this.isEnough(found) && current.page > 1) {
			for (const { digest } of current.rows) seen.add(digest);
			const next = await this.readPage(current.page - 1, current.limit);
			this.total = next.total;
			// A record that has moved to the end is newer than those after it, or has made them move up.
			const oldest = timeOrNone(found[0]);
			const hasMoved = next.rows.some((row) => seen.has(row.digest) || timeOrNone(row) > oldest);
			if (hasMoved || next.total !== current.total) return undefined;
			if (next.limit !== current.limit || next.rows.length !== current.limit)
				throw new ServiceFailure('changedList');
			found = [...next.rows, ...found];
			current = next;
		}
		return found;
	}

	/** The last page: no page follows it. */
	private async findLast(): Promise<TailPage> {
		for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
			const limit = this.largest;
			const last = await this.readPage(Math.ceil(this.total / limit), limit);
			const { page, rows, total } = last;
			this.total = total;
			this.largest = Math.min(this.largest, last.limit);
			const isLast = rows.length > 0 && (page - 1) * limit + rows.length === total;
			if (last.limit !== limit || !isLast) continue;
			if (page === 1) return last;
			const onFirst = new Set(this.first.slice(0, limit).map(({ digest }) => digest));
			// A service that ignores the number of the page gives the first one again, whatever number it says.
			const isFirst = rows.every(({ digest }) => onFirst.has(digest));
			if (isFirst || !this.isAfterFirst(rows)) throw unnumbered();
			const following = await this.readPage(page + 1, limit).catch((error: unknown) => {
				if (error instanceof ServiceFailure && error.kind === 'unnumbered') return undefined;
				throw error;
			});
			if (following === undefined || following.rows.length === 0) return last;
			if (following.total <= total) throw unnumbered();
			this.total = following.total;
		}
		throw unnumbered();
	}

	/** In the order of their dates, of which there are some: pages in another order must not pass for the newest records. */
	private isAfterFirst(rows: readonly Row[]): boolean {
		const times = [...this.first.slice(0, 1), ...rows].map(timeOrNone);
		return !goesDown(times) && times.some(Number.isFinite);
	}

	private async readPage(page: number, limit: number): Promise<TailPage> {
		const { envelope, rows } = await this.fetchRows(limit, page)
			.catch(failWithPlace({ page, recordsRead: 0 }))
			.catch((error: unknown) => {
				const isNo = error instanceof ServiceFailure && isRejection(error);
				throw isNo ? new ServiceFailure('unnumbered', error.facts) : error;
			});
		const { page: given, page_size: size = limit, total } = envelope.meta.pagination;
		if (given !== page || !isCount(total) || !isCount(size)) throw unnumbered(envelope);
		return { page, limit: size, total, rows };
	}
}

/** A service may sort records without a date before all others. */
function timeOrNone({ time }: Row): number {
	return time ?? -Infinity;
}

function unnumbered(envelope?: ListEnvelope): ServiceFailure {
	return new ServiceFailure('unnumbered', { ctxId: contextIdOf(envelope) });
}
