import { bodyWithAllDigits, writeJson } from '../../client/exact-json';
import { onOneLine, type RawRecords } from '../../client/raw-records';
import { keepFields } from '../../common/panel/kept-fields';

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

/** Newline-delimited JSON: each record as the service sent it, or these fields in this order, with every digit. */
export function createNdjsonFormat(fields: readonly string[] | undefined): FileFormat {
	return {
		extension: 'ndjson',
		mimeType: 'application/x-ndjson',
		linesOf: ({ text, starts, ends }) => {
			const hasLineBreaks = /[\r\n]/.test(text);
			return starts.map((start, index) => {
				const json = text.slice(start, ends[index]);
				if (fields !== undefined) return `${selectFields(json, fields)}\n`;
				return `${hasLineBreaks ? onOneLine(json) : json}\n`;
			});
		},
	};
}

function selectFields(json: string, fields: readonly string[]): string {
	const record = bodyWithAllDigits({ body: JSON.parse(json), text: json });
	return writeJson(keepFields(record as Record<string, unknown>, fields));
}
