import type { Table } from './table.mts';

/** What a list is read from. */
export type ListedTable = Pick<
	Table,
	'objectType' | 'count' | 'positionOf' | 'rankAfter' | 'slice' | 'textOf'
>;

/** The records of a table that have these values in these fields, in its orders. */
export function recordsWith(table: Table, values: Record<string, unknown>): ListedTable {
	const fields = Object.entries(values);
	const isWanted = (index: number): boolean => {
		const record = JSON.parse(table.textOf(index)) as Record<string, unknown>;
		return fields.every(([name, value]) => record[name] === value);
	};
	const wanted = new Set(table.slice('id', 0, table.count).filter(isWanted));
	const isThere = (index: number): boolean => wanted.has(index);
	return {
		objectType: table.objectType,
		count: wanted.size,
		positionOf: (field, index) => table.positionOf(field, index),
		textOf: (index) => table.textOf(index),
		rankAfter: (field, place) =>
			table.slice(field, 0, table.rankAfter(field, place)).filter(isThere).length,
		slice: (field, rank, howMany) =>
			table
				.slice(field, 0, table.count)
				.filter(isThere)
				.slice(rank, rank + howMany),
	};
}
