import { ServiceFailure } from '../../../../nodes/client/failures.ts';
import type { JsonResponse } from '../../../../nodes/client/api.ts';

/** A record of the list. */
export interface Item {
	id: number;
	updated_at: number | null;
}

/** How the service differs from a kind one. */
export interface Unkind {
	/** A larger limit is lowered to this; `page_size` says so where it is honest. */
	cap?: { size: number; isHonest: boolean };
	/** Numbered pages are refused, or those after the last, or the number is ignored, or they come in another order. */
	pages?: 'refused' | 'refusedAtEnd' | 'ignored' | 'ignoredSilently' | 'descending';
	/** Every page holds so many more than asked for. */
	extra?: number;
}

/** What happens to the list before a request. */
export type Change =
	| { kind: 'create'; howMany: number }
	| { kind: 'update'; place: number; howMany: number }
	| { kind: 'insert' | 'remove'; place: number };

interface Query {
	page?: number;
	limit: number;
}

/** A list in the order of date and id that changes while it is read. */
export class ChangingList {
	items: Item[];
	requests: Query[] = [];
	/** The list as it was at each moment. */
	readonly moments: Item[][] = [];
	private readonly changes: ReadonlyMap<number, Change>;
	private readonly unkind: Unkind;
	private nextId: number;
	private clock = 1_000_000;

	constructor(
		items: Item[],
		changes: ReadonlyMap<number, Change> = new Map(),
		unkind: Unkind = {},
	) {
		this.items = items;
		this.changes = changes;
		this.unkind = unkind;
		this.nextId = items.length;
	}

	/** In the place of the session's client. */
	async answer({ query }: { query?: unknown }): Promise<JsonResponse> {
		const { page: asked, limit } = query as Query;
		this.change(this.changes.get(this.requests.length));
		this.requests.push(asked === undefined ? { limit } : { page: asked, limit });
		const { cap, pages, extra = 0 } = this.unkind;
		const isNumbered = asked !== undefined;
		const page = asked ?? 1;
		const held = Math.min(limit, cap?.size ?? limit) + extra;
		const isAfter = pages === 'refusedAtEnd' && (page - 1) * held >= this.items.length;
		if (isNumbered && (isAfter || pages === 'refused'))
			throw new ServiceFailure('status', { statusCode: 400 });
		const isIgnored = isNumbered && pages?.startsWith('ignored');
		const from = isIgnored ? 0 : (page - 1) * held;
		const list = isNumbered && pages === 'descending' ? [...this.items].reverse() : this.items;
		const items = list.slice(from, from + held);
		const hasNext = !isNumbered && items.length < list.length;
		const pagination = {
			page: pages === 'ignored' ? 1 : page,
			page_size: cap?.isHonest ? Math.min(limit, cap.size) : limit,
			total: list.length,
			...(hasNext && { next_cursor: 'more' }),
		};
		const body = { data: { items }, meta: { pagination } };
		return { body, text: JSON.stringify(body) };
	}

	private change(change: Change | undefined): void {
		const { length } = this.items;
		if (change?.kind === 'create') {
			const updated_at = ++this.clock;
			for (let i = 0; i < change.howMany; i++) this.items.push({ id: this.nextId++, updated_at });
		} else if (change?.kind === 'insert') {
			const place = change.place % (length + 1);
			const updated_at = this.items[place]?.updated_at ?? ++this.clock;
			this.items.splice(place, 0, { id: this.nextId++, updated_at });
		} else if (change !== undefined && length > 0) {
			const place = change.place % length;
			const moved = this.items.splice(place, change.kind === 'update' ? change.howMany : 1);
			const updated_at = ++this.clock;
			if (change.kind === 'update') for (const { id } of moved) this.items.push({ id, updated_at });
		}
		this.moments.push([...this.items]);
	}
}

/** So many records; some share a date. */
export const listOf = (howMany: number): Item[] =>
	Array.from({ length: howMany }, (_, id) => ({ id, updated_at: 1_000 + Math.floor(id / 3) }));

/** What a read of the newest first has to give. */
export const newestOf = (items: readonly Item[], howMany: number): Item[] =>
	items.slice(-howMany).reverse();
