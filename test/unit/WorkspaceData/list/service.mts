import { readBody } from '../../../../nodes/client/envelope.ts';
import { ServiceFailure } from '../../../../nodes/client/failures.ts';
import type { Answer } from '../../../../nodes/client/request.ts';

/** What goes wrong with one answer. `repeatCursor` names the cursor that was just sent as the next one. */
export type Trouble =
	| 'timeout'
	| 'status'
	| 'notJson'
	| 'noItems'
	| 'noPagination'
	| 'oddCursor'
	| 'repeatCursor';

/** A service of the specification's lists, as unkind as it may be. */
export interface UnkindService {
	/** The JSON text of each record, in the order of the list. Their field `n` counts from 0. */
	records: string[];
	/** No page holds more, and `page_size` says so only where the cap is honest. */
	cap?: { size: number; isHonest: boolean };
	/** A larger limit is refused. */
	refusesAbove?: number;
	/** Every page holds so many records more than asked for, if there are any. */
	extraRecords: number;
	/** Before every so-manieth record there is an empty page with a next cursor; 0 for none. */
	emptyPageEvery: number;
	/** Whether the page with the last record still names a next cursor. */
	hasTrailingCursor: boolean;
	/** By number: `page` is ignored, and the answer admits it or repeats the number that was asked for. */
	pageIgnored?: 'admitted' | 'denied';
	/** From this request on, by number: so many records are there more at the end, or fewer at the beginning. */
	change?: { at: number; by: number };
	/** By the number of the request, from 0. */
	troubles: ReadonlyMap<number, Trouble>;
}

/** The query of a list request. */
interface Query {
	limit: number;
	cursor?: string;
	page?: number;
}

/** One run's view of the service: counts its requests. */
export class ListService {
	requests = 0;
	private readonly service: UnkindService;
	private list: string[];

	constructor(service: UnkindService) {
		this.service = service;
		this.list = this.listAfter(0);
	}

	/** All records that the list has by now, those included that came while it was read. */
	get recordsNow(): string[] {
		return this.list;
	}

	/** In the place of `Client.answer`. */
	async answer(request: { query?: unknown }): Promise<Answer> {
		const number = this.requests++;
		const text = this.textFor(request.query as Query, number);
		return { body: readBody({ statusCode: 200, headers: {}, text }, 0), text, tookMs: 0 };
	}

	private textFor(query: Query, number: number): string {
		const { refusesAbove = Infinity, troubles } = this.service;
		const trouble = troubles.get(number);
		if (query.limit > refusesAbove) throw new ServiceFailure('status', { statusCode: 413 });
		if (trouble === 'timeout') throw new ServiceFailure('timeout', { timeoutMs: 1 });
		if (trouble === 'status') throw new ServiceFailure('status', { statusCode: 500 });
		if (trouble === 'notJson') return '<html>"items" "pagination"</html>';
		this.list = this.listAfter(number);
		const { items, pagination } =
			query.page === undefined ? this.byCursor(query) : this.byNumber(query, query.page);
		if (trouble === 'repeatCursor' && query.cursor) pagination.next_cursor = query.cursor;
		if (trouble === 'oddCursor') pagination.next_cursor = 7;
		const data = trouble === 'noItems' ? '{}' : `{"items":[${items.join(',')}]}`;
		const meta = trouble === 'noPagination' ? {} : { pagination };
		return `{"success":true,"data":${data},"meta":${JSON.stringify(meta)}}`;
	}

	private listAfter(number: number): string[] {
		const { records, change } = this.service;
		if (change === undefined) return records;
		const isChanged = number >= change.at;
		if (change.by > 0) return isChanged ? records : records.slice(0, -change.by);
		return isChanged ? records.slice(-change.by) : records;
	}

	private byCursor({ limit, cursor }: Query): Page {
		const { extraRecords, emptyPageEvery, hasTrailingCursor } = this.service;
		const from = cursor === undefined ? 0 : positionOf(cursor);
		const total = this.list.length;
		const isEmpty = emptyPageEvery > 0 && from % emptyPageEvery === 0 && !cursor?.endsWith('e');
		const count = isEmpty ? 0 : Math.min(limit, this.cap) + extraRecords;
		const items = this.list.slice(from, from + count);
		const to = from + items.length;
		const pagination: Page['pagination'] = { page: 1, page_size: limit, total };
		const isTrailing = hasTrailingCursor && items.length > 0;
		if (isEmpty || to < total || isTrailing) {
			pagination.next_cursor = `at-${to}${isEmpty ? 'e' : ''}`;
		}
		return { items, pagination };
	}

	private byNumber({ limit }: Query, asked: number): Page {
		const { extraRecords, pageIgnored, cap } = this.service;
		const size = cap?.isHonest ? Math.min(limit, cap.size) : limit;
		const from = pageIgnored === undefined ? (asked - 1) * size : 0;
		const items = this.list.slice(from, from + Math.min(size, this.cap) + extraRecords);
		const page = pageIgnored === 'admitted' ? 1 : asked;
		return { items, pagination: { page, page_size: size, total: this.list.length } };
	}

	private get cap(): number {
		return this.service.cap?.size ?? Infinity;
	}
}

interface Page {
	items: string[];
	pagination: { page: number; page_size: number; total: number; next_cursor?: unknown };
}

/** How many records of the list are before the place that a cursor names. */
export function positionOf(cursor: string): number {
	return Number(/^at-(\d+)e?$/.exec(cursor)?.[1]);
}

/** The cursor after so many records. */
export function cursorAt(position: number): string {
	return `at-${position}`;
}
