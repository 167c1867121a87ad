import { eachMember, onOneLine, type RawRecords } from '../../lists/raw-records';

/** A file format that a list can be exported to. One object serves one export: it may remember what it has seen. */
export interface FileFormat {
	/** Without a dot. */
	readonly extension: string;
	readonly mimeType: string;
	/** The lines of these records, all with as many columns as there are then. */
	linesOf: (records: RawRecords) => string[];
	/** How many columns lines have now, in a format that has some. */
	readonly columns?: number;
	/** What a file begins with, by the columns that there are now. */
	header?: () => string;
	/** A line that was made with fewer columns, with an empty cell for each that has come since. */
	widened?: (line: string, columns: number) => string;
	/** What a person should know of the lines made so far, as a hint of n8n. */
	readonly warning?: string;
}

/** Newline-delimited JSON: each record as the service sent it, or the text of these top-level fields in this order. */
export function createNdjsonFormat(fields: readonly string[] | undefined): FileFormat {
	return {
		extension: 'ndjson',
		mimeType: 'application/x-ndjson',
		linesOf: ({ text, starts, ends }) => {
			const hasLineBreaks = /[\r\n]/.test(text);
			return starts.map((start, index) => {
				const json = fields ? selectFields(text, start, fields) : text.slice(start, ends[index]);
				return `${hasLineBreaks ? onOneLine(json) : json}\n`;
			});
		},
	};
}

function selectFields(text: string, start: number, fields: readonly string[]): string {
	const values = new Map<string, string>();
	eachMember(text, start, (name, valueStart, valueEnd) => {
		if (fields.includes(name)) values.set(name, text.slice(valueStart, valueEnd));
	});
	const kept = fields.filter((field) => values.has(field));
	return `{${kept.map((field) => `${JSON.stringify(field)}:${values.get(field)}`).join()}}`;
}
