import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { createReader, type Reader } from '../../../nodes/changes/reader.ts';
import type { Client } from '../../../nodes/client/api.ts';
import type { CursorSort } from '../../../nodes/lists/page.ts';
import { Cursors, type PlaceInList } from './cursors.mts';
import { recordText, type Row } from './record-text.mts';
import type { ServiceTraits } from './service-traits.mts';

/** The body of a records query. */
interface Query {
	limit: number;
	cursor?: string;
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
	private hidden: ReadonlySet<string> = new Set();
	private late: LateCommit[] = [];
	private clock = 1_700_000_000_000;
	private made = 0;
	readonly cursors: Cursors;
	/** Requests that fail: a queue of yes and no, one taken per request. */
	faults: boolean[] = [];
	/** Called after each page, to change records while a poll is under way. */
	afterPage: () => void = () => undefined;
	requests = 0;
	/** The versions that were given last. */
	given: readonly string[] = [];

	readonly traits: ServiceTraits;
	readonly field: CursorSort;

	constructor(traits: ServiceTraits, field: CursorSort) {
		this.traits = traits;
		this.field = field;
		this.cursors = new Cursors(traits);
	}

	/** What the clock of n8n shows, which is another one. */
	readonly localTime = (): number => this.clock + this.traits.clockAheadMs;

	/** Whatever would become later than the promise covers is seen. */
	tick(seconds: number): void {
		this.clock += seconds * 1_000;
		if (this.late.some(({ at }) => at < this.clock - this.traits.overlapMs)) this.commitLate();
	}

	create(howMany: number): void {
		this.inOrder = undefined;
		for (let count = 0; count < howMany; count++) {
			const row = this.newRow();
			const isUndated = this.traits.undated !== 'none' && this.made % 3 === 0;
			if (isUndated) this.rows.set(row.key, { ...row, isUndated });
			else this.put(row, this.now());
		}
	}

	update(place: number, howMany: number): void {
		for (const row of this.some(place, howMany)) this.put({ ...row }, this.now());
	}

	remove(place: number, howMany: number): void {
		this.inOrder = undefined;
		for (const row of this.some(place, howMany)) this.rows.delete(row.key);
	}

	/** What was given last is changed, or leaves the list. */
	changeGiven(isGone: boolean): void {
		this.inOrder = undefined;
		for (const name of this.given) {
			const row = this.rows.get(name.split('@')[0]);
			if (isGone) this.rows.delete(name.split('@')[0]);
			else if (row !== undefined) this.put({ ...row }, this.now());
		}
	}

	/** One copy of the service's data lags seenAtWatermark: it lacks the last records that were made. */
	hideLast(howMany: number): void {
		this.inOrder = undefined;
		const last = howMany === 0 ? [] : [...this.rows.keys()].slice(-howMany);
		this.hidden = new Set(last);
	}

	/** A change gets its date now and is seen only after `commitLate`, but never later than the overlap allows. */
	beginLate(place: number): void {
		const isUpdate = this.field === 'updated_at' && place % 2 === 0;
		const existing = isUpdate ? this.some(place, 1)[0] : undefined;
		const row = existing ?? this.newRow();
		const isFree = !this.late.some((other) => other.row.key === row.key);
		if (isFree) this.late.push({ row: { ...row }, at: this.now(), isNew: existing === undefined });
	}

	commitLate(): void {
		for (const { row, at, isNew } of this.late.splice(0)) {
			const current = this.rows.get(row.key);
			// A later change of the same record may have overtaken this one, or it was deleted.
			if (isNew || (current !== undefined && current.updated < at)) this.put(row, at);
		}
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
	client(): Client {
		return async ({ body }) => {
			const text = this.answer(body as unknown as Query);
			this.afterPage();
			return { body: JSON.parse(text) as unknown, text };
		};
	}

	/** The reader that a poll gets. */
	reader(beginWith?: number | null, pageSize = this.traits.pageSize): Reader {
		const [first, ...larger] = [pageSize].flat();
		return createReader(this.client(), {
			objectType: 'company',
			field: this.field,
			...(larger.length === 0 ? { pageSize: first } : { sizes: [first, ...larger.reverse()] }),
			beginWith,
			limits: () => ({ maxRetries: 0, maxWaitMs: 0, timeoutMs: 1_000 }),
			now: () => performance.now(),
		});
	}

	private answer({ limit, cursor }: Query): string {
		this.requests++;
		if (this.faults.shift()) throw new ServiceFailure('status', { statusCode: 503 });
		const { trailingCursor, mostOnPage, alwaysOnPage, extraOnPage, largestLimit } = this.traits;
		if (limit > largestLimit) throw new ServiceFailure('status', { statusCode: 400 });
		const size = alwaysOnPage ?? Math.min(limit, mostOnPage);
		const asked = { limit, size, seconds: this.clock / 1_000 };
		const isEmpty = cursor === undefined && this.traits.emptyFirst;
		const skipped = cursor === undefined ? 0 : this.skippedBy(this.cursors.read(cursor, asked));
		const end = isEmpty ? 0 : skipped + size + (this.cursors.areKeys ? extraOnPage : 0);
		const sorted = this.sorted();
		const rows = sorted.slice(skipped, end);
		const isFull = sorted.length > end || (trailingCursor && rows.length >= size);
		const after = rows.length > 0 ? this.positionOf(rows[rows.length - 1]) : null;
		const hasNext = isEmpty || (isFull && rows.length > 0);
		const next = hasNext ? this.cursors.write(after, skipped + rows.length, asked) : undefined;
		return this.envelope(rows, limit, next);
	}

	private skippedBy(place: PlaceInList): number {
		if ('skipped' in place) return place.skipped;
		const { after } = place;
		if (after === null) return 0;
		const found = this.sorted().findIndex((row) => isAfter(this.positionOf(row), after));
		return found === -1 ? this.sorted().length : found;
	}

	/** As text, since a JavaScript number would not hold all digits of a big id. */
	private envelope(rows: Row[], limit: number, next?: string): string {
		// Dates that a record has not are null in one answer and missing in the next.
		const hasNulls = this.requests % 2 === 0;
		const items = rows.map((row) => recordText(row, this.nameOf(row), this.traits, hasNulls));
		const total = this.sorted().length;
		const pagination = { page: 1, page_size: limit, total, next_cursor: next };
		return `{"success":true,"data":{"items":[${items.join()}]},"meta":${JSON.stringify({ pagination })}}`;
	}

	private sorted(): Row[] {
		this.inOrder ??= [...this.rows.values()]
			.filter(({ key }) => !this.hidden.has(key))
			.sort((first, second) => (isAfter(this.positionOf(first), this.positionOf(second)) ? 1 : -1));
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

	private now(): number {
		return this.clock - (this.clock % this.traits.resolutionMs);
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
}

function isAfter(first: [number, string], second: [number, string]): boolean {
	return first[0] > second[0] || (first[0] === second[0] && first[1] > second[1]);
}
