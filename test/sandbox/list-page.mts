import type { CursorState } from './cursors.mts';
import type { ListPlan, ListRules } from './list-plan.mts';
import type { ListedTable } from './filtered-table.mts';
import type { Quirks } from './types.mts';

/**
 * Page of a list. `indexes` are the indexes of its records. `next` is the content of `next_cursor`, or undefined for no
 * cursor.
 */
export interface ListPage {
	indexes: number[];
	next?: CursorState;
}

type CursorPlan = ListPlan & { mode: 'cursor' };

/** Values of the quirk `trailingCursor` with which the cursor of the last page leads back to an earlier page. */
const ROUNDS = new Set<Quirks['trailingCursor']>(['toBeginning', 'toNewRound', 'toMiddle']);

/** Returns `meta.pagination.total` of a page. Returns undefined if a quirk omits the total. */
export function totalOf(
	table: ListedTable,
	{ total, hidden }: Quirks,
	plan: ListPlan,
): number | undefined {
	const isFirst = plan.page === 1 && (plan.mode === 'page' || plan.cursor === undefined);
	if (total === 'absent' || (total === 'onFirstPage' && !isFirst)) return undefined;
	const count = hidden ? visible(table.slice('id', 0, table.count), hidden).length : table.count;
	return typeof total === 'object' ? Math.round(count * total.factor) : count;
}

/**
 * Removes the records that the quirk `hidden` hides. The page is not filled up with other records, so it becomes
 * shorter.
 */
function visible(indexes: number[], hidden: Quirks['hidden']): number[] {
	return hidden ? indexes.filter((index) => index % hidden.every !== 0) : indexes;
}

/** Returns the requested page of a list. */
export function pageOf(
	table: ListedTable,
	plan: ListPlan,
	{ quirks, generation }: ListRules,
): ListPage {
	if (plan.limit > (quirks.emptyPageAbove ?? Infinity)) return { indexes: [] };
	if (plan.mode === 'cursor') {
		const page = pageByCursor(table, plan, quirks, generation);
		return { ...page, indexes: visible(page.indexes, quirks.hidden) };
	}
	return {
		indexes: rowsOf(table, plan, (plan.page - 1) * plan.pageLength, plan.pageLength, quirks),
	};
}

function pageByCursor(
	table: ListedTable,
	plan: CursorPlan,
	quirks: Quirks,
	generation: number,
): ListPage {
	const { sort, pageLength, page, cursor } = plan;
	const start = startOf(table, plan, quirks);
	// Read one row more than fits on the page. If this row exists, there is a next page.
	const until = quirks.cursorsFreeze ? (cursor?.until ?? lastOf(table, sort)) : undefined;
	const remaining = until === undefined ? Infinity : table.rankAfter(sort, until) - start;
	const rows = rowsOf(table, plan, start, Math.max(0, Math.min(pageLength + 1, remaining)), quirks);
	const indexes = rows.slice(0, pageLength);
	const { count, at } = quirks.emptyPages ?? { count: 0, at: 0 };
	const sentEmptyPages = cursor?.emptyPages ?? 0;
	const next = (position: CursorState['position'], more: Partial<CursorState>): CursorState => ({
		objectType: table.objectType,
		sort,
		position,
		until,
		page,
		emptyPages: sentEmptyPages,
		limit: plan.limit,
		offset: start,
		generation,
		round: cursor?.round,
		...more,
	});
	if (sentEmptyPages < count && start <= at && at < start + indexes.length) {
		return { indexes: [], next: next(cursor?.position, { emptyPages: sentEmptyPages + 1 }) };
	}
	const { trailingCursor } = quirks;
	const isEnd = rows.length <= pageLength;
	if (cursor !== undefined && isEnd && ROUNDS.has(trailingCursor)) {
		const pages = Math.ceil((start + indexes.length) / pageLength);
		const first = trailingCursor === 'toMiddle' ? Math.floor(pages / 2) : 0;
		const [before] = first > 0 ? rowsOf(table, plan, first * pageLength - 1, 1, quirks) : [];
		const position = before === undefined ? undefined : table.positionOf(sort, before);
		const round = (cursor.round ?? 0) + (trailingCursor === 'toNewRound' ? 1 : 0);
		return {
			indexes,
			next: next(position, { page: first + 1, offset: first * pageLength, round }),
		};
	}
	if (cursor !== undefined && isEnd && trailingCursor === 'toItself')
		return { indexes, next: cursor };
	if (indexes.length === 0 && trailingCursor === 'toEmpty')
		return { indexes, next: cursor && next(cursor.position, {}) };
	const isLast =
		rows.length < pageLength || (rows.length === pageLength && trailingCursor !== true);
	if (isLast && trailingCursor !== 'toEmpty') return { indexes };
	const last = table.positionOf(sort, indexes.at(-1) as number);
	if (quirks.cursorsInclusive) {
		const index = quirks.cursorsInclusive === 'date' ? 0 : last.index;
		return { indexes, next: next({ ...last, index }, { page: 0, offset: 0 }) };
	}
	return { indexes, next: next(last, { page: page + 1, offset: start + indexes.length }) };
}

/** Returns the position of the last record in a sort order. Returns undefined if the list is empty. */
function lastOf(table: ListedTable, sort: CursorPlan['sort']): CursorState['until'] {
	const [last] = table.slice(sort, Math.max(0, table.count - 1), 1);
	return last === undefined ? undefined : table.positionOf(sort, last);
}

/** Returns the number of records that come before the requested page. */
function startOf(
	table: ListedTable,
	{ sort, cursor, page, pageLength, limit }: CursorPlan,
	{ descending, cursorsCountPages, cursorsArePositions, cursorsInclusive }: Quirks,
): number {
	if (cursorsCountPages) return (page - 1) * (cursorsCountPages === 'ofLimit' ? limit : pageLength);
	if (cursorsArePositions) return cursor?.offset ?? 0;
	const position = cursor?.position;
	if (position === undefined) return 0;
	const { time, index } = position;
	if (cursorsInclusive) return table.rankAfter(sort, { time, index: index - 1 });
	if (!descending) return table.rankAfter(sort, position);
	return table.count - table.rankAfter(sort, { time, index: index - 1 });
}

/**
 * Returns up to `wanted` rows of the list, beginning at row `start` (from 0). The quirk `rowCap` can limit the number
 * of rows further.
 */
function rowsOf(
	table: ListedTable,
	{ sort }: ListPlan,
	start: number,
	wanted: number,
	{ rowCap = Infinity, descending }: Quirks,
): number[] {
	const howMany = Math.min(wanted, rowCap);
	if (!descending || sort === 'id') return table.slice(sort, start, howMany);
	const end = Math.max(0, table.count - start);
	const from = Math.max(0, end - howMany);
	return table.slice(sort, from, end - from).reverse();
}
