import { ServiceFailure } from '../../../nodes/client/failures.ts';
import type { JsonResponse } from '../../../nodes/client/api.ts';
import { clockStart } from '../../sandbox/record-times.mts';
import { idOf, type ComposeRecord } from '../../sandbox/record-text.mts';
import { answerList } from '../../sandbox/routes-lists.mts';
import { Table } from '../../sandbox/table.mts';
import type { Unkindness } from '../../sandbox/types.mts';

/** A record of the list. */
export interface Item {
	id: string;
	/** Absent or null where the record has no date. */
	updated_at?: string | null;
}

/** How the list differs from a kind one: what the sandbox can do, and what its numbered pages may do besides. */
export interface Unkind extends Unkindness {
	/** Numbered pages are refused, or those after the last, or the number is ignored. */
	pages?: 'refused' | 'refusedAtEnd' | 'ignored' | 'ignoredSilently';
	/** A larger limit is lowered to this, and the answer says so. */
	largestPage?: number;
}

/** What happens to the list before a request. */
export type Change =
	| { kind: 'create'; howMany: number }
	| { kind: 'update'; place: number; howMany: number }
	/** A record turns up with a date of long ago, or goes. */
	| { kind: 'insert' | 'remove'; place: number };

/** So many records are there, but not yet seen: what is inserted is one of them. */
const LATE = 6;

interface Query {
	page?: number;
	limit: number;
}

/** A list of the sandbox, without HTTP, that changes while it is read. */
export class SandboxList {
	/** The list as it was at each moment, in the order of updated_at. */
	readonly moments: Item[][] = [];
	private readonly table: Table;
	private readonly late: string[];
	private readonly changes: ReadonlyMap<number, Change>;
	private readonly unkind: Unkind;
	private requests = 0;

	constructor(records: number, unkind: Unkind = {}, changes: SandboxList['changes'] = new Map()) {
		const textOf: ComposeRecord = ({ index, createdAt, updatedAt }) => {
			const [created, updated] = [createdAt, updatedAt].map((time) => new Date(time).toISOString());
			return `{"id":"${idOf('company', index)}","created_at":"${created}","updated_at":"${updated}"}`;
		};
		this.table = new Table('company', records + LATE, 1, textOf, 0);
		this.table.setStyle(unkind);
		this.late = this.table.spread(LATE);
		this.table.remove(this.late);
		this.changes = changes;
		this.unkind = unkind;
	}

	get items(): Item[] {
		const { table } = this;
		const order = table.slice('updated_at', 0, table.count);
		return order.map((index) => JSON.parse(table.textOf(index)) as Item);
	}

	/** In the place of the session's client. */
	async answer({ query }: { query?: unknown }): Promise<JsonResponse> {
		const { page, limit } = query as Query;
		this.change(this.changes.get(this.requests++));
		this.moments.push(this.items);
		const { pages, largestPage = Infinity, ...unkind } = this.unkind;
		const size = Math.min(limit, largestPage);
		const isAfter = page !== undefined && (page - 1) * size >= this.table.count;
		const isRefused = pages === 'refused' || (pages === 'refusedAtEnd' && isAfter);
		if (page !== undefined && isRefused) throw new ServiceFailure('status', { statusCode: 400 });
		const asked = { limit: size, ...(!pages?.startsWith('ignored') && { page }) };
		const origin = { generation: 0, key: '' };
		const call = { unkind, contextId: `answer-${this.requests}`, origin };
		const text = answerList(this.table, { ...asked, sort: 'updated_at' }, call);
		const body = JSON.parse(text) as { meta: { pagination: { page?: number } } };
		if (pages === 'ignoredSilently') body.meta.pagination.page = page;
		return { body, text: JSON.stringify(body) };
	}

	private change(change: Change | undefined): void {
		const { table, late } = this;
		const now = clockStart + this.requests;
		if (change?.kind === 'create') table.create(change.howMany, now);
		if (change?.kind === 'insert' && late.length > 0)
			table.restore(late.splice(change.place % late.length, 1));
		if (change?.kind !== 'update' && change?.kind !== 'remove') return;
		const ids = this.items.map(({ id }) => id);
		const place = change.place % Math.max(1, ids.length);
		if (change.kind === 'update') table.update(ids.slice(place, place + change.howMany), now);
		else table.remove(ids.slice(place, place + 1));
	}
}

/** What a read of the newest first has to give. */
export const newestOf = (items: readonly Item[], howMany: number): Item[] =>
	items.slice(-howMany).reverse();
