import { eachMember, onOneLine, type RawRecords } from '../../client/raw-records';

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
	/** What a person should know of the lines made so far. */
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
