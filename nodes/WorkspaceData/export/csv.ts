import { InputProblem } from '../../shared/errors/node-errors';
import type { FileParameters } from './file-options';
import { onOneLine, type RawRecords } from '../../shared/client/raw-records';
import { eachField } from '../../shared/panel/record-fields';
import type { FileFormat } from './file-format';
import { formatNumber } from '../../shared/errors/words';

/** `fields` are the columns in their order, by default every top-level field as it first appears. */
export type CsvOptions = Omit<FileParameters, 'kind' | 'recordsPerFile' | 'fileName'> & {
	fields?: readonly string[];
};

const LINE_END = '\r\n';
/** What Excel and LibreOffice can open. */
const MAX_COLUMNS = 16_384;

/** Writes CSV by RFC 4180 with the chosen delimiter. A new field adds a column. Throws InputProblem for too many columns. */
export class CsvFormat implements FileFormat {
	readonly extension: string;
	readonly mimeType: string;
	private readonly options: CsvOptions;
	/** The index of each column, by the name of its field. */
	private readonly indexes: Map<string, number>;

	constructor(options: CsvOptions) {
		this.options = options;
		// Programs choose the delimiter by the extension: a .csv file with tabs opens as one column.
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
		// Only with the cells of all records is it known how many columns their lines have.
		const rows = starts.map((start) => this.cellsOf(text, start));
		return rows.map((cells) => this.lineOf(cells));
	}

	widened(line: string, columns: number): string {
		// A line of no columns was written as one empty cell.
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

	/** Gives the index of the new column. */
	private addColumn(name: string): number {
		if (this.columns === MAX_COLUMNS) {
			throw new InputProblem(
				`A CSV file can have at most ${formatNumber(MAX_COLUMNS)} columns, and these records have more fields`,
				"Set 'Output As' to NDJSON Files, or name the fields that you need in the option 'Fields'.",
			);
		}
		// A copy: a slice would keep the whole response in memory.
		this.indexes.set(JSON.parse(JSON.stringify(name)) as string, this.columns);
		return this.columns - 1;
	}

	private lineOf(cells: string[]): string {
		cells.length = this.columns;
		// Programs skip a line with nothing on it, so the only cell of a line is never written as nothing.
		return (cells.join(this.options.delimiter) || '""') + LINE_END;
	}
}

/** Spreadsheets read such a cell as a formula, also by a full-width sign or a leading control character. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
/** A lone sign, a number such as -12.50, a phone number such as +49 (30) 12-34; Excel calculates +1-555. */
const NO_FORMULA = /^(?:[+-]|-\d+(?:\.\d+)?|\+(?=[^-]*$|.*[ ()])[ ().-]*\d[\d ().-]*)$/;
/** Every delimiter that can be chosen, since some programs guess it; and spaces at the ends, which some would drop. */
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/** Null is an empty cell, an empty text is `""`, numbers keep their digits, lists and objects stay JSON on one line. */
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

function cellOfText(text: string, { escapeFormulas }: CsvOptions): string {
	if (text === '') return '""';
	const isFormula = FORMULA.test(text) && !NO_FORMULA.test(text);
	return quotedWhereNeeded(escapeFormulas && isFormula ? `'${text}` : text);
}

function quotedWhereNeeded(text: string): string {
	return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
