import type { Table } from './table.mts';

/** Members of `Table` that are needed to read a list. */
export type ListedTable = Pick<
	Table,
	'objectType' | 'count' | 'positionOf' | 'rankAfter' | 'slice' | 'textOf'
>;

/** Returns a view of a table that contains only the records with these field values. */
export function recordsWith(table: Table, values: Record<string, unknown>): ListedTable {
	const fields = Object.entries(values);
	const hasValues = (index: number): boolean => {
		const record = JSON.parse(table.textOf(index)) as Record<string, unknown>;
		return fields.every(([name, value]) => record[name] === value);
	};
	const selected = new Set(table.slice('id', 0, table.count).filter(hasValues));
	const isSelected = (index: number): boolean => selected.has(index);
	return {
		objectType: table.objectType,
		count: selected.size,
		positionOf: (field, index) => table.positionOf(field, index),
		textOf: (index) => table.textOf(index),
		rankAfter: (field, position) =>
			table.slice(field, 0, table.rankAfter(field, position)).filter(isSelected).length,
		slice: (field, rank, howMany) =>
			table
				.slice(field, 0, table.count)
				.filter(isSelected)
				.slice(rank, rank + howMany),
	};
}
