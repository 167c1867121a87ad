import { createdOrder, updatedOrder, type BaseOrder } from './base-order.mts';
import { parseRecord } from './exact-json.mts';
import { sortableFieldsOf, sortedByField } from './field-order.mts';
import {
	basePositionsOf,
	inOrder,
	rankAfter,
	sliceOf,
	type Changes,
	type Position,
} from './ordered-view.mts';
import {
	losesDates,
	numberOfNumericId,
	numericIdOf,
	styledRecord,
	type RecordStyle,
} from './record-style.mts';
import { idOf, numberOf, type ComposeRecord } from './record-text.mts';
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
	private readonly firstNumber: number;
	private style: RecordStyle = {};
	private changesCache: Partial<Record<DateField | 'id', Changes>> = {};
	private sortedCache = new Map<string, number[]>();

	constructor(
		objectType: ObjectType,
		count: number,
		seed: number,
		compose: ComposeRecord,
		firstNumber: number,
	) {
		this.firstNumber = firstNumber;
		this.objectType = objectType;
		this.compose = compose;
		this.orders = { created_at: createdOrder(count), updated_at: updatedOrder(count, seed) };
	}

	/** How many records there are now. */
	get count(): number {
		return this.baseCount + this.addedAt.length - this.removed.size;
	}

	/** Sets how records look from now on. */
	setStyle(style: RecordStyle): void {
		this.style = style;
		this.forget();
	}

	/** The JSON text of a record as it is sent. */
	textOf(index: number): string {
		const createdAt = this.createdAt(index);
		const changed = this.changed.get(index);
		const updatedAt = changed?.updatedAt ?? this.updatedAt(index);
		const text = this.compose({ index, createdAt, updatedAt, revision: changed?.revision ?? 1 });
		const numericId = this.style.numericIds ? this.idAt(index) : undefined;
		return styledRecord(text, this.style, index, numericId, this.isUndated(index));
	}

	/** How many records come at or before a position in the order of a date field. */
	rankAfter(field: DateField, position: Position): number {
		return rankAfter(this.orders[field], this.changesOf(field), position);
	}

	/** Where a record is in the order of a date field. */
	positionOf(field: DateField, index: number): Position {
		if (this.isUndated(index)) {
			return { time: this.style.undated?.place === 'first' ? -1 : Number.MAX_SAFE_INTEGER, index };
		}
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
			return sliceOf(this.orders[dateField], this.changesOf(field), rank, howMany);
		}
		return this.sortedBy(field).slice(rank, rank + howMany);
	}

	/** The fields a page request may sort by: those that hold a single value. */
	sortableFields(): string[] {
		return sortableFieldsOf(this.compose);
	}

	/** Every record in order of id. */
	*records(): Generator<Record<string, unknown>> {
		for (const index of this.indexes()) yield parseRecord(this.textOf(index));
	}

	/** Ids of `howMany` records spread evenly over the order of updated_at. */
	spread(howMany: number): string[] {
		const wanted = Math.min(howMany, this.count);
		const indexes = Array.from({ length: wanted }, (_, place) =>
			this.slice('updated_at', Math.floor((place * this.count) / wanted), 1),
		);
		return indexes.flat().map((index) => this.idAt(index));
	}

	/** Sets a new updated_at (milliseconds since 1970). It must be later than those of an untouched table. */
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
		return Array.from({ length: howMany }, (_, added) => this.idAt(first + added));
	}

	/** Takes records away. */
	remove(ids: string[]): void {
		for (const index of this.indexesOf(ids)) this.removed.add(index);
		this.forget();
	}

	/** Brings removed records back as they were. */
	restore(ids: string[]): void {
		const removed = [...this.removed].filter((index) => ids.includes(this.idAt(index)));
		for (const index of removed) this.removed.delete(index);
		this.forget();
	}

	private *indexes(): Generator<number> {
		for (let index = 0; index < this.baseCount + this.addedAt.length; index++) {
			if (!this.removed.has(index)) yield index;
		}
	}

	private get baseCount(): number {
		return this.orders.created_at.count;
	}

	private idAt(index: number): string {
		const number = this.firstNumber + index;
		return this.style.numericIds
			? numericIdOf(number, this.style.numericIds)
			: idOf(this.objectType, number);
	}

	private isThere(index: number): boolean {
		return index >= 0 && index < this.baseCount + this.addedAt.length && !this.removed.has(index);
	}

	private isUndated(index: number): boolean {
		return index < this.baseCount && !this.changed.has(index) && losesDates(this.style, index);
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
			const number = numberOfNumericId(id) ?? numberOf(this.objectType, id) ?? -1;
			const index = number - this.firstNumber;
			if (this.isThere(index)) return index;
			throw new Error(`There is no ${this.objectType} with the id "${id}".`);
		});
		return [...new Set(indexes)].sort((first, second) => first - second);
	}

	private forget(): void {
		this.changesCache = {};
		this.sortedCache.clear();
	}

	private changesOf(field: DateField | 'id'): Changes {
		return (this.changesCache[field] ??= this.findChanges(field));
	}

	private findChanges(field: DateField | 'id'): Changes {
		if (field === 'id') return this.createdChanges();
		if (this.style.undated) return this.allChanged(field);
		return field === 'created_at' ? this.createdChanges() : this.updatedChanges();
	}

	/** The computed order knows nothing of records without dates, so nothing of it is left and all is sorted. */
	private allChanged(field: DateField): Changes {
		const tail = [...this.indexes()].map((index) => this.positionOf(field, index));
		return {
			gone: Array.from({ length: this.baseCount }, (_, position) => position),
			tail: inOrder(tail),
		};
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
		return { gone: basePositionsOf(this.orders.updated_at, moved), tail: inOrder(tail) };
	}

	private sortedBy(field: string): number[] {
		let found = this.sortedCache.get(field);
		if (!found) {
			const all = this.slice('id', 0, this.count);
			found = sortedByField(all, field, (index) => this.textOf(index));
			this.sortedCache.set(field, found);
		}
		return found;
	}
}
