import { cellOfJson, cellOfText, type CellOptions } from './csv-cells';
import { addColumns, type CsvForm } from './csv-columns';
import type { FileFormat, FormattedPage } from './format';
import { eachMember, endOfValue, memberName, type RawRecords } from './raw-records';

/** How a CSV file is written. */
export interface CsvOptions extends CellOptions, CsvForm {
	/** The columns, in this order; undefined takes every top-level field, in the order of its first appearance. */
	fields?: readonly string[];
	/** Begin each file with U+FEFF, by which Excel recognises UTF-8. */
	byteOrderMark: boolean;
}

/**
 * CSV by RFC 4180, or with another delimiter or line end: a header, then one line per record. Columns are the top-level fields. A field that comes later
 * makes the header of the file under way wider, and the lines before it get an empty cell when the file is stored.
 */
export function createCsvFormat(options: CsvOptions): FileFormat {
	const columns = new Columns(options.fields);
	return {
		extension: 'csv',
		mimeType: 'text/csv',
		header: () => {
			const names = columns.names.map((name) => cellOfText(name, options));
			return `${options.byteOrderMark ? '\ufeff' : ''}${lineOf(names, names.length, options)}`;
		},
		format: (records, count) => formatPage(records, count, columns, options),
		widen: (lines, stretches) => addColumns(lines, stretches, columns.names.length, options),
	};
}

function formatPage(
	records: RawRecords,
	count: number,
	columns: Columns,
	options: CsvOptions,
): FormattedPage {
	const { text, starts } = records;
	const rows: string[][] = [];
	let cells: string[] = [];
	let expected = 0;
	const visit = (nameStart: number, nameEnd: number, valueStart: number): number => {
		const end = endOfValue(text, valueStart);
		const column = columns.find(text, nameStart, nameEnd, expected);
		if (column >= 0) cells[column] = cellOfJson(text.slice(valueStart, end), options);
		expected = column + 1;
		return end;
	};
	for (let index = 0; index < count; index++) {
		cells = [];
		expected = 0;
		eachMember(text, starts[index], visit);
		rows.push(cells);
	}
	return {
		count,
		// A line of no columns is written as one empty cell.
		columns: Math.max(1, columns.names.length),
		textOf: (from, to) => {
			let lines = '';
			for (let index = from; index < to; index++) {
				lines += lineOf(rows[index], columns.names.length, options);
			}
			return lines;
		},
	};
}

/** One line of cells; a cell that is not there is empty. */
function lineOf(
	cells: readonly string[],
	columns: number,
	{ delimiter, lineEnd }: CsvForm,
): string {
	// Programs skip a line with nothing on it, so the only cell of a line is never written as nothing.
	if (columns <= 1) return `${cells[0] || '""'}${lineEnd}`;
	let line = cells[0] ?? '';
	for (let column = 1; column < columns; column++) line += `${delimiter}${cells[column] ?? ''}`;
	return line + lineEnd;
}

/** The columns of an export and their order. */
class Columns {
	readonly names: string[];
	private readonly places = new Map<string, number>();
	private readonly mayGrow: boolean;

	constructor(fields: readonly string[] | undefined) {
		this.names = [...(fields ?? [])];
		this.mayGrow = fields === undefined;
		for (const [place, name] of this.names.entries()) this.places.set(name, place);
	}

	/**
	 * The column of the member whose name stands at that place of the text, -1 when it is not wanted.
	 *
	 * @param expected the column that is most likely, since records mostly have their fields in one order
	 */
	find(text: string, nameStart: number, nameEnd: number, expected: number): number {
		const likely = this.names[expected];
		if (
			likely !== undefined &&
			likely.length === nameEnd - nameStart - 2 &&
			text.startsWith(likely, nameStart + 1) &&
			!likely.includes('\\')
		) {
			return expected;
		}
		const name = memberName(text, nameStart, nameEnd);
		return this.places.get(name) ?? this.add(name);
	}

	private add(name: string): number {
		if (!this.mayGrow) return -1;
		// A copy: a piece cut out of the answer would keep the whole answer in memory.
		const copy = JSON.parse(JSON.stringify(name)) as string;
		this.places.set(copy, this.names.length);
		return this.names.push(copy) - 1;
	}
}
