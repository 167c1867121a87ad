import { InputProblem } from '../../shared/errors/node-errors';
import type { FileParameters } from './file-options';
import { onOneLine, type RawRecords } from '../../shared/client/raw-records';
import { eachField } from '../../shared/panel/record-fields';
import type { FileFormat } from './file-format';
import { formatNumber } from '../../shared/errors/words';

/** Options of a CSV file. `fields` are the columns in order. By default, every top-level field is a column. */
export type CsvOptions = Omit<FileParameters, 'kind' | 'recordsPerFile' | 'fileName'> & {
	fields?: readonly string[];
};

const LINE_END = '\r\n';
/** Maximum number of columns that Excel and LibreOffice can open. */
const MAX_COLUMNS = 16_384;

/** Writes CSV (RFC 4180). Each new field adds a column. Throws InputProblem if there are too many columns. */
export class CsvFormat implements FileFormat {
	readonly extension: string;
	readonly mimeType: string;
	private readonly options: CsvOptions;
	/** Column indexes by field name. */
	private readonly indexes: Map<string, number>;

	constructor(options: CsvOptions) {
		this.options = options;
		// Programs choose the delimiter by the file extension, so a .csv file with tabs would open as one column.
		const hasTabs = options.delimiter === '\t';
		this.extension = hasTabs ? 'tsv' : 'csv';
		this.mimeType = hasTabs ? 'text/tab-separated-values' : 'text/csv';
		this.indexes = new Map(options.fields?.map((name, index) => [name, index]));
	}

	get columns(): number {
		return this.indexes.size;
	}

	header(): string {
		const cells = [...this.indexes.keys()].map((name) => cellOfText(name, this.options));
		return (this.options.isForExcel ? '\ufeff' : '') + this.lineOf(cells);
	}

	linesOf({ text, starts }: RawRecords): string[] {
		// Read all records before writing a line, because each record can add a column to all lines.
		const rows = starts.map((start) => this.cellsOf(text, start));
		return rows.map((cells) => this.lineOf(cells));
	}

	widened(line: string, columns: number): string {
		// A line without columns counts as one column, because it was written as one empty cell.
		const cells = this.options.delimiter.repeat(this.columns - Math.max(1, columns));
		return line.slice(0, -LINE_END.length) + cells + LINE_END;
	}

	private cellsOf(text: string, start: number): string[] {
		const cells: string[] = [];
		eachField(text, start, this.options.fields, (name, json) => {
			const index = this.indexes.get(name) ?? this.addColumn(name);
			cells[index] = cellOfJson(json, this.options);
		});
		return cells;
	}

	/** Adds a column and returns its index. Throws InputProblem if there are already 16,384 columns. */
	private addColumn(name: string): number {
		if (this.columns === MAX_COLUMNS) {
			throw new InputProblem(
				`A CSV file can have at most ${formatNumber(MAX_COLUMNS)} columns, and these records have more fields`,
				"Set 'Output As' to NDJSON Files, or name the fields that you need in the option 'Fields'.",
			);
		}
		// Copy the name. A slice of the response text would keep the whole response in memory.
		this.indexes.set(JSON.parse(JSON.stringify(name)) as string, this.columns);
		return this.columns - 1;
	}

	private lineOf(cells: string[]): string {
		cells.length = this.columns;
		// Programs skip an empty line, so a line with one empty cell gets quotes.
		return (cells.join(this.options.delimiter) || '""') + LINE_END;
	}
}

/** Matches text that spreadsheets read as a formula because of its first character. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
/**
 * Matches text that only looks like a formula: a single sign, a number (-12.50) or a phone number (+49 (30) 12-34).
 * Does not match +1-555, because a spreadsheet would calculate it.
 */
const NO_FORMULA = /^(?:[+-]|-\d+(?:\.\d+)?|\+(?=[^-]*$|.*[ ()])[ ().-]*\d[\d ().-]*)$/;
/** Matches text that needs quotes. Some programs guess the delimiter, or drop spaces at the ends. */
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/** Returns the CSV cell for a JSON value. Null becomes an empty cell, empty text `""`. Lists and objects stay JSON. */
function cellOfJson(json: string, options: CsvOptions): string {
	const first = json.charAt(0);
	if (first === '"') {
		const text = json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);
		return cellOfText(text, options);
	}
	if (json === 'null') return '';
	if (first === '{' || first === '[') return quotedIfNeeded(onOneLine(json));
	// A number such as -5 begins like a formula, but every spreadsheet reads it as a number.
	return json.replace('.', options.decimalSign);
}

function cellOfText(text: string, { escapeFormulas }: CsvOptions): string {
	if (text === '') return '""';
	const isFormula = FORMULA.test(text) && !NO_FORMULA.test(text);
	return quotedIfNeeded(escapeFormulas && isFormula ? `'${text}` : text);
}

function quotedIfNeeded(text: string): string {
	return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
