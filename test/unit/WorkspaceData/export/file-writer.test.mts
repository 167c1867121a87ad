import { parse as parseCsv } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { createNdjsonFormat } from '../../../../nodes/WorkspaceData/export/file-format.ts';
import { FileWriter, type FileFacts } from '../../../../nodes/WorkspaceData/export/file-writer.ts';
import type { FileParameters } from '../../../../nodes/WorkspaceData/export/file-options.ts';
import { findRecords } from '../../../../nodes/shared/client/raw-records.ts';
import type { Task } from '../../../../nodes/WorkspaceData/task.ts';
import { nodeRunOf } from '../parameters-support.mts';
import { plainCsv } from './plain-csv.mts';

interface Stored {
	text: string;
	facts: FileFacts;
}

function writerWith(
	recordsPerFile: number,
	kind: 'ndjson' | 'csv' = 'ndjson',
	form: Partial<FileParameters> = {},
) {
	const stored: Stored[] = [];
	const texts: string[] = [];
	const task = {
		context: {
			evaluateExpression: () => 0,
			helpers: { prepareBinaryData: async (bytes: Buffer) => texts.push(bytes.toString()) },
		},
		output: {
			push: ({ json }: { json: FileFacts }) =>
				stored.push({ text: texts[stored.length], facts: json }),
		},
		nodeRun: nodeRunOf(),
	};
	const files = {
		...plainCsv,
		fileName: undefined,
		kind,
		recordsPerFile,
		...form,
	} as FileParameters;
	const settings = { fields: undefined, name: 'f' };
	const writer = new FileWriter(task as unknown as Task, files, settings);
	return { writer, stored };
}

function page(numbers: number[], cursor?: string, nextCursor?: string, recordsLeftOut = 0) {
	const wanted = numbers.slice(0, numbers.length - recordsLeftOut);
	const records = findRecords(`{"data":{"items":[${wanted.join(',')}]}}`);
	return { records, cursor, nextCursor, pageSize: 9, recordsLeftOut };
}

describe('the file writer', () => {
	test.each([1, 2, 3, 10])(
		'does not mark any file as the last one if Limit left out records, and reports their number (%i per file)',
		async (recordsPerFile) => {
			const { writer, stored } = writerWith(recordsPerFile);
			await writer.add(page([1, 2], undefined, 'b'));
			await writer.add(page([3, 4, 5, 6, 7], 'b', undefined, 3));
			await writer.finish();
			expect(stored.map(({ text }) => text).join('')).toBe('1\n2\n3\n4\n');
			const last = stored.length - 1;
			for (const [index, { facts }] of stored.entries()) {
				expect([facts.recordsLeftOut, facts.isLast]).toEqual([index === last ? 3 : 0, false]);
			}
			expect(stored[last]?.facts.nextCursor).toBeNull();
		},
	);

	test('adds a page to a file if the page just fits, and begins a new file with the next page', async () => {
		const { writer, stored } = writerWith(4);
		await writer.add(page([1, 2], undefined, 'b'));
		await writer.add(page([3, 4], 'b', 'c'));
		await writer.add(page([5, 6], 'c'));
		await writer.finish();
		const files = stored.map(({ text, facts }) => [text, facts.nextCursor]);
		expect(files).toEqual([
			['1\n2\n3\n4\n', 'c'],
			['5\n6\n', null],
		]);
	});

	test('moves the next cursor of a file past an empty page, even if the file is full', async () => {
		const { writer, stored } = writerWith(2);
		await writer.add(page([1], undefined, 'b'));
		await writer.add(page([], 'b', 'c'));
		await writer.add(page([2], 'c', 'd'));
		await writer.add(page([], 'd'));
		await writer.finish();
		const places = { firstCursor: null, lastCursor: 'c', nextCursor: null, isLast: true };
		expect(stored).toMatchObject([{ text: '1\n2\n', facts: { ...places, records: 2, bytes: 4 } }]);
	});

	test.each([',', ';', '\t'] as const)(
		'adds a new column to all lines of the current file, but not to earlier files (delimiter %j)',
		async (delimiter) => {
			const { writer, stored } = writerWith(5, 'csv', { delimiter });
			const add = async (...records: object[]): Promise<void> =>
				await writer.add({ records: findRecords(JSON.stringify({ data: { items: records } })) });
			await add({});
			await add({ id: 1 });
			await add({ id: 3, note: 'a "quoted"\r\nline, and\n"more"' });
			await add({ id: 4, note: '', late: 'x' }, { id: 5 });
			await add({ id: 6, more: 'y', note: '"' });
			await writer.finish();
			const form = { relax_column_count: false, delimiter, record_delimiter: '\r\n' };
			const files = stored.map(({ text }) => parseCsv(text, form));
			expect(files).toEqual([
				[
					['id', 'note', 'late'],
					['', '', ''],
					['1', '', ''],
					['3', 'a "quoted"\r\nline, and\n"more"', ''],
					['4', '', 'x'],
					['5', '', ''],
				],
				[
					['id', 'note', 'late', 'more'],
					['6', '"', '', 'y'],
				],
			]);
			expect(stored.map(({ facts }) => facts.records)).toEqual([5, 1]);
			expect(stored.map(({ facts }) => facts.bytes)).toEqual(stored.map(({ text }) => text.length));
		},
	);

	test('writes text of any size as UTF-8, even if it fills several files', async () => {
		const { writer, stored } = writerWith(2);
		const texts = ['', 'ü東🚚'.repeat(50_000), 'x'.repeat(300_000), '\ufeffend', 'a'];
		const records = findRecords(JSON.stringify({ data: { items: texts } }));
		await writer.add({ records });
		await writer.finish();
		const whole = stored.map(({ text }) => text).join('');
		expect(whole === texts.map((text) => `${JSON.stringify(text)}\n`).join('')).toBe(true);
		expect(stored.every(({ text, facts }) => facts.bytes === Buffer.byteLength(text))).toBe(true);
	});
});

function ndjsonOf(text: string, fields?: string[]): string {
	return createNdjsonFormat(fields).linesOf(findRecords(text)).join('');
}

describe('NDJSON', () => {
	test('writes a record on one line even if its JSON has line breaks', () => {
		const text =
			'{\n  "data": {\n    "items": [\n      {\n\t"id": 1,\r\n\t"t": "a\\nb  c"\n      }\n    ]\n  }\n}';
		expect(ndjsonOf(text)).toBe('{"id": 1,"t": "a\\nb  c"}\n');
	});

	test('keeps every digit of the numbers in the chosen fields', () => {
		const record = '{"b":{"id":3},"id":1.0,"c":2,"\\u0062":[9007199254740993]}';
		expect(ndjsonOf(`{"data":{"items":[${record},{}]}}`, ['id', 'b', 'x"y'])).toBe(
			'{"id":1,"b":[9007199254740993]}\n{}\n',
		);
	});
});
