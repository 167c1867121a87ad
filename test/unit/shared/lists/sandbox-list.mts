import { ServiceFailure } from '../../../../nodes/shared/client/failures.ts';
import type { ListEnvelope } from '../../../../nodes/shared/client/api.ts';
import type { PageRequest } from '../../../../nodes/shared/lists/page.ts';
import { clockStart } from '../../../sandbox/record-times.mts';
import { serve, type ListModel } from './list-model.mts';

/** A record of the list, with only the fields that tests read. */
export interface Item {
	id: string;
	/** Date of the last change. Absent or null if the record has no date. */
	updated_at?: string | null;
}

/** Unusual behaviour of the service: the quirks of the sandbox, and further quirks of numbered pages. */
export interface ListQuirks extends Partial<ListModel> {
	/**
	 * The service rejects all numbered pages (`refused`) or only those after the last page (`refusedAtEnd`), or ignores
	 * the page number. With `ignoredSilently`, the response still contains the requested page number.
	 */
	pages?: 'refused' | 'refusedAtEnd' | 'ignored' | 'ignoredSilently';
	/** Maximum page size. The response reports the capped page size. */
	largestPage?: number;
}

/** A change made to the list before a request. */
export type Change =
	| { kind: 'create'; howMany: number }
	| { kind: 'update'; place: number; howMany: number }
	| { kind: 'remove'; place: number };

/** A simulated list that changes while a test reads it. */
export class SandboxList {
	/** Records of the list at the time of each request, ordered by updated_at. */
	readonly moments: Item[][] = [];
	private readonly served: ReturnType<typeof serve>;
	private readonly changes: ReadonlyMap<number, Change>;
	private readonly quirks: ListQuirks;

	constructor(
		records: number,
		quirks: ListQuirks = {},
		changes: SandboxList['changes'] = new Map(),
	) {
		this.served = serve({ ...quirks, records });
		this.changes = changes;
		this.quirks = quirks;
	}

	get items(): Item[] {
		const { table } = this.served;
		const order = table.slice('updated_at', 0, table.count);
		return order.map((index) => JSON.parse(table.textOf(index)) as Item);
	}

	readonly servePage = async (request: PageRequest): Promise<ListEnvelope> => {
		this.change(this.changes.get(this.moments.length));
		this.moments.push(this.items);
		const { pages, largestPage = Infinity } = this.quirks;
		const limit = Math.min(request.limit, largestPage);
		if (!('page' in request)) return await this.served.servePage({ ...request, limit });
		const { page, ...asked } = request;
		const isAfter = (page - 1) * limit >= this.served.table.count;
		if (pages === 'refused' || (pages === 'refusedAtEnd' && isAfter))
			throw new ServiceFailure('status', { statusCode: 400 });
		const isIgnored = pages?.startsWith('ignored');
		const sent = { ...asked, limit };
		const answer = await this.served.servePage(isIgnored ? sent : { ...sent, page });
		if (pages === 'ignoredSilently') answer.meta.pagination.page = page;
		return answer;
	};

	private change(change: Change | undefined): void {
		const { table } = this.served;
		const now = clockStart + this.moments.length + 1;
		if (change?.kind === 'create') table.create(change.howMany, now);
		if (change?.kind !== 'update' && change?.kind !== 'remove') return;
		const ids = this.items.map(({ id }) => id);
		const place = change.place % Math.max(1, ids.length);
		if (change.kind === 'update') table.update(ids.slice(place, place + change.howMany), now);
		else table.remove(ids.slice(place, place + 1));
	}
}

/** Returns the newest records, newest first. */
export const newestOf = (items: readonly Item[], howMany: number): Item[] =>
	items.slice(-howMany).reverse();
