import type { ListEnvelope } from '../../nodes/shared/api.ts';
import { ServiceFailure } from '../../nodes/shared/failures.ts';
import { readPages } from '../../nodes/shared/pages.ts';
import type { Reader } from '../../nodes/WorkspaceDataTrigger/settings.ts';
import type { OrderField } from '../../nodes/WorkspaceDataTrigger/version.ts';

/** One record of the model service, as it is at the moment. */
interface Row {
	key: string;
	created: number;
	updated: number;
}

/** How the model service differs from one history to the next. */
export interface ServiceTraits {
	/** False: records have no `id`, only content. */
	hasIds: boolean;
	dateFormat: 'iso' | 'seconds' | 'milliseconds';
	/** False: numbered pages of the records query are refused. */
	numbersPages: boolean;
	/** A full last page still carries a cursor, to an empty page. */
	trailingCursor: boolean;
	pageSize: number;
	overlapMs: number;
}

/** A change whose date is set and that nobody sees yet. */
interface LateCommit {
	row: Row;
	at: number;
}

/**
 * A service in memory that follows spec section 4.3, with its own clock. A version is named by the record's key
 * and the value of its order field: `versionsNow` lists those that can be read.
 */
export class ModelService {
	private readonly rows = new Map<string, Row>();
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
		for (let count = 0; count < howMany; count++) this.put(this.newRow(), this.clock);
	}

	update(place: number, howMany: number): void {
		this.commitOverdue();
		for (const row of this.some(place, howMany)) this.put({ ...row }, this.clock);
	}

	remove(place: number, howMany: number): void {
		for (const row of this.some(place, howMany)) this.rows.delete(row.key);
	}

	/** A change gets its date now and is seen only after `commitLate`, but never later than the overlap allows. */
	beginLate(place: number): void {
		const isUpdate = this.field === 'updated_at' && place % 2 === 0;
		const row = (isUpdate ? this.some(place, 1)[0] : undefined) ?? this.newRow();
		const isFree = !this.late.some((other) => other.row.key === row.key);
		if (isFree) this.late.push({ row: { ...row }, at: this.clock });
	}

	commitLate(): void {
		for (const { row, at } of this.late.splice(0)) {
			const current = this.rows.get(row.key);
			const isNew = row.created === 0;
			// A later change of the same record may have overtaken this one, or it was deleted.
			if (isNew || (current !== undefined && current.updated < at)) this.put(row, at);
		}
	}

	/** All cursors given out so far are refused from now on. */
	refuseCursors(): void {
		this.epoch++;
	}

	/** Names of the versions that can be read now, and of those that may turn up with an older date. */
	versionsNow(): { visible: string[]; late: string[] } {
		return {
			visible: [...this.rows.values()].map((row) => this.nameOf(row)),
			late: this.late.map(({ row, at }) => `${row.key}@${at}`),
		};
	}

	/** The newest order value, in ms. */
	newest(): number {
		return Math.max(0, ...[...this.rows.values()].map((row) => this.timeOf(row)));
	}

	/** The reader that a poll gets. */
	reader(): Reader {
		const sort = this.field;
		return {
			pages: (cursor) =>
				readPages(
					async (request) =>
						this.answer(request.limit, 'cursor' in request ? request.cursor : undefined),
					{
						mode: 'cursor',
						pageSize: this.traits.pageSize,
						sort,
						startCursor: cursor ?? undefined,
					},
				),
			first: async (limit) => this.answer(limit, undefined, false),
			numbered: async (page, limit) => this.numbered(page, limit),
		};
	}

	private answer(limit: number, cursor?: string, isPage = true): ListEnvelope {
		this.countRequest();
		const after = cursor === undefined ? undefined : this.decode(cursor);
		const rest = this.sorted().filter((row) => !after || isAfter(this.positionOf(row), after));
		const page = rest.slice(0, limit);
		const last = page.at(-1);
		const isFull = page.length === limit && (rest.length > limit || this.traits.trailingCursor);
		const next =
			last && isFull ? JSON.stringify([this.epoch, ...this.positionOf(last)]) : undefined;
		const envelope = this.envelope(page, 1, limit, next);
		if (isPage) this.afterPage();
		return envelope;
	}

	private numbered(page: number, limit: number): ListEnvelope {
		this.countRequest();
		if (!this.traits.numbersPages) throw new ServiceFailure('status', { statusCode: 400 });
		const rows = this.sorted().slice((page - 1) * limit, page * limit);
		return this.envelope(rows, page, limit);
	}

	private countRequest(): void {
		this.requests++;
		if (this.faults.shift()) throw new ServiceFailure('status', { statusCode: 503 });
	}

	private envelope(rows: Row[], page: number, limit: number, next?: string): ListEnvelope {
		const items = rows.map((row) => this.recordOf(row));
		const pagination = { page, page_size: limit, total: this.rows.size, next_cursor: next };
		return { success: true, data: { items }, meta: { pagination } };
	}

	private recordOf(row: Row): Record<string, unknown> {
		const record: Record<string, unknown> = {
			version: this.nameOf(row),
			created_at: this.format(row.created),
			updated_at: this.format(row.updated),
		};
		return this.traits.hasIds ? { id: row.key, ...record } : record;
	}

	private format(time: number): string | number {
		const { dateFormat } = this.traits;
		if (dateFormat === 'iso') return new Date(time).toISOString();
		return dateFormat === 'seconds' ? time / 1_000 : time;
	}

	private decode(cursor: string): [number, string] {
		const [epoch, time, key] = JSON.parse(cursor) as [number, number, string];
		if (epoch !== this.epoch) throw new ServiceFailure('status', { statusCode: 400 });
		return [time, key];
	}

	private sorted(): Row[] {
		return [...this.rows.values()].sort((first, second) =>
			isAfter(this.positionOf(first), this.positionOf(second)) ? 1 : -1,
		);
	}

	private positionOf(row: Row): [number, string] {
		return [this.timeOf(row), row.key];
	}

	private timeOf(row: Row): number {
		return this.field === 'created_at' ? row.created : row.updated;
	}

	private nameOf(row: Row): string {
		return `${row.key}@${this.timeOf(row)}`;
	}

	private newRow(): Row {
		// Keys do not follow the order of creation.
		const key = `r${String((++this.made * 7_919) % 10_007).padStart(5, '0')}`;
		return { key, created: 0, updated: 0 };
	}

	private put(row: Row, at: number): void {
		this.rows.set(row.key, { ...row, created: row.created || at, updated: at });
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
