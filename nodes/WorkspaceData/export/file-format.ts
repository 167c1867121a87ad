import { onOneLine, type RawRecords } from '../../client/raw-records';
import { findFields } from '../../common/panel/kept-fields';

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

/** Newline-delimited JSON: each record as the service sent it, or the text of these fields in this order. */
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

/** JSON that is made of parts: the text of a value, or an object of more parts. */
type Part = string | Map<string, Part>;

function selectFields(text: string, start: number, fields: readonly string[]): string {
	const found = findFields(text, start, fields);
	const record = new Map<string, Part>();
	for (const field of fields) {
		const { path, json } = found.get(field) ?? {};
		if (path !== undefined && json !== undefined) put(record, path, json);
	}
	return jsonOf(record);
}

function put(object: Map<string, Part>, [name, ...more]: string[], json: string): void {
	const part = more.length === 0 ? json : (object.get(name) ?? new Map<string, Part>());
	object.set(name, part);
	// What is there as a whole has all that is inside it.
	if (typeof part !== 'string') put(part, more, json);
}

function jsonOf(part: Part): string {
	if (typeof part === 'string') return part;
	const members = [...part].map(([name, inside]) => `${JSON.stringify(name)}:${jsonOf(inside)}`);
	return `{${members.join()}}`;
}
