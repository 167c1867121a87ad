import { contextIdOf } from '../../client/envelope';
import type { ListEnvelope } from '../../client/api';
import { isRejection, ServiceFailure } from '../../client/failures';
import type { CursorSort } from '../../client/pages';
import { goesDown } from '../../common/dates';
import { isLater } from './changed-after';
import { bestLimit, isCount } from '../../client/number-pages';

/** How often the list is read again because it has changed meanwhile. */
const MOST_PASSES = 10;
/** How often the last page is looked for. */
const MOST_ATTEMPTS = 10;

/** Which records are wanted: the newest by a date. */
export interface NewestOptions {
	/** How many, at least 1. */
	maximum: number;
	/** Records asked for per request, at least 1. */
	pageSize: number;
	sort: CursorSort;
	/** Only those whose date is later, in ms since 1970; undefined means all. */
	afterMs?: number;
}

/** A record as it was read. */
export interface DatedRecord {
	record: Record<string, unknown>;
	/** Tells the record from all others. */
	id: string;
	/** Tells this version of it from all others. */
	digest: string;
	/** Its date in ms since 1970; null when it has none that can be read. */
	time: number | null;
}

/** A list in ascending order of a date. Everything throws ServiceFailure. */
export interface DatedList {
	/** Its first page, asked for as a cursor list is. */
	first(limit: number): Promise<DatedPage>;
	/** A page by its number, from 1 (docs/maintainers/api.md, Paging). */
	numbered(page: number, limit: number): Promise<DatedPage>;
}

/** One page of it, and its records in order. */
export interface DatedPage {
	envelope: ListEnvelope;
	rows: DatedRecord[];
}

/**
 * The newest records of a list, newest first: exactly the reverse of its order, each record once. They are read by
 * numbered pages from the end. What moves to the end meanwhile is read again, until nothing has moved.
 *
 * @throws ServiceFailure `unnumbered` when the service does not lead to them, `changedList` when they keep changing
 */
export async function readNewestFirst(
	list: DatedList,
	{ maximum, pageSize, afterMs = -Infinity }: NewestOptions,
): Promise<Array<Record<string, unknown>>> {
	const first = await list.first(pageSize);
	const rows = isWhole(first.envelope)
		? ascending(first.rows)
		: await new Tail(list, first, pageSize).read(maximum, afterMs);
	return rows
		.filter(({ time }) => isLater(time, afterMs))
		.slice(-maximum)
		.reverse()
		.map(({ record }) => record);
}

/** Whether a first page holds all that there is. A list that does not say how many records it has must be empty. */
function isWhole({ data, meta }: ListEnvelope): boolean {
	const { next_cursor: next, total = data.items.length === 0 ? 0 : Infinity } = meta.pagination;
	return !next && total <= data.items.length;
}

/** A single page shows its order too: a service that gives its newest records first must not pass for another. */
function ascending(rows: DatedRecord[]): DatedRecord[] {
	if (goesDown(rows.map(({ time }) => time))) throw new ServiceFailure('notAscending');
	return rows;
}

/** A numbered page. */
interface TailPage {
	page: number;
	/** How many records its size is, by its own numbers. */
	limit: number;
	total: number;
	rows: DatedRecord[];
}

/** The end of a list that may change while it is read. */
class Tail {
	private readonly list: DatedList;
	private readonly first: DatedRecord[];
	/** As the last answer said. */
	private total: number;
	/** The largest page that the service gives, as far as that is known. */
	private largest: number;

	constructor(list: DatedList, { envelope, rows }: DatedPage, pageSize: number) {
		this.list = list;
		this.first = rows;
		const { total, page_size: given } = envelope.meta.pagination;
		if (!isCount(total)) throw unnumbered(envelope);
		this.total = total;
		// A service may give fewer records than it was asked for, and need not say so.
		const most = this.first.length || pageSize;
		this.largest = Math.min(pageSize, most, isCount(given) ? given : pageSize);
	}

	/** The last records in the order of the list, at least as many as wanted where there are so many. */
	async read(wanted: number, afterMs: number): Promise<DatedRecord[]> {
		let rows: DatedRecord[] = [];
		for (let number = 0; number < MOST_PASSES; number++) {
			const pass = await this.readBack(wanted, afterMs, rows);
			const ids = new Set(pass.rows.map(({ id }) => id));
			rows = [...rows.filter(({ id }) => !ids.has(id)), ...pass.rows];
			if (pass.hasMoved) continue;
			if (!this.isAfterFirst(rows)) throw unnumbered();
			return rows;
		}
		throw new ServiceFailure('changedList');
	}

	/** Reads from the last page backwards, until there are enough or what was read before is reached. */
	private async readBack(wanted: number, afterMs: number, before: DatedRecord[]): Promise<Pass> {
		const pass = new Pass(before);
		let current = await this.findLast();
		pass.add(current.rows);
		const isOld = (): boolean => pass.rows.slice(0, 1).some(({ time }) => !isLater(time, afterMs));
		while (pass.rows.length < wanted && !isOld() && !pass.isJoined && current.page > 1) {
			const next = await this.readPage(current.page - 1, current.limit);
			if (next.limit !== current.limit || next.rows.length !== current.limit) {
				throw new ServiceFailure('changedList');
			}
			// A record that came in before them pushes others over to the page that was read already.
			if (next.total > current.total)
				pass.add((await this.readPage(current.page, current.limit)).rows);
			pass.hasMoved = pass.add(next.rows) || pass.hasMoved;
			current = next;
		}
		return pass;
	}

	/** The last page, the fuller the better: no page follows it. */
	private async findLast(): Promise<TailPage> {
		for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
			// A page that is not quite full stays the last one while records come.
			const room = Math.floor(Math.min(attempt * attempt, this.largest / 2));
			const limit = bestLimit(this.total + room, this.largest);
			const last = await this.readPage(Math.ceil(this.total / limit), limit);
			const { page, rows, total } = last;
			this.total = total;
			this.largest = Math.min(this.largest, last.limit);
			const isLast = rows.length > 0 && (page - 1) * limit + rows.length === total;
			if (last.limit !== limit || !isLast) continue;
			if (page === 1) return last;
			const onFirst = new Set(this.first.slice(0, limit).map(({ digest }) => digest));
			// A service that ignores the number of the page gives the first one again, whatever number it says.
			if (rows.some(({ digest }) => onFirst.has(digest))) throw unnumbered();
			if (!this.isAfterFirst(rows)) throw unnumbered();
			const following = await this.readPage(page + 1, limit).catch(unlessUnnumbered);
			if (following === undefined || following.rows.length === 0) return last;
			if (following.total <= total) throw unnumbered();
			this.total = following.total;
		}
		throw unnumbered();
	}

	/** A service that numbers its pages in another order must not pass for one that gives the newest records. */
	private isAfterFirst(rows: readonly DatedRecord[]): boolean {
		return isAscending([...this.first.slice(0, 1), ...rows]);
	}

	private async readPage(page: number, limit: number): Promise<TailPage> {
		const { envelope, rows } = await this.list.numbered(page, limit).catch((error: unknown) => {
			const isNo = error instanceof ServiceFailure && isRejection(error);
			throw isNo ? new ServiceFailure('unnumbered', error.facts) : error;
		});
		const { page: given, page_size: size = limit, total } = envelope.meta.pagination;
		if (given !== page || !isCount(total) || !isCount(size)) throw unnumbered(envelope);
		return { page, limit: size, total, rows };
	}
}

/** What is read on one way from the end backwards, in the order of the list. */
class Pass {
	rows: DatedRecord[] = [];
	/** True once it has reached what an earlier pass had read. */
	isJoined = false;
	/** True when records have moved to the end meanwhile: all records after their old place move up. */
	hasMoved = false;
	private readonly earlier: ReadonlySet<string>;
	private readonly seen = new Set<string>();

	constructor(earlier: readonly DatedRecord[]) {
		this.earlier = new Set(earlier.map(({ digest }) => digest));
	}

	/**
	 * Adds what a page holds before everything that was added so far.
	 *
	 * @returns whether it also holds some of what was added, or of what follows it
	 */
	add(page: readonly DatedRecord[]): boolean {
		const newest = this.rows.length === 0 ? Infinity : timeOrNone(this.rows[0]);
		const end = page.findIndex((row) => this.seen.has(row.digest) || timeOrNone(row) > newest);
		const before = end === -1 ? page : page.slice(0, end);
		const start = before.map(({ digest }) => this.earlier.has(digest)).lastIndexOf(true) + 1;
		if (start > 0) this.isJoined = true;
		const added = before.slice(start);
		for (const { digest } of added) this.seen.add(digest);
		this.rows = [...added, ...this.rows];
		return end !== -1;
	}
}

/** In the order of their dates, and not all without one. */
function isAscending(rows: readonly DatedRecord[]): boolean {
	let before = -Infinity;
	for (const row of rows) {
		if (timeOrNone(row) < before) return false;
		before = timeOrNone(row);
	}
	return before > -Infinity;
}

/** A service may sort records without a date before all others. */
function timeOrNone({ time }: DatedRecord): number {
	return time ?? -Infinity;
}

function unnumbered(envelope?: ListEnvelope): ServiceFailure {
	return new ServiceFailure('unnumbered', { ctxId: contextIdOf(envelope) });
}

function unlessUnnumbered(error: unknown): undefined {
	if (error instanceof ServiceFailure && error.kind === 'unnumbered') return undefined;
	throw error;
}
