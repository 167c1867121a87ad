import { eachMember, onOneLine } from '../../lists/raw-records';
import type { FileFormat } from './file-format';

/** Newline-delimited JSON: each record as the service sent it, or the text of these top-level fields in this order. */
export function createNdjsonFormat(fields: readonly string[] | undefined): FileFormat {
	return {
		extension: 'ndjson',
		mimeType: 'application/x-ndjson',
		lineEnd: '\n',
		header: () => '',
		columns: () => 0,
		missingAfter: () => '',
		warning: () => undefined,
		linesOf: ({ text, starts, ends }, count) => {
			const hasLineBreaks = /[\r\n]/.test(text);
			return starts.slice(0, count).map((start, index) => {
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
