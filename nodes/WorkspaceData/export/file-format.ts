import { bodyWithAllDigits, writeJson } from '../../shared/client/exact-json';
import { onOneLine, type RawRecords } from '../../shared/client/raw-records';
import { pickFields } from '../../shared/panel/record-fields';

/** A file format of an export. Each export needs a new object, because the object can remember columns. */
export interface FileFormat {
	readonly extension: string;
	readonly mimeType: string;
	/** Returns one line of text for each of these records. All lines have the columns known after the last of them. */
	linesOf: (records: RawRecords) => string[];
	/** Number of columns so far, if the format has columns. */
	readonly columns?: number;
	header?: () => string;
	/** Adds empty cells to a line that was written with only `columns` columns, before all columns were known. */
	widened?: (line: string, columns: number) => string;
}

/**
 * Creates the format NDJSON (newline-delimited JSON). A line holds the record as the service sent it, or only the given
 * fields in the given order. Numbers keep all digits.
 */
export function createNdjsonFormat(fields: readonly string[] | undefined): FileFormat {
	return {
		extension: 'ndjson',
		mimeType: 'application/x-ndjson',
		linesOf: ({ text, starts, ends }) => {
			const hasLineBreaks = /[\r\n]/.test(text);
			return starts.map((start, index) => {
				const json = text.slice(start, ends[index]);
				if (fields !== undefined) return `${escapeLineEnds(selectFields(json, fields))}\n`;
				return `${escapeLineEnds(hasLineBreaks ? onOneLine(json) : json)}\n`;
			});
		},
	};
}

/** Escapes rare line separators, because many programs split lines at them, such as Python's splitlines(). */
function escapeLineEnds(json: string): string {
	return json.replace(
		/[\u0085\u2028\u2029]/g,
		(separator) => `\\u${separator.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}

function selectFields(json: string, fields: readonly string[]): string {
	const record = bodyWithAllDigits({ body: JSON.parse(json), text: json });
	return writeJson(pickFields(record as Record<string, unknown>, fields));
}
