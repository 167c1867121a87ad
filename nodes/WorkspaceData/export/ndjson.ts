import type { FileFormat } from './file-writer';
import { eachMember, endOfValue, memberName, onOneLine, type RawRecords } from './raw-records';

/**
 * Newline-delimited JSON: one record per line, its text as the service sent it. With `fields`, each line keeps the
 * text of those values, in the order of `fields`.
 *
 * @param fields top-level fields to keep; undefined keeps all
 */
export function createNdjsonFormat(fields: readonly string[] | undefined): FileFormat {
	return {
		extension: 'ndjson',
		mimeType: 'application/x-ndjson',
		header: () => '',
		widen: (lines) => lines,
		format: (records, count) => {
			const hasLineBreaks = /[\r\n]/.test(records.text);
			const lineOf = (index: number): string => {
				const json =
					fields === undefined
						? records.text.slice(records.starts[index], records.ends[index])
						: selectFields(records, index, fields);
				return hasLineBreaks ? onOneLine(json) : json;
			};
			return {
				count,
				columns: 0,
				textOf: (from, to) => {
					let text = '';
					for (let index = from; index < to; index++) text += `${lineOf(index)}\n`;
					return text;
				},
			};
		},
	};
}

function selectFields(
	{ text, starts }: RawRecords,
	index: number,
	fields: readonly string[],
): string {
	const values = new Map<string, string>();
	eachMember(text, starts[index], (nameStart, nameEnd, valueStart) => {
		const end = endOfValue(text, valueStart);
		const name = memberName(text, nameStart, nameEnd);
		if (fields.includes(name)) values.set(name, text.slice(valueStart, end));
		return end;
	});
	const members: string[] = [];
	for (const field of fields) {
		const value = values.get(field);
		if (value !== undefined) members.push(`${JSON.stringify(field)}:${value}`);
	}
	return `{${members.join(',')}}`;
}
