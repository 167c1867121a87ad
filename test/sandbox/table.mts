import { createdOrder, updatedOrder, type BaseOrder } from './base-order.mts';
import { parseRecord } from './exact-json.mts';
import {
	basePositionsOf,
	rankAfter,
	sliceOf,
	type Changes,
	type Position,
} from './ordered-view.mts';
import { idOf, indexOf, type ComposeRecord } from './record-text.mts';
import type { DateField, ObjectType } from './types.mts';

interface ChangedRecord {
	updatedAt: number;
	revision: number;
}

/** The records of one object type: a computed base, and a small overlay of what was changed since. */
export class Table {
	readonly objectType: ObjectType;
	private readonly compose: ComposeRecord;
	private readonly orders: Record<DateField, BaseOrder>;
	private readonly addedAt: number[] = [];
	private readonly changed = new Map<number, ChangedRecord>();
	private readonly removed = new Set<number>();
	private changesCache: Partial<Record<DateField, Changes>> = {};
	private sortedCache = new Map<string, number[]>();

	constructor(objectType: ObjectType, count: number, seed: number, compose: ComposeRecord) {
		this.objectType = objectType;
		this.compose = compose;
		this.orders = { created_at: createdOrder(count), updated_at: updatedOrder(count, seed) };
	}

	/** How many records there are now. */
	get count(): number {
		return this.baseCount + this.addedAt.length - this.removed.size;
	}

	/** The JSON text of a record. */
	textOf(index: number): string {
		const createdAt = this.createdAt(index);
		const changed = this.changed.get(index);
		const updatedAt = changed?.updatedAt ?? this.updatedAt(index);
		return this.compose({ index, createdAt, updatedAt, revision: changed?.revision ?? 1 });
	}

	/** Up to `howMany` indexes that come after a position in the order of a date field. */
	after(field: DateField, position: Position | undefined, howMany: number): number[] {
		const changes = this.changesOf(field);
		const rank = position ? rankAfter(this.orders[field], changes, position) : 0;
		return sliceOf(this.orders[field], changes, rank, howMany);
	}

	/** Where a record is in the order of a date field. */
	positionOf(field: DateField, index: number): Position {
		const time =
			field === 'created_at'
				? this.createdAt(index)
				: (this.changed.get(index)?.updatedAt ?? this.updatedAt(index));
		return { time, index };
	}

	/** Up to `howMany` indexes from a rank (from 0), in the order of a field; `id` and the date fields cost least. */
	slice(field: string, rank: number, howMany: number): number[] {
		if (field === 'id' || field === 'created_at' || field === 'updated_at') {
			const dateField = field === 'updated_at' ? field : 'created_at';
			return sliceOf(this.orders[dateField], this.changesOf(dateField), rank, howMany);
		}
		return this.sortedBy(field).slice(rank, rank + howMany);
	}

	/** The fields a page request may sort by: those that hold a single value. */
	sortableFields(): string[] {
		// Index 3 is the first that has every field.
		const state = { index: 3, createdAt: 0, updatedAt: 0, revision: 1 };
		const entries = Object.entries(parseRecord(this.compose(state)));
		const isSingle = (value: unknown) => value === null || typeof value !== 'object';
		return entries.filter(([, value]) => isSingle(value)).map(([field]) => field);
	}

	/** Every record in order of id. */
	*records(): Generator<Record<string, unknown>> {
		for (let index = 0; index < this.baseCount + this.addedAt.length; index++) {
			if (!this.removed.has(index)) yield parseRecord(this.textOf(index));
		}
	}

	/** Ids of `howMany` records spread evenly over the order of updated_at. */
	spread(howMany: number): string[] {
		const wanted = Math.min(howMany, this.count);
		const indexes = Array.from({ length: wanted }, (_, place) =>
			this.slice('updated_at', Math.floor((place * this.count) / wanted), 1),
		);
		return indexes.flat().map((index) => idOf(this.objectType, index));
	}

	/** Sets a new updated_at (milliseconds since 1970). It must be later than every existing one. */
	update(ids: string[], time: number): void {
		for (const index of this.indexesOf(ids)) {
			const revision = (this.changed.get(index)?.revision ?? 1) + 1;
			// Taken out first, so that the map stays in the order of the changes and sorting it is cheap.
			this.changed.delete(index);
			this.changed.set(index, { updatedAt: time, revision });
		}
		this.forget();
	}

	/** Adds records created at a time that must be later than every existing one; returns their ids. */
	create(howMany: number, time: number): string[] {
		const first = this.baseCount + this.addedAt.length;
		for (let added = 0; added < howMany; added++) this.addedAt.push(time);
		this.forget();
		return Array.from({ length: howMany }, (_, added) => idOf(this.objectType, first + added));
	}

	/** Takes records away. */
	remove(ids: string[]): void {
		for (const index of this.indexesOf(ids)) this.removed.add(index);
		this.forget();
	}

	private get baseCount(): number {
		return this.orders.created_at.count;
	}

	private addedTime(index: number): number {
		return this.addedAt[index - this.baseCount] as number;
	}

	private createdAt(index: number): number {
		const order = this.orders.created_at;
		return index < order.count ? order.timeOf(index) : this.addedTime(index);
	}

	private updatedAt(index: number): number {
		const order = this.orders.updated_at;
		return index < order.count ? order.timeOf(index) : this.addedTime(index);
	}

	/** The indexes of ids, in order, each once. */
	private indexesOf(ids: string[]): number[] {
		const indexes = ids.map((id) => {
			const index = indexOf(this.objectType, id) ?? Infinity;
			if (index < this.baseCount + this.addedAt.length && !this.removed.has(index)) return index;
			throw new Error(`There is no ${this.objectType} with the id "${id}".`);
		});
		return [...new Set(indexes)].sort((first, second) => first - second);
	}

	private forget(): void {
		this.changesCache = {};
		this.sortedCache.clear();
	}

	private changesOf(field: DateField): Changes {
		return (this.changesCache[field] ??=
			field === 'created_at' ? this.createdChanges() : this.updatedChanges());
	}

	private createdChanges(): Changes {
		const tail = this.addedAt.map((time, added) => ({ time, index: this.baseCount + added }));
		return {
			gone: basePositionsOf(this.orders.created_at, this.removed),
			tail: tail.filter(({ index }) => !this.removed.has(index)),
		};
	}

	private updatedChanges(): Changes {
		const moved = new Set([...this.removed, ...this.changed.keys()]);
		const tail: Position[] = [];
		this.addedAt.forEach((time, added) => {
			const index = this.baseCount + added;
			if (!moved.has(index)) tail.push({ time, index });
		});
		for (const [index, { updatedAt }] of this.changed) {
			if (!this.removed.has(index)) tail.push({ time: updatedAt, index });
		}
		tail.sort((first, second) => first.time - second.time || first.index - second.index);
		return { gone: basePositionsOf(this.orders.updated_at, moved), tail };
	}

	private sortedBy(field: string): number[] {
		let sorted = this.sortedCache.get(field);
		if (!sorted) {
			const all = this.slice('id', 0, this.count);
			const keyed = all.map((index) => ({ index, value: parseRecord(this.textOf(index))[field] }));
			keyed.sort((first, second) => compareValues(first.value, second.value));
			sorted = keyed.map(({ index }) => index);
			this.sortedCache.set(field, sorted);
		}
		return sorted;
	}
}

/** Ascending, missing values last. */
function compareValues(first: unknown, second: unknown): number {
	const isFirstMissing = first === undefined || first === null;
	const isSecondMissing = second === undefined || second === null;
	if (isFirstMissing || isSecondMissing) return Number(isFirstMissing) - Number(isSecondMissing);
	if (first === second) return 0;
	return (first as number) < (second as number) ? -1 : 1;
}
