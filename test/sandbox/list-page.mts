import type { CursorState } from './cursors.mts';
import type { ListPlan, ListRules } from './list-plan.mts';
import type { ListedTable } from './filtered-table.mts';
import type { Unkindness } from './types.mts';

/** What one answer of a list holds: the records' indexes, and where its next_cursor leads. */
export interface ListPage {
	indexes: number[];
	next?: CursorState;
}

type CursorPlan = ListPlan & { mode: 'cursor' };

/** What `meta.pagination.total` says; undefined where it is left out. */
export function totalOf({ count }: ListedTable, { total }: Unkindness): number | undefined {
	if (total === 'absent') return undefined;
	return total === undefined ? count : Math.round(count * total.factor);
}

/** The page that a plan leads to. */
export function pageOf(
	table: ListedTable,
	plan: ListPlan,
	{ unkind, generation }: ListRules,
): ListPage {
	if (plan.limit > (unkind.nothingAbove ?? Infinity)) return { indexes: [] };
	if (plan.mode === 'cursor') return pageByCursor(table, plan, unkind, generation);
	return { indexes: rowsOf(table, plan, (plan.page - 1) * plan.held, plan.held, unkind) };
}

function pageByCursor(
	table: ListedTable,
	plan: CursorPlan,
	unkind: Unkindness,
	generation: number,
): ListPage {
	const { sort, held, page, cursor } = plan;
	const start = startOf(table, plan, unkind);
	// One row more than the page holds tells whether there is a next page.
	const until = unkind.cursorsFreeze ? (cursor?.until ?? lastOf(table, sort)) : undefined;
	const left = until === undefined ? Infinity : table.rankAfter(sort, until) - start;
	const rows = rowsOf(table, plan, start, Math.max(0, Math.min(held + 1, left)), unkind);
	const indexes = rows.slice(0, held);
	const { count, at } = unkind.emptyPages ?? { count: 0, at: 0 };
	const given = cursor?.emptyPages ?? 0;
	const next = (position: CursorState['position'], more: Partial<CursorState>): CursorState => ({
		objectType: table.objectType,
		sort,
		position,
		until,
		page,
		emptyPages: given,
		limit: plan.limit,
		offset: start,
		generation,
		...more,
	});
	if (given < count && start <= at && at < start + indexes.length) {
		return { indexes: [], next: next(cursor?.position, { emptyPages: given + 1 }) };
	}
	const { trailingCursor } = unkind;
	if (cursor !== undefined && rows.length <= held && trailingCursor === 'toItself')
		return { indexes, next: next(cursor.position, {}) };
	if (indexes.length === 0 && trailingCursor === 'toEmpty')
		return { indexes, next: cursor && next(cursor.position, {}) };
	const isLast = rows.length < held || (rows.length === held && trailingCursor !== true);
	if (isLast && trailingCursor !== 'toEmpty') return { indexes };
	const last = table.positionOf(sort, indexes.at(-1) as number);
	return { indexes, next: next(last, { page: page + 1, offset: start + indexes.length }) };
}

/** Where the last record of an order is now. */
function lastOf(table: ListedTable, sort: CursorPlan['sort']): CursorState['until'] {
	const [last] = table.slice(sort, Math.max(0, table.count - 1), 1);
	return last === undefined ? undefined : table.positionOf(sort, last);
}

/** How many records come before the cursor's page. */
function startOf(
	table: ListedTable,
	{ sort, cursor, page, held, limit }: CursorPlan,
	{ descending, cursorsCountPages, cursorsArePositions }: Unkindness,
): number {
	if (cursorsCountPages) return (page - 1) * (cursorsCountPages === 'ofLimit' ? limit : held);
	if (cursorsArePositions) return cursor?.offset ?? 0;
	const position = cursor?.position;
	if (position === undefined) return 0;
	if (!descending) return table.rankAfter(sort, position);
	const { time, index } = position;
	return table.count - table.rankAfter(sort, { time, index: index - 1 });
}

/** Up to so many rows as the database gives them, from a rank (from 0) in the order of the list. */
function rowsOf(
	table: ListedTable,
	{ sort }: ListPlan,
	start: number,
	wanted: number,
	{ rowCap = Infinity, descending }: Unkindness,
): number[] {
	const howMany = Math.min(wanted, rowCap);
	if (!descending || sort === 'id') return table.slice(sort, start, howMany);
	const end = Math.max(0, table.count - start);
	const from = Math.max(0, end - howMany);
	return table.slice(sort, from, end - from).reverse();
}
