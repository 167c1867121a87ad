import { bodyWithAllDigits, writeJson } from '../../shared/client/exact-json';
import { onOneLine, type RawRecords } from '../../shared/client/raw-records';
import { pickFields } from '../../shared/panel/record-fields';

/** A file format that a list can be exported to. One object serves one export: it may remember what it has seen. */
export interface FileFormat {
	readonly extension: string;
	readonly mimeType: string;
	/** All lines get the columns known after the last record. */
	linesOf: (records: RawRecords) => string[];
	/** How many there are now, in a format that has columns. */
	readonly columns?: number;
	header?: () => string;
	/** A line that was made with fewer columns, with an empty cell for each that has come since. */
	widened?: (line: string, columns: number) => string;
}

/**
 * Creates the format of newline-delimited JSON. A line holds the record as the service sent it, or these fields in this
 * order, with every digit.
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

/** Escapes the characters in JSON texts at which many readers of lines split a line (Python's splitlines, for example). */
function escapeLineEnds(json: string): string {
	return json.replace(
		/[\u0085\u2028\u2029]/g,
		(end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}

function selectFields(json: string, fields: readonly string[]): string {
	const record = bodyWithAllDigits({ body: JSON.parse(json), text: json });
	return writeJson(pickFields(record as Record<string, unknown>, fields));
}
