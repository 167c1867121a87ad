import { describe, expect, test } from 'vitest';
import { createNdjsonFormat } from '../../../../nodes/WorkspaceData/export/file-format.ts';
import { findRecords } from '../../../../nodes/client/raw-records.ts';

function ndjsonOf(text: string, fields?: string[]): string {
	return createNdjsonFormat(fields).linesOf(findRecords(text)).join('');
}

describe('NDJSON', () => {
	test('puts a record that comes over several lines on one', () => {
		const text =
			'{\n  "data": {\n    "items": [\n      {\n\t"id": 1,\r\n\t"t": "a\\nb  c"\n      }\n    ]\n  }\n}';
		expect(ndjsonOf(text)).toBe('{"id": 1,"t": "a\\nb  c"}\n');
	});

	test('keeps the chosen fields with the text of their values', () => {
		const record = '{"b":{"id":3},"id":1.0,"c":2,"\\u0062":[9007199254740993]}';
		expect(ndjsonOf(`{"data":{"items":[${record},{}]}}`, ['id', 'b', 'x"y'])).toBe(
			'{"id":1.0,"b":[9007199254740993]}\n{}\n',
		);
	});
});
