import { PageSize } from '../../../nodes/client/page-size.ts';
import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { createReader } from '../../../nodes/changes/reader.ts';
import type { Client } from '../../../nodes/client/request.ts';
import type { Reader } from '../../../nodes/changes/settings.ts';
import type { OrderField } from '../../../nodes/changes/version.ts';
import { recordText, type RecordTraits, type Row } from './record-text.mts';

/** How the model service differs from one history to the next. */
export interface ServiceTraits extends RecordTraits {
	/** Where in the order every third of the created records stands, which has no dates. */
	undated: 'none' | 'first' | 'last';
	/** Whether numbered pages are given or refused; or the first page comes whatever number, which it says or repeats. */
	numbersPages: 'yes' | 'refused' | 'ignored' | 'echoed';
	/** Pages hold at most so many records, although `page_size` repeats what was asked for. */
	mostOnPage: number;
	/** Pages hold so many records more than asked for. */
	extraOnPage: number;
	/** A full last page still carries a cursor, to an empty page. */
	trailingCursor: boolean;
	/** What the trigger asks for, or the sizes that it may find out. */
	pageSize: number | number[];
	overlapMs: number;
}

/** The body of a records query. */
interface Query {
	limit: number;
	cursor?: string;
	page?: number;
}

/** A change whose date is set and that nobody sees yet. */
interface LateCommit {
	row: Row;
	at: number;
	/** Whether the record exists only with this change. */
	isNew: boolean;
}

/**
 * A service in memory that keeps to docs/maintainers/api.md, Paging, with its own clock. A version is named by the record's key
 * and the value of its order field: `versionsNow` lists those that can be read.
 */
export class ModelService {
	private readonly rows = new Map<string, Row>();
	/** In the order of the list; undefined when a record was changed since. */
	private inOrder: Row[] | undefined;
	private late: LateCommit[] = [];
	private clock = 1_700_000_000_000;
	private made = 0;
	private epoch = 0;
	/** Requests that fail: a queue of yes and no, one taken per request. */
	faults: boolean[] = [];
	/** Called after each page, to change records while a poll is under way. */
	afterPage: () => void = () => undefined;
	requests = 0;

	readonly traits: ServiceTraits;
	readonly field: OrderField;

	constructor(traits: ServiceTraits, field: OrderField) {
		this.traits = traits;
		this.field = field;
	}

	tick(seconds: number): void {
		this.clock += seconds * 1_000;
	}

	create(howMany: number): void {
		this.commitOverdue();
		this.inOrder = undefined;
		for (let count = 0; count < howMany; count++) {
			const row = this.newRow();
			const isUndated = this.traits.undated !== 'none' && this.made % 3 === 0;
			if (isUndated) this.rows.set(row.key, { ...row, isUndated });
			else this.put(row, this.clock);
		}
	}

	update(place: number, howMany: number): void {
		this.commitOverdue();
		for (const row of this.some(place, howMany)) this.put({ ...row }, this.clock);
	}

	remove(place: number, howMany: number): void {
		this.inOrder = undefined;
		for (const row of this.some(place, howMany)) this.rows.delete(row.key);
	}

	/** A change gets its date now and is seen only after `commitLate`, but never later than the overlap allows. */
	beginLate(place: number): void {
		const isUpdate = this.field === 'updated_at' && place % 2 === 0;
		const existing = isUpdate ? this.some(place, 1)[0] : undefined;
		const row = existing ?? this.newRow();
		const isFree = !this.late.some((other) => other.row.key === row.key);
		if (isFree) this.late.push({ row: { ...row }, at: this.clock, isNew: existing === undefined });
	}

	commitLate(): void {
		for (const { row, at, isNew } of this.late.splice(0)) {
			const current = this.rows.get(row.key);
			// A later change of the same record may have overtaken this one, or it was deleted.
			if (isNew || (current !== undefined && current.updated < at)) this.put(row, at);
		}
	}

	/** All cursors given out so far are refused from now on. */
	refuseCursors(): void {
		this.epoch++;
	}

	/** A time that no record has reached, in ms since 1970, with a cursor to it. */
	placeAhead(seconds: number): { time: number; cursor: string } {
		const time = this.clock + seconds * 1_000;
		return { time, cursor: JSON.stringify([this.epoch, time, '']) };
	}

	/** Names of the versions that can be read now, of those without a date, and of those that may turn up with an older date. */
	versionsNow(): { visible: string[]; undated: string[]; late: string[] } {
		const rows = [...this.rows.values()];
		return {
			visible: rows.map((row) => this.nameOf(row)),
			undated: rows.filter(({ isUndated }) => isUndated).map((row) => this.nameOf(row)),
			late: this.late.map(({ row, at }) => `${row.key}@${at}`),
		};
	}

	/** The client that reaches it. */
	client(): Pick<Client, 'answer'> {
		return {
			answer: async ({ body }) => {
				const query = body as unknown as Query;
				const text = this.answer(query);
				if (query.page === undefined) this.afterPage();
				return { body: JSON.parse(text) as unknown, text, tookMs: 0 };
			},
		};
	}

	/** The reader that a poll gets. */
	reader(maxRecordsPerPoll: number, pageSize = this.traits.pageSize): Reader {
		let isPage = true;
		const reader = createReader(
			{
				answer: async ({ body }) => {
					const text = this.answer(body as unknown as Query);
					if (isPage && body?.page === undefined) this.afterPage();
					return { body: JSON.parse(text) as unknown, text, tookMs: 0 };
				},
			},
			{
				objectType: 'company',
				field: this.field,
				...(typeof pageSize === 'number'
					? { pageSize }
					: {
							sizes: new PageSize(pageSize.slice(1), pageSize[0], []),
							boundary: maxRecordsPerPoll,
						}),
				limits: () => ({ maxRetries: 0, maxWaitMs: 0, timeoutMs: 1_000 }),
			},
		);
		const first: Reader['first'] = async (limit) => {
			isPage = false;
			return await reader.first(limit).finally(() => (isPage = true));
		};
		return { ...reader, first };
	}

	private answer({ limit, cursor, page = 1 }: Query): string {
		this.requests++;
		if (this.faults.shift()) throw new ServiceFailure('status', { statusCode: 503 });
		const { numbersPages, trailingCursor, mostOnPage, extraOnPage } = this.traits;
		if (page > 1 && numbersPages === 'refused') {
			throw new ServiceFailure('status', { statusCode: 400 });
		}
		const size = Math.min(limit, mostOnPage);
		const after = cursor === undefined ? undefined : this.decode(cursor);
		const skipped = numbersPages === 'yes' ? (page - 1) * size : 0;
		const rest = this.sorted()
			.filter((row) => !after || isAfter(this.positionOf(row), after))
			.slice(skipped);
		const rows = rest.slice(0, size + extraOnPage);
		const last = rows.at(-1);
		const isFull = rest.length > rows.length || (trailingCursor && rows.length >= size);
		const isByCursor = page === 1 || numbersPages !== 'yes';
		const next = last && isFull && isByCursor ? this.encode(last) : undefined;
		return this.envelope(rows, numbersPages === 'ignored' ? 1 : page, limit, next);
	}

	/** As text, since a JavaScript number would not hold all digits of a big id. */
	private envelope(rows: Row[], page: number, limit: number, next?: string): string {
		// Dates that a record has not are null in one answer and missing in the next.
		const hasNulls = this.requests % 2 === 0;
		const items = rows
			.map((row) => recordText(row, this.nameOf(row), this.traits, hasNulls))
			.join(',');
		const pagination = { page, page_size: limit, total: this.rows.size, next_cursor: next };
		return `{"success":true,"data":{"items":[${items}]},"meta":${JSON.stringify({ pagination })}}`;
	}

	private encode(row: Row): string {
		return JSON.stringify([this.epoch, ...this.positionOf(row)]);
	}

	private decode(cursor: string): [number, string] {
		const [epoch, time, key] = JSON.parse(cursor) as [number, number, string];
		if (epoch !== this.epoch) throw new ServiceFailure('status', { statusCode: 400 });
		return [time, key];
	}

	private sorted(): Row[] {
		this.inOrder ??= [...this.rows.values()].sort((first, second) =>
			isAfter(this.positionOf(first), this.positionOf(second)) ? 1 : -1,
		);
		return this.inOrder;
	}

	private positionOf(row: Row): [number, string] {
		const undated = this.traits.undated === 'first' ? 0 : Number.MAX_SAFE_INTEGER;
		return [row.isUndated ? undated : this.timeOf(row), row.key];
	}

	private timeOf(row: Row): number {
		return this.field === 'created_at' ? row.created : row.updated;
	}

	private nameOf(row: Row): string {
		return `${row.key}@${row.isUndated ? 'none' : this.timeOf(row)}`;
	}

	private newRow(): Row {
		// Keys do not follow the order of creation.
		const key = `r${String((++this.made * 7_919) % 10_007).padStart(5, '0')}`;
		return { key, created: 0, updated: 0 };
	}

	private put(row: Row, at: number): void {
		this.inOrder = undefined;
		this.rows.set(row.key, { key: row.key, created: row.created || at, updated: at });
	}

	private some(place: number, howMany: number): Row[] {
		const rows = [...this.rows.values()];
		if (rows.length === 0) return [];
		const count = Math.min(howMany, rows.length);
		return Array.from({ length: count }, (_, step) => rows[(place + step) % rows.length]);
	}

	/** Before something newer is seen, whatever would become later than the promise covers is seen. */
	private commitOverdue(): void {
		if (this.late.some(({ at }) => at < this.clock - this.traits.overlapMs)) this.commitLate();
	}
}

function isAfter(first: [number, string], second: [number, string]): boolean {
	return first[0] > second[0] || (first[0] === second[0] && first[1] > second[1]);
}
