import { parseRecord, serializeRecord } from './exact-json.mts';
import { idOf, numberOf, type ComposeRecord } from './record-text.mts';
import { createdTimes, updatedOrder, updatedTimes } from './record-times.mts';
import type { DateField, ObjectType, Quirks } from './types.mts';

/**
 * Position of a record in a sort order. `time` is the date that the list is sorted by, in ms since 1970. `index` orders
 * records with the same date.
 */
export interface Position {
	time: number;
	index: number;
}

/**
 * Returns a sort key that shuffles records with the same date. The quirk `shuffledTies` uses it instead of the index.
 */
export const shuffled = (index: number): number =>
	index - (index % 10_007) + (((index + 1) * 7_919) % 10_007);

type Order = number[] | Uint32Array;
type OrderField = DateField | 'id';

/** Quirks that change the content or the order of records. */
type TableQuirks = Pick<Quirks, 'undated' | 'shuffledTies'>;

/**
 * Returns the JSON text of a record without dates. The dates are null in every second record without dates, and missing
 * in the others.
 */
function undatedRecord(text: string, every: number, index: number): string {
	const isNull = Math.ceil((index + 1) / every) % 2 === 1;
	const without = isNull ? ',"created_at":null,"updated_at":null}' : '}';
	return text.replace(/,"created_at":"[^"]*","updated_at":"[^"]*"\}$/, without);
}

/** Records of one object type. Unchanged records are computed on demand, and only changes are stored. */
export class Table {
	readonly objectType: ObjectType;
	private readonly baseCount: number;
	private readonly seed: number;
	private readonly compose: ComposeRecord;
	private readonly firstNumber: number;
	private readonly baseTimes: Record<DateField, (index: number) => number>;
	private readonly addedAt: number[] = [];
	private readonly changed = new Map<number, { updatedAt: number; revision: number }>();
	/** Field values that PATCH requests have set, by index of the record. */
	private readonly values = new Map<number, Record<string, unknown>>();
	private readonly removed = new Set<number>();
	private quirks: TableQuirks = {};
	/** Cached indexes in sorted order, by the field that they are sorted by. Each change clears the cache. */
	private readonly orders = new Map<OrderField, Order>();
	private baseOrder: Uint32Array | undefined;

	constructor(
		objectType: ObjectType,
		count: number,
		seed: number,
		compose: ComposeRecord,
		firstNumber: number,
	) {
		this.objectType = objectType;
		this.baseCount = count;
		this.seed = seed;
		this.compose = compose;
		this.firstNumber = firstNumber;
		this.baseTimes = { created_at: createdTimes(count), updated_at: updatedTimes(count, seed) };
	}

	/** Current number of records. */
	get count(): number {
		return this.baseCount + this.addedAt.length - this.removed.size;
	}

	/** Replaces the quirks of the table, and sorts the records again when they are next read. */
	setQuirks(quirks: TableQuirks): void {
		this.quirks = quirks;
		this.orders.clear();
	}

	/** Returns the JSON text of a record, as the sandbox sends it. */
	textOf(index: number): string {
		const createdAt = this.timeOf('created_at', index);
		const updatedAt = this.timeOf('updated_at', index);
		const revision = this.changed.get(index)?.revision ?? 1;
		const values = this.values.get(index);
		const composed = this.compose({ index, createdAt, updatedAt, revision });
		const text = values ? serializeRecord({ ...parseRecord(composed), ...values }) : composed;
		return this.isUndated(index)
			? undatedRecord(text, this.quirks.undated?.every ?? 1, index)
			: text;
	}

	/**
	 * Returns the number of records at or before a position in a sort order. The position can belong to a removed
	 * record.
	 */
	rankAfter(field: DateField, { time, index }: Position): number {
		const order = this.inOrder(field);
		let [low, high] = [0, order.length];
		while (low < high) {
			const middle = Math.floor((low + high) / 2);
			const middlePosition = this.positionOf(field, order[middle] as number);
			if (compare(middlePosition, { time, index }) <= 0) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	/** Returns the position of a record in the sort order of a date field. */
	positionOf(field: DateField, index: number): Position {
		const { undated, shuffledTies } = this.quirks;
		const undatedTime = undated?.place === 'first' ? -1 : Number.MAX_SAFE_INTEGER;
		return {
			time: this.isUndated(index) ? undatedTime : this.timeOf(field, index),
			index: shuffledTies ? shuffled(index) : index,
		};
	}

	/** Returns the indexes of up to `howMany` records in the sort order of a field. Skips the first `rank` records. */
	slice(field: OrderField, rank: number, howMany: number): number[] {
		return [...this.inOrder(field).slice(rank, rank + howMany)];
	}

	/** Yields every existing record, sorted by id. */
	*records(): Generator<Record<string, unknown>> {
		for (const index of this.inOrder('id')) yield parseRecord(this.textOf(index));
	}

	/**
	 * Sets updated_at (ms since 1970) of records. The time must be later than all dates of unchanged records. Throws
	 * for an unknown id.
	 */
	update(ids: string[], updatedAt: number): void {
		for (const index of this.indexesOf(ids)) {
			const added = index - this.baseCount;
			if (added >= 0 && this.isUndated(index)) this.addedAt[added] = updatedAt;
			const revision = (this.changed.get(index)?.revision ?? 1) + 1;
			this.changed.set(index, { updatedAt, revision });
		}
		this.orders.clear();
	}

	/** Sets fields and updated_at of a record. Returns its new JSON text. Throws for an unknown id. */
	set(id: string, values: Record<string, unknown>, updatedAt: number): string {
		const [index] = this.indexesOf([id]);
		this.values.set(index, { ...this.values.get(index), ...values });
		this.update([id], updatedAt);
		return this.textOf(index);
	}

	/** Checks whether a record with this id exists. */
	has(id: string): boolean {
		const index = (numberOf(this.objectType, id) ?? -1) - this.firstNumber;
		const isThere = index >= 0 && index < this.baseCount + this.addedAt.length;
		return isThere && !this.removed.has(index);
	}

	/** Adds records and returns their ids. `time` (ms since 1970) must be later than all dates of unchanged records. */
	create(howMany: number, time: number): string[] {
		const first = this.baseCount + this.addedAt.length;
		for (let added = 0; added < howMany; added++) this.addedAt.push(time);
		this.orders.clear();
		return Array.from({ length: howMany }, (_, added) => this.idAt(first + added));
	}

	remove(ids: string[]): void {
		for (const index of this.indexesOf(ids)) this.removed.add(index);
		this.orders.clear();
	}

	/** Restores removed records unchanged. Ignores ids of other records. */
	restore(ids: string[]): void {
		const removed = [...this.removed].filter((index) => ids.includes(this.idAt(index)));
		for (const index of removed) this.removed.delete(index);
		this.orders.clear();
	}

	private idAt(index: number): string {
		return idOf(this.objectType, this.firstNumber + index);
	}

	/** Checks whether the quirk `undated` removes the dates of a record. Records that were updated keep their dates. */
	isUndated(index: number): boolean {
		const { undated } = this.quirks;
		return undated !== undefined && !this.changed.has(index) && (index + 1) % undated.every === 0;
	}

	private timeOf(field: DateField, index: number): number {
		const changed = field === 'updated_at' ? this.changed.get(index)?.updatedAt : undefined;
		if (changed !== undefined) return changed;
		return index < this.baseCount
			? this.baseTimes[field](index)
			: (this.addedAt[index - this.baseCount] as number);
	}

	/** Returns the indexes of the records with these ids, sorted and without duplicates. Throws for an unknown id. */
	private indexesOf(ids: string[]): number[] {
		const indexes = ids.map((id) => {
			if (this.has(id)) return (numberOf(this.objectType, id) as number) - this.firstNumber;
			throw new Error(`There is no ${this.objectType} with the id "${id}".`);
		});
		return [...new Set(indexes)].sort((first, second) => first - second);
	}

	private inOrder(field: OrderField): Order {
		const order = this.orders.get(field) ?? this.sorted(field);
		this.orders.set(field, order);
		return order;
	}

	/**
	 * Returns all indexes, sorted by a field. Usually sorts only the changed records, because sorting a million records
	 * is slow.
	 */
	private sorted(field: OrderField): Order {
		const added = this.addedAt.map((_time, place) => this.baseCount + place);
		const { undated, shuffledTies } = this.quirks;
		const isUnusual = undated !== undefined || shuffledTies === true;
		if (field === 'updated_at' && !isUnusual) {
			this.baseOrder ??= updatedOrder(this.baseCount, this.seed);
			const later = new Set([...this.changed.keys(), ...added]);
			return this.merged(this.baseOrder, later, [...later].sort(this.byPosition(field)));
		}
		const byId = Uint32Array.from({ length: this.baseCount }, (_, index) => index);
		const all = this.merged(byId, new Set(), added);
		if (field === 'id') return all;
		return isUnusual ? [...all].sort(this.byPosition(field)) : all;
	}

	/**
	 * Returns `base` with the indexes of `later` moved to the end. Leaves out removed records. `laterSet` contains the
	 * indexes to move.
	 */
	private merged(base: Uint32Array, laterSet: Set<number>, later: number[]): Order {
		if (later.length === 0 && this.removed.size === 0) return base;
		const order: number[] = [];
		for (const index of base)
			if (!laterSet.has(index) && !this.removed.has(index)) order.push(index);
		return order.concat(later.filter((index) => !this.removed.has(index)));
	}

	private byPosition(field: DateField): (first: number, second: number) => number {
		return (first, second) =>
			compare(this.positionOf(field, first), this.positionOf(field, second));
	}
}

const compare = (first: Position, second: Position): number =>
	first.time - second.time || first.index - second.index;
