import { parse as parseCsv } from 'csv-parse/sync';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { CsvFormat, type CsvOptions } from '../../../../nodes/WorkspaceData/export/csv.ts';
import { findRecords } from '../../../../nodes/shared/client/raw-records.ts';
import { plainCsv as plain } from './plain-csv.mts';

/** Returns a CSV file with these records from one page. Each record is JSON text. */
function csvOf(records: readonly string[], options: Partial<CsvOptions> = {}): string {
	const format = new CsvFormat({ ...plain, ...options });
	const lines = format.linesOf(findRecords(`{"data":{"items":[${records.join(',')}]}}`));
	return format.header() + lines.join('');
}

/** Returns the cells of a CSV file. Expects two independent parsers to read the same cells. */
function readBack(csv: string, { delimiter }: Pick<CsvOptions, 'delimiter'> = plain): string[][] {
	const lineEnd = '\r\n';
	expect(csv.endsWith(lineEnd)).toBe(true);
	const first = parseCsv(csv, {
		bom: true,
		relax_column_count: false,
		delimiter,
		record_delimiter: lineEnd,
	});
	const second = Papa.parse<string[]>(csv.slice(0, -lineEnd.length), {
		newline: lineEnd,
		delimiter,
	});
	expect(second.errors).toEqual([]);
	expect(second.data).toEqual(first);
	return first;
}

test.each([
	['empty text', '""', '""'],
	['null', 'null', ''],
	['true', 'true', 'true'],
	['an integer beyond 2^53', '9007199254740993', '9007199254740993'],
	['a number with all digits', '-1.50e3', '-1.50e3'],
	['text with spaces at the ends', '" a "', '" a "'],
	['text with a quotation mark', '"a\\"b"', '"a""b"'],
	['text with a carriage return', '"a\\rb"', '"a\rb"'],
	['text with an escape', '"\\u00fc"', 'ü'],
	['a list', '[1, "b"]', '"[1, ""b""]"'],
	['an object over several lines', '{\n  "a": 1\n}', '"{""a"": 1}"'],
	['an empty list', '[]', '[]'],
])('writes the CSV cell for %s', (_name, json, cell) => {
	expect(csvOf([`{"id":1,"x":${json}}`])).toBe(`id,x\r\n1,${cell}\r\n`);
});

test('writes numbers with the chosen decimal sign, and leaves text and JSON unchanged', () => {
	const record = '{"a":-1.50e3,"b":0.001,"c":7,"d":"-12.50","e":[1.5],"f":true}';
	const options = { delimiter: ';', decimalSign: ',', isForExcel: true } as const;
	const [header, cells] = ['\ufeffa;b;c;d;e;f', '-1,50e3;0,001;7;-12.50;[1.5];true'];
	expect(csvOf([record], options)).toBe(`${header}\r\n${cells}\r\n`);
});

describe('formulas in CSV cells', () => {
	const dangerous =
		'=1+1|-1+1|-1.2.3|-(1)|--|+1 cmd|+(|+49 30 =1|+1-555-123-4567|+49.30-12|+1\n|@SUM(A1)|\tx|\rx|\nx|＝1|＋49|－5|＠SUM(A1)';
	const harmless =
		'-|+|-12.50|-5|+5|+49 30 1234|+1 (555) 12-34.5|+1 555-123-4567|+49.30.1234|+4930123456';

	test.each([
		...dangerous.split('|').map((value) => [value, `'${value}`]),
		...harmless.split('|').map((value) => [value, value]),
	])('writes the text %j as %j if formulas are escaped', (value, cell) => {
		const records = [JSON.stringify({ id: 1, x: value })];
		expect(readBack(csvOf(records, { escapeFormulas: true }))[1]).toEqual(['1', cell]);
		expect(readBack(csvOf(records))[1]).toEqual(['1', value]);
	});

	test('leaves numbers, harmless text and JSON unchanged if formulas are escaped', () => {
		const record = { a: -5, b: 'a=b', c: "'", d: ['=1'], e: true, f: null };
		const csv = csvOf([JSON.stringify(record)], { escapeFormulas: true });
		expect(readBack(csv)[1]).toEqual(['-5', 'a=b', "'", '["=1"]', 'true', '']);
	});

	test('escapes formulas in column names', () => {
		expect(csvOf(['{"=x":1}'], { escapeFormulas: true })).toBe("'=x\r\n1\r\n");
	});
});

describe('columns of a CSV file', () => {
	test('writes a column for each chosen field, or by default for each field of the page in order of appearance', () => {
		const csv = csvOf(['{"id":1,"b":2}', '{"a":3,"id":4}', '{}']);
		expect(csv).toBe('id,b,a\r\n1,2,\r\n4,,3\r\n,,\r\n');
		expect(csvOf(['{"id":1,"b":2,"a":3}'], { fields: ['a', 'id'] })).toBe('a,id\r\n3,1\r\n');
	});

	test('writes the nested field for a path with dots, unless a record has a field with the whole path as its name', () => {
		const records = [
			'{"address":{"city":"Oslo","geo":{"lat":1.50}},"id":1}',
			'{"address.city":"Rome","address":{"city":"Bern","geo":7}}',
			'{"address":"none"}',
		];
		const fields = ['address.city', 'id', 'address.geo.lat'];
		expect(csvOf(records, { fields })).toBe(`${fields.join()}\r\nOslo,1,1.50\r\nRome,,\r\n,,\r\n`);
	});

	test('writes the last value of a repeated field, like JSON.parse', () => {
		expect(csvOf(['{"id":1,"x":2,"x":3}'])).toBe('id,x\r\n1,3\r\n');
	});

	test('accepts field names with JSON escapes and quotation marks', () => {
		expect(csvOf(['{"\\u0069d":1,"a\\"b":2,"c\\\\":3}', '{"id":4,"a\\"b":5,"c\\\\":6}'])).toBe(
			'id,"a""b",c\\\r\n1,2,3\r\n4,5,6\r\n',
		);
	});

	test('writes no empty line, even if the only cell of the line is empty', () => {
		expect(csvOf(['{"x":null}', '{"x":1}'])).toBe('x\r\n""\r\n1\r\n');
	});
});

test('writes any records as CSV that two independent parsers read back unchanged', () => {
	const value = fc.oneof(
		fc.string({ unit: 'grapheme' }),
		fc.constantFrom('a,b', '"', '""', 'a\r\nb', '\n', ' a', "'", ';', '\t', '\ufeffx'),
		fc.integer(),
		fc.boolean(),
		fc.constant(null),
		fc.array(fc.string(), { maxLength: 2 }),
	);
	const form: fc.Arbitrary<Pick<CsvOptions, 'delimiter'>> = fc.record({
		delimiter: fc.constantFrom(',', ';', '\t'),
	});
	// Exclude names that begin with a byte order mark, because parsers drop this character at the start of a file.
	const name = fc.string({ unit: 'grapheme' }).filter((text) => !text.startsWith('\ufeff'));
	const record = fc
		.tuple(fc.integer(), fc.dictionary(name, value, { maxKeys: 5 }))
		.map(([id, more]) => ({ id, note: 'x', ...more }));
	fc.assert(
		fc.property(fc.array(record, { minLength: 1, maxLength: 6 }), form, (records, chosen) => {
			const csv = csvOf(
				records.map((entry) => JSON.stringify(entry)),
				chosen,
			);
			const rows = readBack(csv, chosen);
			const [header, ...lines] = rows;
			expect(new Set(header).size).toBe(header.length);
			expect(lines).toHaveLength(records.length);
			for (const [index, cells] of lines.entries()) {
				for (const [column, field] of header.entries()) {
					const found = Object.entries(records[index]).find(([key]) => key === field);
					expect(cells[column]).toBe(asText(found?.[1] ?? null));
				}
			}
		}),
		{ numRuns: 300 },
	);
});

function asText(value: unknown): string {
	if (value === null) return '';
	return typeof value === 'string' ? value : JSON.stringify(value);
}
