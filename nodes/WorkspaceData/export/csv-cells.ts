// nodes/WorkspaceData/export/: lists as NDJSON and CSV files, of which one is in memory at a time.

import { onOneLine } from './raw-records';

/** How values become cells. */
export interface CellOptions {
	/** Put an apostrophe before text that a spreadsheet would run as a formula. */
	escapeFormulas: boolean;
}

const QUOTE = 34;

/** What makes spreadsheets read a cell as a formula, full-width signs and leading control characters included. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * Separators and quotes need quoting (RFC 4180); spaces at the ends are lost by some programs without it. Every
 * delimiter that can be chosen counts: programs that guess it would otherwise count the wrong one.
 */
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/**
 * A JSON value as a cell of a CSV file (RFC 4180). Null is an empty cell, an empty text is `""`, numbers keep their
 * digits as they were sent, lists and objects stay JSON on one line.
 *
 * @param json text of one JSON value
 */
export function cellOfJson(json: string, options: CellOptions): string {
	if (json.charCodeAt(0) === QUOTE) return cellOfText(textOfJson(json), options);
	if (json === 'null') return '';
	// What is left: numbers, booleans, lists and objects. None of them can begin like a formula, but for "-5",
	// which is a number in JSON and in every spreadsheet.
	const first = json.charCodeAt(0);
	const isNested = first === 123 || first === 91;
	return isNested ? quotedWhereNeeded(onOneLine(json)) : json;
}

/** Text as a cell; also used for the names of the columns. */
export function cellOfText(text: string, { escapeFormulas }: CellOptions): string {
	if (text === '') return '""';
	return quotedWhereNeeded(escapeFormulas && FORMULA.test(text) ? `'${text}` : text);
}

function textOfJson(json: string): string {
	return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);
}

function quotedWhereNeeded(text: string): string {
	return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
