import type { ListEnvelope } from '../../../../nodes/client/api.ts';
import { ServiceFailure } from '../../../../nodes/client/failures.ts';
import type { DatedList, DatedPage } from '../../../../nodes/WorkspaceData/list/newest.ts';

/** A record of the list: its number is its id, and `at` its date. */
export interface Item {
	n: number;
	at: number | null;
}

/** How the service differs from a kind one. */
export interface Unkind {
	/** A larger limit is lowered to this; `page_size` says so where it is honest. */
	cap?: { size: number; isHonest: boolean };
	/** Numbered pages are refused, or the number is ignored, or they come in another order. */
	pages?: 'refused' | 'ignored' | 'ignoredSilently' | 'descending';
	/** Every page holds so many more than asked for. */
	extra?: number;
}

/** What happens to the list before a request. */
export type Change =
	| { kind: 'create'; howMany: number }
	| { kind: 'update'; place: number; howMany: number }
	| { kind: 'remove'; place: number };

/** A list in the order of date and id that changes while it is read. */
export class ChangingList implements DatedList {
	items: Item[];
	requests: Array<{ page?: number; limit: number }> = [];
	/** The list as it was at each moment. */
	readonly moments: Item[][] = [];
	private readonly changes: ReadonlyMap<number, Change>;
	private readonly unkind: Unkind;
	private nextId: number;
	private clock: number;

	constructor(
		items: Item[],
		changes: ReadonlyMap<number, Change> = new Map(),
		unkind: Unkind = {},
	) {
		this.items = items;
		this.changes = changes;
		this.unkind = unkind;
		this.nextId = items.length;
		this.clock = 1_000_000;
	}

	async first(limit: number): Promise<DatedPage> {
		return pageOf(this.answer({ limit }));
	}

	async numbered(page: number, limit: number): Promise<DatedPage> {
		return pageOf(this.answer({ page, limit }));
	}

	private answer(request: { page?: number; limit: number }): ListEnvelope {
		this.change(this.changes.get(this.requests.length));
		this.requests.push(request);
		const { cap, pages, extra = 0 } = this.unkind;
		const { page = 1, limit } = request;
		const isNumbered = request.page !== undefined;
		if (isNumbered && pages === 'refused') throw new ServiceFailure('status', { statusCode: 400 });
		const held = Math.min(limit, cap?.size ?? limit) + extra;
		const isIgnored = isNumbered && pages?.startsWith('ignored');
		const from = isIgnored ? 0 : (page - 1) * held;
		const list = isNumbered && pages === 'descending' ? [...this.items].reverse() : this.items;
		const items = list.slice(from, from + held);
		const next = !isNumbered && items.length < list.length ? 'more' : undefined;
		return {
			data: { items: items.map((item) => ({ ...item })) },
			meta: {
				pagination: {
					page: pages === 'ignored' ? 1 : page,
					page_size: cap?.isHonest ? Math.min(limit, cap.size) : limit,
					total: list.length,
					...(next && { next_cursor: next }),
				},
			},
		};
	}

	private change(change: Change | undefined): void {
		const { length } = this.items;
		if (change?.kind === 'create') {
			const at = ++this.clock;
			for (let i = 0; i < change.howMany; i++) this.items.push({ n: this.nextId++, at });
		} else if (change !== undefined && length > 0) {
			const place = change.place % length;
			const howMany = change.kind === 'update' ? change.howMany : 1;
			const moved = this.items.splice(place, howMany);
			const at = ++this.clock;
			if (change.kind === 'update') for (const { n } of moved) this.items.push({ n, at });
		}
		this.moments.push([...this.items]);
	}
}

/** So many records; some share a date. */
export const listOf = (howMany: number): Item[] =>
	Array.from({ length: howMany }, (_, n) => ({ n, at: 1_000 + Math.floor(n / 3) }));

/** What a read of the newest first has to give. */
export const newestOf = (items: readonly Item[], howMany: number): Item[] =>
	items.slice(-howMany).reverse();

function pageOf(envelope: ListEnvelope): DatedPage {
	const rows = envelope.data.items.map((record) => ({
		record,
		id: String(record.n),
		digest: `${String(record.n)}@${String(record.at)}`,
		time: record.at as number | null,
	}));
	return { envelope, rows };
}
