import { parseRecord, serializeRecord } from './exact-json.mts';
import { idOf, numberOf, type ComposeRecord } from './record-text.mts';
import { createdTimes, updatedOrder, updatedTimes } from './record-times.mts';
import type { DateField, ObjectType, Unkindness } from './types.mts';

/** A place in an order: the time of the ordering field (milliseconds since 1970), and which of those with that time. */
export interface Position {
	time: number;
	index: number;
}

/** Where the record with an index stands among those of one time, where the service has an order of its own for these. */
export const shuffled = (index: number): number =>
	index - (index % 10_007) + (((index + 1) * 7_919) % 10_007);

type Order = number[] | Uint32Array;
type OrderField = DateField | 'id';

/** How records look on the wire, and in which order; kind where nothing is set. */
type RecordStyle = Pick<Unkindness, 'undated' | 'shuffledTies'>;

/** The text of a record without its dates, in turn null and missing. */
function undatedRecord(text: string, every: number, index: number): string {
	const isNull = Math.ceil((index + 1) / every) % 2 === 1;
	const without = isNull ? ',"created_at":null,"updated_at":null}' : '}';
	return text.replace(/,"created_at":"[^"]*","updated_at":"[^"]*"\}$/, without);
}

/** The records of one object type: a computed base, and a small overlay of what was changed since. */
export class Table {
	readonly objectType: ObjectType;
	private readonly baseCount: number;
	private readonly seed: number;
	private readonly compose: ComposeRecord;
	private readonly firstNumber: number;
	private readonly baseTimes: Record<DateField, (index: number) => number>;
	private readonly addedAt: number[] = [];
	private readonly changed = new Map<number, { updatedAt: number; revision: number }>();
	/** What requests have set. */
	private readonly values = new Map<number, Record<string, unknown>>();
	private readonly removed = new Set<number>();
	private style: RecordStyle = {};
	/** The indexes in the order of each field that was asked for, until something changes. */
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

	/** How many records there are now. */
	get count(): number {
		return this.baseCount + this.addedAt.length - this.removed.size;
	}

	/** Sets how records look from now on. */
	setStyle(style: RecordStyle): void {
		this.style = style;
		this.orders.clear();
	}

	/** The JSON text of a record as it is sent. */
	textOf(index: number): string {
		const createdAt = this.timeOf('created_at', index);
		const updatedAt = this.timeOf('updated_at', index);
		const revision = this.changed.get(index)?.revision ?? 1;
		const values = this.values.get(index);
		const composed = this.compose({ index, createdAt, updatedAt, revision });
		const text = values ? serializeRecord({ ...parseRecord(composed), ...values }) : composed;
		return this.isUndated(index)
			? undatedRecord(text, this.style.undated?.every ?? 1, index)
			: text;
	}

	/** How many records come at or before a position in the order of a date field; it need not be a record's any more. */
	rankAfter(field: DateField, { time, index }: Position): number {
		const order = this.inOrder(field);
		let [low, high] = [0, order.length];
		while (low < high) {
			const middle = Math.floor((low + high) / 2);
			const other = this.positionOf(field, order[middle] as number);
			if (compare(other, { time, index }) <= 0) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	/** Where a record is in the order of a date field. */
	positionOf(field: DateField, index: number): Position {
		const { undated, shuffledTies } = this.style;
		const undatedTime = undated?.place === 'first' ? -1 : Number.MAX_SAFE_INTEGER;
		return {
			time: this.isUndated(index) ? undatedTime : this.timeOf(field, index),
			index: shuffledTies ? shuffled(index) : index,
		};
	}

	/** Up to `howMany` indexes from a rank (from 0), in the order of a field. */
	slice(field: OrderField, rank: number, howMany: number): number[] {
		return [...this.inOrder(field).slice(rank, rank + howMany)];
	}

	/** Every record in order of id. */
	*records(): Generator<Record<string, unknown>> {
		for (const index of this.inOrder('id')) yield parseRecord(this.textOf(index));
	}

	/** Sets a new updated_at (milliseconds since 1970). It must be later than those of an untouched table. */
	update(ids: string[], updatedAt: number): void {
		for (const index of this.indexesOf(ids)) {
			const added = index - this.baseCount;
			if (added >= 0 && this.isUndated(index)) this.addedAt[added] = updatedAt;
			const revision = (this.changed.get(index)?.revision ?? 1) + 1;
			this.changed.set(index, { updatedAt, revision });
		}
		this.orders.clear();
	}

	/** Sets fields of a record, which is an update of it; returns its text. Throws on an unknown id. */
	set(id: string, values: Record<string, unknown>, updatedAt: number): string {
		const [index] = this.indexesOf([id]);
		this.values.set(index, { ...this.values.get(index), ...values });
		this.update([id], updatedAt);
		return this.textOf(index);
	}

	/** Whether there is a record of this id. */
	has(id: string): boolean {
		const index = (numberOf(this.objectType, id) ?? -1) - this.firstNumber;
		const isThere = index >= 0 && index < this.baseCount + this.addedAt.length;
		return isThere && !this.removed.has(index);
	}

	/** Adds records created at a time that must be later than those of an untouched table; returns their ids. */
	create(howMany: number, time: number): string[] {
		const first = this.baseCount + this.addedAt.length;
		for (let added = 0; added < howMany; added++) this.addedAt.push(time);
		this.orders.clear();
		return Array.from({ length: howMany }, (_, added) => this.idAt(first + added));
	}

	/** Takes records away. */
	remove(ids: string[]): void {
		for (const index of this.indexesOf(ids)) this.removed.add(index);
		this.orders.clear();
	}

	/** Brings removed records back as they were. */
	restore(ids: string[]): void {
		const removed = [...this.removed].filter((index) => ids.includes(this.idAt(index)));
		for (const index of removed) this.removed.delete(index);
		this.orders.clear();
	}

	private idAt(index: number): string {
		return idOf(this.objectType, this.firstNumber + index);
	}

	/** Whether a record has no dates, as `undated` asks: those that were changed since have some. */
	isUndated(index: number): boolean {
		const { undated } = this.style;
		return undated !== undefined && !this.changed.has(index) && (index + 1) % undated.every === 0;
	}

	private timeOf(field: DateField, index: number): number {
		const changed = field === 'updated_at' ? this.changed.get(index)?.updatedAt : undefined;
		if (changed !== undefined) return changed;
		return index < this.baseCount
			? this.baseTimes[field](index)
			: (this.addedAt[index - this.baseCount] as number);
	}

	/** The indexes of ids, in order, each once. */
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

	/** A million records take a moment, so those that were never touched are not compared. */
	private sorted(field: OrderField): Order {
		const added = this.addedAt.map((_time, place) => this.baseCount + place);
		const { undated, shuffledTies } = this.style;
		const isUnusual = undated !== undefined || shuffledTies === true;
		if (field === 'updated_at' && !isUnusual) {
			this.baseOrder ??= updatedOrder(this.baseCount, this.seed);
			const later = new Set([...this.changed.keys(), ...added]);
			return this.joined(this.baseOrder, later, [...later].sort(this.byPosition(field)));
		}
		const byId = Uint32Array.from({ length: this.baseCount }, (_, index) => index);
		const all = this.joined(byId, new Set(), added);
		if (field === 'id') return all;
		return isUnusual ? [...all].sort(this.byPosition(field)) : all;
	}

	/** What is still there: of the untouched ones those that are not among the later ones, and then these. */
	private joined(base: Uint32Array, isLater: Set<number>, later: number[]): Order {
		if (later.length === 0 && this.removed.size === 0) return base;
		const order: number[] = [];
		for (const index of base)
			if (!isLater.has(index) && !this.removed.has(index)) order.push(index);
		return order.concat(later.filter((index) => !this.removed.has(index)));
	}

	private byPosition(field: DateField): (first: number, second: number) => number {
		return (first, second) =>
			compare(this.positionOf(field, first), this.positionOf(field, second));
	}
}

const compare = (one: Position, other: Position): number =>
	one.time - other.time || one.index - other.index;
