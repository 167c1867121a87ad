// nodes/WorkspaceData/export/: lists as NDJSON and CSV files, of which one is in memory at a time.

import {
	eachMember,
	endOfValue,
	memberName,
	onOneLine,
	type FileFormat,
	type Stretch,
} from './raw-records';

/** How a CSV file is written. */
export interface CsvOptions {
	/** The columns, in this order; undefined means every top-level field, in the order of its first appearance. */
	fields?: readonly string[];
	/** Begin each file with U+FEFF, by which Excel recognises UTF-8. */
	byteOrderMark: boolean;
	/** Put an apostrophe before text that a spreadsheet would run as a formula. */
	escapeFormulas: boolean;
	/** Between two cells: one ASCII character, and no quote. */
	delimiter: string;
	lineEnd: '\r\n' | '\n';
}

const LINE_FEED = 10;
const QUOTE = 34;

/**
 * CSV by RFC 4180, or with another delimiter or line end: a header, then one line per record. Columns are the top-level
 * fields. A field that comes later adds a column to the file under way, and the lines before it get an empty cell when
 * the file is stored.
 */
export function createCsvFormat(options: CsvOptions): FileFormat {
	const columns = new Columns(options.fields);
	const { names } = columns;
	return {
		extension: 'csv',
		mimeType: 'text/csv',
		header: () => {
			const cells = names.map((name) => cellOfText(name, options));
			return `${options.byteOrderMark ? '\ufeff' : ''}${lineOf(cells, names.length, options)}`;
		},
		linesOf: ({ text, starts }, count) => {
			const rows = starts.slice(0, count).map((start) => cellsOf(text, start, columns, options));
			// A line of no columns is written as one empty cell.
			const width = Math.max(1, names.length);
			return { lines: rows.map((cells) => lineOf(cells, width, options)), columns: width };
		},
		widen: (lines, stretches) => addColumns(lines, stretches, names.length, options),
	};
}

/** The cells of a record, each at the place of its column; one that it lacks is left out. */
function cellsOf(text: string, start: number, columns: Columns, options: CsvOptions): string[] {
	const cells: string[] = [];
	let expected = 0;
	eachMember(text, start, (nameStart, nameEnd, valueStart) => {
		const end = endOfValue(text, valueStart);
		const column = columns.find(text, nameStart, nameEnd, expected);
		if (column >= 0) cells[column] = cellOfJson(text.slice(valueStart, end), options);
		expected = column + 1;
		return end;
	});
	return cells;
}

/** One line of cells; a cell that is not there is empty. */
function lineOf(
	cells: readonly string[],
	columns: number,
	{ delimiter, lineEnd }: CsvOptions,
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
	private readonly places: Map<string, number>;
	private readonly mayGrow: boolean;

	constructor(fields: readonly string[] | undefined) {
		this.names = [...(fields ?? [])];
		this.mayGrow = fields === undefined;
		this.places = new Map(this.names.map((name, place) => [name, place]));
	}

	/**
	 * The column of the member whose name is at that place of the text, -1 when it is not wanted.
	 *
	 * @param expected the column that is most likely, since records mostly have their fields in one order
	 */
	find(text: string, nameStart: number, nameEnd: number, expected: number): number {
		const likely = this.names[expected];
		if (
			likely?.length === nameEnd - nameStart - 2 &&
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
		// A copy: a slice would keep the whole response in memory.
		const copy = JSON.parse(JSON.stringify(name)) as string;
		this.places.set(copy, this.names.length);
		return this.names.push(copy) - 1;
	}
}

/** Gives every line the same number of columns, by empty cells at its end; see `FileFormat.widen`. */
function addColumns(
	lines: Buffer,
	stretches: readonly Stretch[],
	columns: number,
	{ delimiter, lineEnd }: CsvOptions,
): Buffer {
	const missing = stretches.map((stretch) => stretch.records * (columns - stretch.columns));
	const wider = Buffer.allocUnsafe(lines.length + missing.reduce((sum, cells) => sum + cells, 0));
	let copied = 0;
	let written = 0;
	let index = 0;
	let end = 0;
	for (const stretch of stretches) {
		end += stretch.bytes;
		const cells = delimiter.repeat(columns - stretch.columns);
		if (cells === '') index = end;
		let isQuoted = false;
		for (; index < end; index++) {
			const byte = lines[index];
			// A quote inside a cell is doubled, so counting them tells where a cell's own line breaks are.
			if (byte === QUOTE) isQuoted = !isQuoted;
			if (byte !== LINE_FEED || isQuoted) continue;
			const lineEnds = index + 1 - lineEnd.length;
			written += lines.copy(wider, written, copied, lineEnds);
			written += wider.write(cells, written, 'latin1');
			copied = lineEnds;
		}
	}
	lines.copy(wider, written, copied);
	return wider;
}

/** What makes spreadsheets read a cell as a formula, full-width signs and leading control characters included. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * Separators and quotes need quoting (RFC 4180); spaces at the ends are lost by some programs without it. Every
 * delimiter that can be chosen counts: programs that guess it would otherwise count the wrong one.
 */
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/**
 * The text of a JSON value as a cell of a CSV file (RFC 4180). Null is an empty cell, an empty text is `""`, numbers
 * keep their digits as they were sent, lists and objects stay JSON on one line.
 */
function cellOfJson(json: string, options: CsvOptions): string {
	const first = json.charAt(0);
	if (first === '"') {
		const text = json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);
		return cellOfText(text, options);
	}
	if (json === 'null') return '';
	// What is left begins like a formula only as "-5", which is a number in JSON and in every spreadsheet.
	return first === '{' || first === '[' ? quotedWhereNeeded(onOneLine(json)) : json;
}

/** Text as a cell; also used for the names of the columns. */
function cellOfText(text: string, { escapeFormulas }: CsvOptions): string {
	if (text === '') return '""';
	return quotedWhereNeeded(escapeFormulas && FORMULA.test(text) ? `'${text}` : text);
}

function quotedWhereNeeded(text: string): string {
	return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
