// nodes/WorkspaceData/export/: lists as NDJSON and CSV files, of which one is in memory at a time.

import { InputProblem } from '../../common/errors';
import type { FileParameters } from './parameters';
import { eachMember, onOneLine } from '../../lists/raw-records';
import type { FileFormat } from './file-format';

/** The columns in their order, by default every top-level field as it first appears; and how cells are written. */
export type CsvOptions = { fields?: readonly string[] } & Pick<
	FileParameters,
	'escapeFormulas' | 'delimiter' | 'decimalSign' | 'isForExcel' | 'lineEnd'
>;

/** What Excel and LibreOffice can open. */
const MOST_COLUMNS = 16_384;

/**
 * CSV by RFC 4180, or with another delimiter or line end: a header, then one line per record. Columns are the top-level
 * fields. A field that comes later adds a column to the file under way, and the lines before it get an empty cell when
 * the file is stored. Making lines throws InputProblem where there would be too many columns.
 */
export function createCsvFormat(options: CsvOptions): FileFormat {
	const { fields, delimiter, isForExcel, lineEnd } = options;
	const columns = new Map<string, number>(fields?.map((name, place) => [name, place]));
	let isRounded = false;
	// A line of no columns is written as one empty cell.
	const width = (): number => Math.max(1, columns.size);

	/** -1 for a field that is not wanted. */
	function columnOf(name: string): number {
		const known = columns.get(name);
		if (known !== undefined || fields !== undefined) return known ?? -1;
		if (columns.size === MOST_COLUMNS) {
			throw new InputProblem(
				`A CSV file can have at most ${MOST_COLUMNS.toLocaleString('en-US')} columns, and these records have more fields`,
				'Set Output As to NDJSON Files, or name the fields that you need in the option Field Names or IDs.',
			);
		}
		// A copy: a slice would keep the whole response in memory.
		columns.set(JSON.parse(JSON.stringify(name)) as string, columns.size);
		return columns.size - 1;
	}

	/** The cells of a record, each at the place of its column; one that it lacks is left out. */
	function cellsOf(text: string, start: number): string[] {
		const cells: string[] = [];
		eachMember(text, start, (name, valueStart, valueEnd) => {
			const column = columnOf(name);
			if (column < 0) return;
			const cell = cellOfJson(text.slice(valueStart, valueEnd), options);
			isRounded ||= isForExcel && isLongNumber(cell);
			cells[column] = cell;
		});
		return cells;
	}

	/** One line of cells; a cell that is not there is empty. */
	function lineOf(cells: string[]): string {
		cells.length = columns.size;
		// Programs skip a line with nothing on it, so the only cell of a line is never written as nothing.
		return (cells.join(delimiter) || '""') + lineEnd;
	}

	return {
		extension: 'csv',
		mimeType: 'text/csv',
		lineEnd,
		header: () => {
			const cells = [...columns.keys()].map((name) => cellOfText(name, options));
			return (isForExcel ? '\ufeff' : '') + lineOf(cells);
		},
		linesOf: ({ text, starts }, count) =>
			starts
				.slice(0, count)
				.map((start) => cellsOf(text, start))
				.map(lineOf),
		columns: width,
		missingAfter: (written) => delimiter.repeat(width() - written),
		warning: () => (isRounded ? ROUNDED : undefined),
	};
}

/** The digits that Excel keeps of a number. */
const EXCEL_DIGITS = 15;
const ROUNDED = `Excel keeps ${EXCEL_DIGITS} digits of a number, and some numbers in these files have more. To keep them all, open the file in Excel by <b>Data</b> > <b>From Text/CSV</b> and set their columns to Text.`;

/** Whether Excel would round a cell; zeros at its end are no loss. Text of digits counts: Excel takes it for a number. */
function isLongNumber(cell: string): boolean {
	const isNumber = cell.length > EXCEL_DIGITS && /^[+-]?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i.test(cell);
	const digits = isNumber ? cell.replace(/^[^1-9]+|e.*|\D/gi, '') : '';
	return /[1-9]/.test(digits.slice(EXCEL_DIGITS));
}

/** What makes spreadsheets read a cell as a formula, full-width signs and leading control characters included. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** What begins like one and is none: a lone sign, a number such as -12.50, a phone number such as +49 (30) 12-34. */
const NO_FORMULA = /^(?:[+-]|-\d+(?:\.\d+)?|\+[ ().-]*\d[\d ().-]*)$/;

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
	if (first === '{' || first === '[') return quotedWhereNeeded(onOneLine(json));
	// What is left begins like a formula only as "-5", which is a number in JSON and in every spreadsheet.
	return json.replace('.', options.decimalSign);
}

/** Text as a cell; also used for the names of the columns. */
function cellOfText(text: string, { escapeFormulas }: CsvOptions): string {
	if (text === '') return '""';
	const isFormula = FORMULA.test(text) && !NO_FORMULA.test(text);
	return quotedWhereNeeded(escapeFormulas && isFormula ? `'${text}` : text);
}

function quotedWhereNeeded(text: string): string {
	return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
